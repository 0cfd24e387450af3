import { Clock, MessageCircle } from 'lucide-react'
import type { ContactMessage } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { MAX_MESSAGE_LENGTH, SUPPORT_NAME } from '#domain/chat.ts'
import { Composer } from '#web/chat/Composer.tsx'
import { MessageList } from '#web/chat/MessageList.tsx'
import { useMessages } from '#web/chat/use-messages.ts'
import { shownMessages, useOutbox } from '#web/chat/use-outbox.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { Failure, Notice } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Navigate, useSearchParams } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { useLive } from '#web/wire/live.ts'
import { contactCopy } from '#web/words/contact.ts'
import { paths } from '#web/words/paths.ts'
import { supportChat } from '#web/words/support.ts'

/** A visitor's conversation with support. The session id in the address is its only key. */
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
        <ResponseTimes />
      </div>
    </div>
  )
}

const icons = [MessageCircle, Clock] as const

function ResponseTimes() {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
      {contactCopy.chat.cards.map(({ title, text }, index) => {
        const Icon = icons[index] ?? Clock
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

const copy = contactCopy.chat

const sides = {
  mine: ({ isUserMessage }: ContactMessage) => isUserMessage,
  name: ({ isUserMessage }: ContactMessage) => (isUserMessage ? undefined : SUPPORT_NAME),
}

function ContactThread({ sessionId }: { sessionId: string }) {
  const { thread, outbox } = useContactThread(sessionId)
  const { messages, error } = thread
  if (thread.pending) return <Waiting>{copy.loading}</Waiting>
  if (!messages) return <NotLoaded error={error} onRetry={() => void thread.refresh()} />
  const answered = messages.some(({ isUserMessage }) => !isUserMessage)
  return (
    <div className="grid grid-cols-1 gap-3">
      <section
        aria-label={copy.title}
        className="flex h-[min(40rem,75dvh)] flex-col overflow-hidden rounded-lg border border-line bg-surface"
      >
        <MessageList
          label="Messages with support"
          messages={shownMessages(messages, outbox.outgoing, sides)}
          empty={supportChat.waiting}
          waiting={!answered && supportChat.waiting}
          onRetry={outbox.retry}
          showOlder={thread.showOlder}
          showingOlder={thread.showingOlder}
          olderFailed={thread.olderFailed}
          className="flex-1"
        />
        <Composer
          label={supportChat.label}
          placeholder={supportChat.placeholder}
          hint={supportChat.hint}
          maxLength={MAX_MESSAGE_LENGTH}
          onSend={outbox.send}
          className="border-line border-t p-4"
        />
      </section>
      <p className="text-soft text-sm">{copy.keep}</p>
    </div>
  )
}

function NotLoaded({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const unknown = error instanceof ApiError && (error.status === 404 || error.status === 400)
  if (!unknown) return <Failure message={messageOf(error, copy.failedToLoad)} onRetry={onRetry} />
  return (
    <Notice
      tone="caution"
      title={copy.unknown.title}
      action={<ButtonLink to={paths.contact}>{copy.unknown.action}</ButtonLink>}
    >
      {copy.unknown.text}
    </Notice>
  )
}

/** The thread of a contact session, polled every five seconds and refreshed by pushes. */
function useContactThread(sessionId: string) {
  const thread = useMessages<ContactMessage>({
    queryKey: [routes.contactMessages.path, sessionId],
    fetchMessages: ({ signal, before }) =>
      call(routes.contactMessages, {
        query: {
          sessionId,
          ...(before && { before }),
          ...(document.visibilityState === 'hidden' && { peek: 'true' }),
        },
        ...(signal && { signal }),
      }),
  })
  const refresh = () => void thread.refresh()
  useLive({ sessionId, onMessage: refresh, onOpen: refresh }, thread.messages !== undefined)
  const outbox = useOutbox({
    post: ({ message, clientId }) =>
      call(routes.sendContactMessage, { body: { sessionId, message, clientId } }),
    onSent: refresh,
    onFailed: () => toast({ ...supportChat.failed, variant: 'destructive' }),
  })
  return { thread, outbox }
}
