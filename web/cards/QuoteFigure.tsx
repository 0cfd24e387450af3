import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { Money } from '#web/kit/Money.tsx'
import { useWords } from '#web/words/words.ts'
import { AmountCard } from './AmountCard.tsx'
import { percent } from './text.ts'

/** What the seller gets, as the largest text on the screen, on the card it is for. */
export function QuoteFigure({ quote }: { quote: Quote | undefined }) {
  const t = useWords()
  return (
    <AmountCard
      amount={toDecimal(quote?.pays ?? 0)}
      label={t('cards.youGet')}
      share={quote && quote.rate / 100}
    >
      {quote && (
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 text-sm">
          <dt className="wrap-anywhere font-semibold text-base">{quote.brand.name}</dt>
          <dd className="text-right font-semibold text-base">
            <Money amount={toDecimal(quote.faceValue)} />
          </dd>
          <Part name={t('cards.ourRate')}>{percent(quote.rate)}</Part>
          <Part name={t('cards.fees')}>{t('cards.noFees')}</Part>
        </dl>
      )}
    </AmountCard>
  )
}

function Part({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="figures text-right">{children}</dd>
    </>
  )
}
