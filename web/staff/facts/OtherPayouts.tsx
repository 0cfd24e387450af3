import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WirePayout } from '#contract/payouts.ts'
import { deadAccountReasons } from '#domain/failure.ts'
import { Money } from '#web/kit/Money.tsx'
import { findReason } from './SellerReason.tsx'

interface OtherPayoutsProps {
  payout: WirePayout
  /** Why it fails, as typed. */
  text: string
  /** Shown if it stops no others. */
  children?: ReactNode
}

/** Counts the other payouts to the account of a failing one if they stop with it. */
export function OtherPayouts({ payout, text, children }: OtherPayoutsProps) {
  const stopped = stoppedBy(payout, text)
  if (!stopped) return children
  const { count, total } = stopped
  return (
    <p className="flex gap-2 font-medium text-caution text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        {count} more {count === 1 ? 'payout' : 'payouts'} to this account (
        <Money amount={total} />) will wait for another account, too.
      </span>
    </p>
  )
}

/** The other payouts that stop for this reason: after some, an account is not paid again. */
export function stoppedBy({ deadAccount, sameAccount }: WirePayout, text: string) {
  const isDead = deadAccountReasons.some((code) => code === findReason('fail', text.trim()))
  return isDead && !deadAccount && sameAccount && sameAccount.count > 0 ? sameAccount : undefined
}
