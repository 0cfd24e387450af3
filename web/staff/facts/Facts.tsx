import type { ReactNode } from 'react'
import type { StaffSeller } from '#contract/sellers.ts'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'

interface FactsProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** Names and values, in two columns. */
export function Facts({ title, action, children }: FactsProps) {
  return (
    <section className="grid content-start">
      <div className={cx('flex min-h-9 items-center justify-between gap-4', Boolean(action) && 'pb-1')}>
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
    // A value that must not break goes below its name where there is no room beside it.
    <div className="flex flex-wrap items-baseline gap-x-3 border-line border-b py-1">
      <dt className="w-26 text-soft text-sm">{name}</dt>
      <dd className="flex flex-1 items-baseline justify-between gap-3">
        <span className={cx('min-w-0 wrap-anywhere', code && 'font-mono tracking-wide')}>{children}</span>
        {action}
      </dd>
    </div>
  )
}

/** A number, or an address that may break before its "@". Only longer ones break elsewhere. */
export function Unbroken({ text }: { text: string }) {
  const at = Math.max(text.lastIndexOf('@'), 0)
  const className = cx('inline-block max-w-full', text.length <= LONGEST_UNBROKEN && 'whitespace-nowrap')
  return (
    <span>
      {at > 0 && <span className={className}>{text.slice(0, at)}</span>}
      <span className={className}>{text.slice(at)}</span>
    </span>
  )
}

/** In characters: 19 digits in groups of four, which fit a phone. */
const LONGEST_UNBROKEN = 23

/** The amount owed, and its part that waits for another account. */
export function Owed({ totals: { owed, unpayable } }: Pick<StaffSeller, 'totals'>) {
  return (
    <>
      <Money amount={owed} />
      {Number(unpayable) > 0 && (
        <span className="block font-normal text-soft text-sm">
          {unpayable === owed ? 'all' : <Money amount={unpayable} />} of it waits for another account
        </span>
      )}
    </>
  )
}
