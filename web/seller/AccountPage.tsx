import type { ReactNode } from 'react'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { SellerNav } from './SellerNav.tsx'

/** A screen of the account. The tabs come first, so that they stay where they are on every screen. */
export function AccountPage({ title, intro, header, children }: AccountPageProps) {
  return (
    <div className="measure grid grid-cols-1 gap-8 pt-2 pb-8 md:pt-4 md:pb-12">
      <PageTitle>{title}</PageTitle>
      <SellerNav />
      {header === undefined ? <PageHeader title={title}>{intro}</PageHeader> : header}
      {children}
    </div>
  )
}

interface AccountPageProps {
  /** The browser's title, and the heading unless there is a header. */
  title: string
  intro?: string
  /** Instead of a plain heading. */
  header?: ReactNode
  children: ReactNode
}
