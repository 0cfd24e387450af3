import { shareOf, toDollars } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useWords } from '#web/words/words.ts'
import { type RateChange, rateChangeText } from './rate-change.ts'
import { percent } from './text.ts'

interface RateChangedProps {
  change: RateChange
  quote: Quote | undefined
  /** Shows a button to accept the new rate. Without it, continuing accepts it. */
  onAccept?: () => void
}

export function RateChanged({ change, quote, onAccept }: RateChangedProps) {
  const t = useWords()
  const before = quote && shareOf(quote.faceValue, change.from)
  return (
    <Notice
      tone={change.to < change.from ? 'caution' : 'info'}
      title={rateChangeText(change)}
      urgent
      action={
        onAccept && (
          <Button variant="secondary" size="sm" name="acceptRate" onClick={onAccept}>
            {t('cards.acceptRate', { amount: quote ? toDollars(quote.pays) : percent(change.to) })}
          </Button>
        )
      }
    >
      {quote &&
        before !== undefined &&
        t('cards.amountChanged', { amount: toDollars(quote.pays), before: toDollars(before) })}
    </Notice>
  )
}
