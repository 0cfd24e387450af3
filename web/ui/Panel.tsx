import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

/** A sheet on the page. Panels never stand inside panels: within one, lines and space divide. */
export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section {...rest} className={cx('rounded-lg border border-line bg-surface p-5 md:p-7', className)} />
  )
}

/** Rows of name and value with a hairline between them, as on a receipt. */
export function Ledger({ className, ...rest }: ComponentProps<'dl'>) {
  return <dl {...rest} className={cx('divide-y divide-line', className)} />
}

export function LedgerRow({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-6 py-2.5">
      <dt className="shrink-0 text-soft">{name}</dt>
      <dd className="wrap-anywhere min-w-0 text-right font-medium">{children}</dd>
    </div>
  )
}

/** The head of a page: what it is, one line on it, and what can be done. */
export function PageHeader({
  title,
  children,
  actions,
}: {
  title: React.ReactNode
  children?: React.ReactNode
  actions?: React.ReactNode
}) {
  return (
    <header className="flex flex-col gap-4 md:flex-row md:items-end md:justify-between">
      <div className="grid gap-2">
        <h1 className="text-3xl">{title}</h1>
        {children && <p className="max-w-prose text-pretty text-lg text-soft">{children}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  )
}
