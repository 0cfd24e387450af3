import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

/** A sheet on the page. Never put one inside another: use lines and space instead. */
export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section {...rest} className={cx('rounded-lg border border-line bg-surface p-5 md:p-7', className)} />
  )
}

/** Rows of names and values, as on a receipt. */
export function Ledger({ className, ...rest }: ComponentProps<'dl'>) {
  return <dl {...rest} className={cx('divide-y divide-line', className)} />
}

interface LedgerRowProps {
  name: string
  /** For long values: on phones the value goes below its name. */
  long?: boolean
  children: ReactNode
}

export function LedgerRow({ name, long, children }: LedgerRowProps) {
  return (
    <div
      className={cx(
        'flex gap-x-6 gap-y-0.5 py-2.5',
        long ? 'flex-col sm:flex-row sm:items-baseline sm:justify-between' : 'items-baseline justify-between',
      )}
    >
      <dt className="shrink-0 text-soft">{name}</dt>
      <dd
        className={cx('wrap-anywhere min-w-0 text-pretty font-medium', long ? 'sm:text-right' : 'text-right')}
      >
        {children}
      </dd>
    </div>
  )
}

/** A page's heading and an optional line about it. */
export function PageHeader({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className="grid grid-cols-1 gap-2">
      <h1 className="text-3xl">{title}</h1>
      {children && <p className="max-w-prose text-lg text-soft">{children}</p>}
    </header>
  )
}
