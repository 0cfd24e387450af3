import type { ReactNode } from 'react'
import { cx } from '#web/kit/cx.ts'

interface FactsProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** Names and values. Two short facts share a line where there is room. */
export function Facts({ title, action, children }: FactsProps) {
  return (
    <section className="@container grid content-start">
      <div className="flex min-h-9 items-center justify-between gap-4">
        <h3 className="text-base">{title}</h3>
        {action}
      </div>
      <dl className="grid @[22rem]:grid-cols-2 gap-x-4 border-line border-t">{children}</dl>
    </section>
  )
}

interface FactProps {
  name: string
  /** In monospace: a reviewer compares it character by character. */
  code?: boolean
  /** Short enough for half a line. */
  half?: boolean
  /** Goes below its name in a narrow column. */
  long?: boolean
  action?: ReactNode
  children: ReactNode
}

export function Fact({ name, code = false, half = false, long = false, action, children }: FactProps) {
  return (
    <div
      className={cx(
        'grid items-baseline gap-x-3 border-line border-b py-1',
        half
          ? '@max-[22rem]:grid-cols-[7.5rem_minmax(0,1fr)] grid-cols-[auto_minmax(0,1fr)]'
          : 'col-span-full',
        !half && 'grid-cols-[7.5rem_minmax(0,1fr)]',
        long && '@max-[26rem]:grid-cols-1',
      )}
    >
      <dt className="text-soft text-sm">{name}</dt>
      <dd className="flex min-w-0 items-baseline justify-between gap-3">
        <span className={cx('min-w-0 wrap-anywhere', code && 'font-mono tracking-wide')}>{children}</span>
        {action}
      </dd>
    </div>
  )
}
