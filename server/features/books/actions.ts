import type { PayoutLimits } from '#domain/payout-limits.ts'
import type { Status } from '#domain/submission.ts'
import type { AuditActor } from '#server/features/audit/actions.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { postEntries } from './ledger.ts'
import {
  cancelPayout,
  createPayout,
  lockLatestPayout,
  type PayableCard,
  paidEntry,
  payByHand,
  preparePayByHand,
  reopenPayout,
  unpaidEntry,
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
    const paid = payout?.state === 'paid' ? [payout] : []
    const unstocked = await leaveStock(tx, card.id)
    await Promise.all([
      ...paid.map((each) => reopenPayout(tx, each, isUndo)),
      postEntries(tx, [...paid.map(unpaidEntry), ...unstocked]),
    ])
  }
  if (to === 'completed') {
    const { id, sellerId, brand } = card
    const unpaid = payout && payout.state !== 'paid' ? [payout] : []
    const [stocked, ...sent] = await Promise.all([
      enterStock(tx, [{ id, sellerId, brand, cost: price }]),
      ...unpaid.map((each) => preparePayByHand(tx, card, each, { reference, limits })),
    ])
    await Promise.all([
      ...sent.map((each) => payByHand(tx, each, reference)),
      postEntries(tx, [...sent.map(paidEntry), ...stocked]),
    ])
  }
  if (isApproved(from) && !isApproved(to)) {
    // A reopened payout may be void, and an earlier one owed again.
    const owed = from === 'completed' ? await lockLatestPayout(tx, card.id) : payout
    await Promise.all([requireNotGone(tx, card.id), owed && cancelPayout(tx, owed, step)])
  }
}
