import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { Money } from '#web/kit/Money.tsx'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { useWords } from '#web/words/words.ts'
import { percent } from './text.ts'

/** What the seller gets, as the largest text on the screen, and how it is calculated. */
export function QuoteFigure({ quote }: { quote: Quote | undefined }) {
  const t = useWords()
  return (
    <div className="grid gap-4">
      <output className="grid gap-1">
        <span className="font-medium text-soft">{t('cards.youGet')}</span>
        <Money
          amount={toDecimal(quote?.pays ?? 0)}
          size="figure"
          className={quote ? 'text-accent' : 'text-soft'}
        />
      </output>
      <Ledger className="border-line border-y text-sm">
        <LedgerRow name={t('cards.value')}>
          {quote ? <Money amount={toDecimal(quote.faceValue)} /> : '–'}
        </LedgerRow>
        <LedgerRow name={t('cards.ourRate')}>
          <span className="figures">{quote ? percent(quote.rate) : '–'}</span>
        </LedgerRow>
        <LedgerRow name={t('cards.fees')}>{t('cards.noFees')}</LedgerRow>
      </Ledger>
    </div>
  )
}
