import type { ReactNode } from 'react'
import { cx } from '#web/kit/cx.ts'

interface FactsProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** Names and values, in two columns. */
export function Facts({ title, action, children }: FactsProps) {
  return (
    <section className="grid content-start">
      <div className="flex min-h-9 items-center justify-between gap-4">
        <h3 className="text-base">{title}</h3>
        {action}
      </div>
      <dl className="border-line border-t">{children}</dl>
    </section>
  )
}

interface FactProps {
  name: string
  /** In monospace: a reviewer compares it character by character. */
  code?: boolean
  action?: ReactNode
  children: ReactNode
}

export function Fact({ name, code = false, action, children }: FactProps) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-x-3 border-line border-b py-1">
      <dt className="text-soft text-sm">{name}</dt>
      <dd className="flex min-w-0 items-baseline justify-between gap-3">
        <span className={cx('min-w-0 wrap-anywhere', code && 'font-mono tracking-wide')}>{children}</span>
        {action}
      </dd>
    </div>
  )
}
