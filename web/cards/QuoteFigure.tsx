import type { Brand } from '#domain/brands.ts'
import { toDecimal, toShortDollars } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { Money } from '#web/kit/Money.tsx'
import { useWords } from '#web/words/words.ts'
import { AmountCard } from './AmountCard.tsx'
import { BrandTile } from './BrandTile.tsx'
import { percent } from './text.ts'

interface QuoteFigureProps {
  brand: Brand
  quote: Quote | undefined
}

/** What the seller gets, as the largest text on the screen, on the card it is for. */
export function QuoteFigure({ brand, quote }: QuoteFigureProps) {
  const t = useWords()
  return (
    <AmountCard
      amount={quote && toDecimal(quote.pays)}
      label={t('cards.youGet')}
      share={quote && quote.rate / 100}
    >
      <Terms brand={brand} quote={quote} />
    </AmountCard>
  )
}

/** The brand with its rate and limits, and what the card is worth. */
function Terms({ brand, quote }: { brand: Brand; quote: Quote | undefined }) {
  const t = useWords()
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-3">
        <BrandTile name={brand.name} />
        <p className="wrap-anywhere min-w-0 flex-1 font-semibold text-lg leading-tight">{brand.name}</p>
        {quote && <Money amount={toDecimal(quote.faceValue)} className="font-semibold text-lg" />}
      </div>
      <div className="figures flex flex-wrap justify-between gap-x-4 text-soft text-sm">
        <p>
          {t('cards.terms', {
            rate: percent(brand.rate),
            minimum: toShortDollars(brand.minimum),
            maximum: toShortDollars(brand.maximum),
          })}
        </p>
        {quote && <p>{t('cards.noFees')}</p>}
      </div>
    </div>
  )
}
