import type { SellerPayout } from '#contract/submissions.ts'

/** Leaves the note about a joint payment only at the first of its cards. */
export function sayTogetherOnce<Card extends Paid>(cards: readonly Card[]): Card[] {
  return cards.map((card, index) => {
    const { payout } = card
    const isSaid = cards.slice(0, index).some((before) => isSamePayment(before.payout, payout))
    return payout && isSaid ? { ...card, payout: { ...payout, together: null } } : card
  })
}

const isSamePayment = (a: Paid['payout'], b: Paid['payout']): boolean =>
  a?.together != null && b?.together != null && a.reference === b.reference && a.sentAt === b.sentAt

interface Paid {
  readonly payout: Pick<SellerPayout, 'together' | 'reference' | 'sentAt'> | null
}
