import type { PayoutLimits } from '#domain/payout-limits.ts'
import type { Status } from '#domain/submission.ts'
import type { AuditActor } from '#server/features/audit/actions.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import {
  cancelPayout,
  createPayout,
  lockLatestPayout,
  type PayableCard,
  payByHand,
  reopenPayout,
} from './payouts.ts'
import { enterStock, leaveStock, requireNotGone } from './stock.ts'

/** What a move between two statuses means for the payout, the inventory and the ledger. */
interface Step {
  readonly actor: AuditActor
  readonly from: Status
  readonly to: Status
  /** Cents: what the card costs us. */
  readonly price: number
  /** Whether what the seller owes is taken from the payout. */
  readonly netReceivables: boolean
  /** Of payments by hand. */
  readonly limits?: PayoutLimits | undefined
  /** The confirmation number of a payout that was sent by hand. */
  readonly reference?: string | undefined
  /** The last move was taken back at once. */
  readonly isUndo?: true | undefined
}

/** In these statuses we owe the seller the price, or have paid it. */
const isApproved = (status: Status): boolean => status === 'processing' || status === 'completed'

/**
 * Keeps the books of a locked submission that moves. Throws `payout_in_batch` or `payout_sent` if its payout is on its way, and
 * `card_gone` if we would no longer owe anything for a card that was sold, used or bad.
 */
export async function followMove(tx: Transaction, card: PayableCard, step: Step): Promise<void> {
  const { from, to, price, reference, limits, isUndo = false } = step
  if (!isApproved(from) && !isApproved(to)) return
  const latest = await lockLatestPayout(tx, card.id)
  const payout = isApproved(from) ? latest : await createPayout(tx, card, latest, step)
  if (from === 'completed') {
    await Promise.all([leaveStock(tx, card.id), payout?.state === 'paid' && reopenPayout(tx, payout, isUndo)])
  }
  if (to === 'completed') {
    const { id, sellerId, brand } = card
    await Promise.all([
      payout && payout.state !== 'paid' && payByHand(tx, card, payout, { reference, limits }),
      enterStock(tx, [{ id, sellerId, brand, cost: price }]),
    ])
  }
  if (isApproved(from) && !isApproved(to)) {
    // A reopened payout may be void, and an earlier one owed again.
    const owed = from === 'completed' ? await lockLatestPayout(tx, card.id) : payout
    await Promise.all([requireNotGone(tx, card.id), owed && cancelPayout(tx, owed, step)])
  }
}
