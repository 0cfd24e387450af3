import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { foundLess } from '../lower-balance.ts'

/** The day by which the money for an open card should arrive if nothing holds it up. */
export function useExpectedDay(card: SellerSubmission | undefined) {
  const day = useDay(card)
  return day?.isOver ? undefined : day
}

/** Whether that day is over for an approved card. */
export const useIsLate = (card: SellerSubmission): boolean => useDay(card)?.isOver === true

function useDay(card: SellerSubmission | undefined) {
  const { user } = useSession()
  const isAwaited = card !== undefined && awaitsMoney(card)
  const { data: days } = useQuery({
    ...read(routes.expectedPayoutDays, { query: { giftCardId: card?.id } }),
    enabled: isAwaited && !user?.mustConfirmEmail,
  })
  return isAwaited ? days?.[0] : undefined
}

function awaitsMoney(card: SellerSubmission): boolean {
  const { status, payout } = card
  const isDue = payout?.state === 'due' && !payout.needsAccount
  const isUnsure = foundLess(card) || card.routingNumberSuspect || card.accountRefusal
  return (status === 'pending' && !isUnsure) || (status === 'approved' && isDue)
}
