import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { Money } from '#web/kit/Money.tsx'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { percent } from './text.ts'

/** What the seller gets, as the largest text on the screen, and how it is calculated. */
export function QuoteFigure({ quote }: { quote: Quote | undefined }) {
  return (
    <div className="grid gap-4">
      <output className="grid gap-1">
        <span className="font-medium text-soft">You get</span>
        <Money
          amount={toDecimal(quote?.pays ?? 0)}
          size="figure"
          className={quote ? 'text-accent' : 'text-soft'}
        />
      </output>
      <Ledger className="border-line border-y text-sm">
        <LedgerRow name="Card value">{quote ? <Money amount={toDecimal(quote.faceValue)} /> : '–'}</LedgerRow>
        <LedgerRow name="Our rate">
          <span className="figures">{quote ? percent(quote.rate) : '–'}</span>
        </LedgerRow>
        <LedgerRow name="Fees">None</LedgerRow>
      </Ledger>
    </div>
  )
}
