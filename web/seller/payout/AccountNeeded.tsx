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
  const amounts = cards.map((card) => amountOf(card, card.sellingPrice))
  const reasons = cards.map((card) => failedPayoutOf(card)?.returnReason ?? null)
  const differ = reasons.some((reason) => reason !== reasons[0])
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
          <FailedAccount payout={payout} reasons={differ ? [] : reasons} />
        </div>
      </div>
      <ul className="grid gap-1 text-sm">
        {cards.map((card, index) => {
          const reason = differ && reasons[index]
          return (
            <li key={card.id} className="flex justify-between gap-3">
              <div className="wrap-anywhere min-w-0">
                <CardLink card={card} />
                {reason && <p className="text-soft">{t('payoutStatus.returned.reason', { reason })}</p>}
              </div>
              <Money amount={amounts[index] ?? ''} />
            </li>
          )
        })}
      </ul>
      <Button
        size="sm"
        variant={primary ? 'primary' : 'secondary'}
        onClick={() => setOpen(true)}
        className="sm:justify-self-start"
      >
        {t('payoutStatus.account')}
      </Button>
      <ChangeAccountDialog {...{ card, payout, amount, reasons, inReview, open }} onOpenChange={setOpen} />
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
    const account = needsAnswer(card) ? undefined : failedAccountOf(card)
    // Cards in review stand apart: nothing is owed for them yet.
    return account ? `${Boolean(card.accountRefusal)} ${account}` : card.id
  })

/** The cards below another card that asks for the same account. */
export const askedAbove = (cards: readonly SellerSubmission[]): SellerSubmission[] =>
  cards.filter((card, index) => {
    const account = failedAccountOf(card)
    return account && cards.slice(0, index).some((above) => failedAccountOf(above) === account)
  })

function failedAccountOf(card: SellerSubmission): string | undefined {
  const failed = failedPayoutOf(card)
  return failed && `${failed.paymentType} ${failed.account}`
}

/** First money that cannot be sent, then offers and questions, then cards in review that need another account, then the rest. */
export const byUrgency = (cards: readonly SellerSubmission[]): SellerSubmission[] =>
  [...cards].sort((a, b) => urgencyOf(a) - urgencyOf(b))

function urgencyOf(card: SellerSubmission): number {
  if (card.payout?.needsAccount) return 0
  if (needsAnswer(card)) return 1
  return needsSeller(card) ? 2 : 3
}

export const needsSeller = (card: SellerSubmission): boolean =>
  needsAnswer(card) || failedPayoutOf(card) !== undefined

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
