import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { sellerStatusOf } from '#domain/submission.ts'
import type { Translate } from '#words/translate.ts'

/** What has happened to a card, for its seller. A cancelled one was withdrawn, or its offer was declined or ended. */
export function statusText(
  t: Translate,
  { status, offer, ending, payout }: Pick<SellerSubmission, 'status' | 'offer' | 'ending' | 'payout'>,
): string {
  if (offer) return t('statuses.text.offer', { amount: inDollars(offer.amount) })
  if (ending) return t(`statuses.ended.${ending}`)
  if (payout?.state === 'sent' || payout?.state === 'returned') return t(`statuses.payout.${payout.state}`)
  if (payout?.needsAccount) return t('statuses.payout.account')
  return t(`statuses.text.${sellerStatusOf(status)}`)
}
