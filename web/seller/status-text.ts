import type { SellerSubmission } from '#contract/submissions.ts'
import { failureOf } from '#domain/failure.ts'
import { inDollars } from '#domain/money.ts'
import { isFixable } from '#domain/resubmission.ts'
import { sellerStatusOf } from '#domain/submission.ts'
import type { Translate } from '#words/translate.ts'
import { type BalanceFound, lowerBalanceText } from './lower-balance.ts'

/**
 * What has happened to a card, for its seller. A cancelled one was withdrawn, or its offer was declined or ended.
 * @param mustConfirm whether the seller has to confirm the email address first
 */
export function statusText(
  t: Translate,
  card: Pick<
    SellerSubmission,
    'status' | 'appealed' | 'offer' | 'ending' | 'payout' | 'resubmission' | 'resubmittable' | 'reasonCode'
  > &
    Partial<BalanceFound>,
  mustConfirm = false,
): string {
  const { status, offer, ending, payout, resubmission } = card
  if (offer) return t('statuses.text.offer', { amount: inDollars(offer.amount) })
  if (ending) return t(`statuses.ended.${ending}`)
  if (payout?.state === 'sent' || payout?.state === 'returned') return t(`statuses.payout.${payout.state}`)
  if (payout?.needsAccount) return t('statuses.payout.account')
  if (mustConfirm && waitsForEmail(card)) return t('statuses.payout.unconfirmed')
  if (resubmission) return t('statuses.label.rejected')
  if (isAppealOpen(card)) return t('statuses.text.appealed')
  if (isFixable(card)) return t('statuses.text.fixable')
  return lowerBalanceText(t, card) ?? t(`statuses.text.${sellerStatusOf(status)}`)
}

/** The same for the lists of all cards and transactions, which always send the seller of a rejected card to support. */
export const statusLine: typeof statusText = (t, card) =>
  isFixable(card) ? t('statuses.line.fixable') : statusText(t, card)

/** Whether a failed card needs nothing but a message to us. One whose account failed does if its secrets were erased. */
export const needsSupport = (card: Pick<SellerSubmission, 'status' | 'reasonCode' | 'payout'>): boolean =>
  !card.payout?.needsAccount && !['card', null].includes(failureOf(card))

/** Whether the payout of the card leaves as soon as the seller has confirmed the email address. */
export const waitsForEmail = ({ status, payout }: Pick<SellerSubmission, 'status' | 'payout'>): boolean =>
  sellerStatusOf(status) === 'approved' &&
  payout?.state === 'due' &&
  !payout.needsAccount &&
  !payout.waitsUntil

/** Whether the card is in review again because of an appeal. */
export const isAppealOpen = ({ status, appealed }: Pick<SellerSubmission, 'status' | 'appealed'>): boolean =>
  appealed && status === 'pending'
