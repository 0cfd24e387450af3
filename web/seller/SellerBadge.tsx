import { Undo2 } from 'lucide-react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { sellerStatusOf } from '#domain/submission.ts'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { Badge, type BadgeLook } from '#web/kit/Badge.tsx'
import { useWords } from '#web/words/words.ts'

/** The look of a payout that came back or failed. */
export const returnedLook: BadgeLook = { tone: 'caution', icon: Undo2 }

/** The seller's word for the status of a card, or what is wrong with its payout. The same on every screen. */
export function SellerBadge({ card }: SellerBadgeProps) {
  const t = useWords()
  const { status, payout } = card
  if (!payout?.needsAccount) return <StatusBadge status={sellerStatusOf(status)} />
  return (
    <Badge {...returnedLook}>
      {t(payout?.state === 'returned' ? 'payoutStatus.badge.returned' : 'payoutStatus.badge.account')}
    </Badge>
  )
}

interface SellerBadgeProps {
  card: Pick<SellerSubmission, 'status' | 'reasonCode' | 'payout'>
}
