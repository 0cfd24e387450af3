import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import type { Translate } from '#words/translate.ts'

export type BalanceFound = Pick<SellerSubmission, 'balanceCheck' | 'denomination' | 'sellingPrice'>

/** Whether the balance service found less than the card's value, so that the quote no longer holds. */
export function foundLess({ balanceCheck, denomination }: Partial<BalanceFound>): boolean {
  return balanceCheck?.state === 'found' && Number(balanceCheck.amount) < Number(denomination)
}

/** What that means for the seller. Undefined unless less was found. */
export function lowerBalanceText(t: Translate, card: Partial<BalanceFound>): string | undefined {
  if (!foundLess(card)) return undefined
  return t('confirmation.balance.lower', {
    quote: inDollars(card.sellingPrice ?? '0'),
    amount: inDollars(card.balanceCheck?.amount ?? '0'),
  })
}
