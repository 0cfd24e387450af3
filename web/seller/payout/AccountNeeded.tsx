import { useState } from 'react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars, parseDollars, toDecimal } from '#domain/money.ts'
import { Button } from '#web/kit/Button.tsx'
import { Money } from '#web/kit/Money.tsx'
import { useWords } from '#web/words/words.ts'
import { CardLink } from '../card/CardLink.tsx'
import { amountOf } from '../SellerAmount.tsx'
import { FailedAccount, failedPayoutOf } from './FailedAccount.tsx'
import { ChangeAccountDialog } from './PayoutStatus.tsx'

/** Several cards that were to be paid to the same failed account, and one button for all of them. */
export function AccountNeeded({ cards, primary }: AccountNeededProps) {
  const t = useWords()
  const [open, setOpen] = useState(false)
  const approved = cards.filter(({ payout }) => payout)
  const card = approved[0] ?? cards[0]
  const payout = card && failedPayoutOf(card)
  if (!payout) return null
  const { id } = card
  const amounts = cards.map((card) => amountOf(card, card.sellingPrice))
  const reasons = cards.map((card) => failedPayoutOf(card)?.returnReason ?? null)
  const differ = reasons.some((reason) => reason !== reasons[0])
  const why = (reason: string | null) =>
    reason && <p className="text-soft">{t('payoutStatus.returned.reason', { reason })}</p>
  const sum = (of: readonly string[]) =>
    toDecimal(of.reduce((total, each) => total + (parseDollars(each) ?? 0), 0))
  const safe = sum(approved.map((card) => amountOf(card, card.sellingPrice)))
  const inReview = approved.length === 0
  const amount = inReview ? sum(amounts) : safe
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="grid gap-1">
        <h3 className="text-base">{t('payoutStatus.needed', { count: cards.length })}</h3>
        {!inReview && <p className="text-sm">{t('payoutStatus.safe', { amount: inDollars(safe) })}</p>}
        <div className="wrap-anywhere text-soft text-sm">
          <FailedAccount payout={payout} />
          {!differ && why(reasons[0] ?? null)}
        </div>
      </div>
      <ul className="grid gap-1 text-sm">
        {cards.map((card, index) => (
          <li key={card.id} className="flex justify-between gap-3">
            <div className="wrap-anywhere min-w-0">
              <CardLink card={card} />
              {differ && why(reasons[index] ?? null)}
            </div>
            <Money amount={amounts[index] ?? ''} />
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        variant={primary ? 'primary' : 'secondary'}
        onClick={() => setOpen(true)}
        className="sm:justify-self-start"
      >
        {t('payoutStatus.account')}
      </Button>
      <ChangeAccountDialog {...{ id, payout, amount, reasons, inReview, open }} onOpenChange={setOpen} />
    </div>
  )
}

interface AccountNeededProps {
  cards: readonly SellerSubmission[]
  primary: boolean
}

/** The cards that need another account for the same failed one together. The others alone, also those with a question or an offer. */
export const byFailedAccount = (cards: readonly SellerSubmission[]): SellerSubmission[][] =>
  grouped(cards, (card) => {
    const failed = needsAnswer(card) ? undefined : failedPayoutOf(card)
    // Cards in review stand apart: nothing is owed for them yet.
    return failed ? `${Boolean(card.accountRefusal)} ${failed.paymentType} ${failed.account}` : card.id
  })

const needsAnswer = ({ status, offer }: SellerSubmission) => status === 'under_review' || offer !== null

/** The cards in their order. Those with the same key are together, where the first of them is. */
export function grouped(
  cards: readonly SellerSubmission[],
  keyOf: (card: SellerSubmission) => string,
): SellerSubmission[][] {
  const groups = new Map<string, SellerSubmission[]>()
  for (const card of cards) groups.set(keyOf(card), [...(groups.get(keyOf(card)) ?? []), card])
  return [...groups.values()]
}
