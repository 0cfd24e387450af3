import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { sellerStatusOf } from '#domain/submission.ts'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { foundLess } from '../lower-balance.ts'

export type WithPayout = Pick<SellerSubmission, 'id' | 'status' | 'payout'>

/** The day by which the money for an open card should arrive if nothing holds it up. */
export function useExpectedDay(card: SellerSubmission | undefined) {
  const day = useDay(card, card !== undefined && (isReviewed(card) || isDue(card)))
  return day?.isOver ? undefined : day
}

/** The day by which the money for an approved card should arrive, also if it is over. */
export const useDueDay = (card: WithPayout) => useDay(card, isDue(card))

function useDay(card: WithPayout | undefined, isAwaited: boolean) {
  const { user } = useSession()
  const { data: days } = useQuery({
    ...read(routes.expectedPayoutDays, { query: { giftCardId: card?.id } }),
    enabled: isAwaited && !user?.mustConfirmEmail,
  })
  return isAwaited ? days?.[0] : undefined
}

const isDue = ({ status, payout }: WithPayout) =>
  sellerStatusOf(status) === 'approved' && payout?.state === 'due' && !payout.needsAccount

const isReviewed = (card: SellerSubmission) =>
  card.status === 'pending' && !foundLess(card) && !card.routingNumberSuspect && !card.accountRefusal
