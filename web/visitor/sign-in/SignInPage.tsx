import { LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { KeptQuote } from '#web/cards/KeptQuote.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Panel } from '#web/kit/Panel.tsx'

interface SignInPageProps {
  title: string
  intro: string
  /** The link to the other of the two pages. */
  other: ReactNode
  /** A message instead of a form: it is a sheet of its own. */
  bare?: boolean
  children: ReactNode
}

/** What signing in and signing up have in common. */
export function SignInPage({ title, intro, other, bare = false, children }: SignInPageProps) {
  return (
    <div className="measure py-8 md:py-16">
      <PageTitle>{title}</PageTitle>
      <div className="mx-auto grid max-w-md gap-6">
        <header className="grid gap-2">
          <h1 className="text-3xl">{title}</h1>
          <p className="text-pretty text-lg text-soft">{intro}</p>
        </header>
        <KeptQuote />
        {bare ? children : <Panel>{children}</Panel>}
        <p className="text-center">{other}</p>
        <p className="flex items-start justify-center gap-2 text-soft text-sm">
          <LockKeyhole aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          Card and bank numbers are encrypted before they are stored.
        </p>
      </div>
    </div>
  )
}
