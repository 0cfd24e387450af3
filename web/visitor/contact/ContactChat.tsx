import { Clock, MessageCircle } from 'lucide-react'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Navigate, useSearchParams } from '#web/kit/router/index.ts'
import { contactCopy } from '#web/words/contact.ts'
import { paths } from '#web/words/paths.ts'
import { ContactThread } from './ContactThread.tsx'

/** A visitor's conversation with support; the session in the address is its key. */
export default function ContactChat() {
  const [address] = useSearchParams()
  const sessionId = address.get('session')
  if (!sessionId) return <Navigate to={paths.contact} replace />
  const { title, session } = contactCopy.chat
  return (
    <div className="measure grid grid-cols-1 gap-6 py-6 md:py-10">
      <PageTitle>{title}</PageTitle>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-3xl">{title}</h1>
        <p className="text-soft text-sm">
          {session}: <span className="font-mono">{sessionId.slice(-8)}</span>
        </p>
      </header>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ContactThread key={sessionId} sessionId={sessionId} />
        <Cards />
      </div>
    </div>
  )
}

const icons = [MessageCircle, Clock] as const

function Cards() {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
      {contactCopy.chat.cards.map(({ title, text }, at) => {
        const Icon = icons[at] ?? Clock
        return (
          <li key={title} className="flex items-center gap-4 rounded-lg border border-line bg-surface p-4">
            <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
            <p className="grid">
              <span className="text-soft text-sm">{title}</span>
              <span className="font-semibold">{text}</span>
            </p>
          </li>
        )
      })}
    </ul>
  )
}
