import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { AmountCard } from '#web/cards/AmountCard.tsx'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import './quote-line.css'

/** Keeps the amount visible during the form: beside it on wide screens, in one line above it on phones. */
export function QuoteSummary({ quotes }: { quotes: readonly Quote[] }) {
  const t = useWords()
  const [first, ...others] = quotes
  if (!first) return null
  const only = others.length === 0 ? first : undefined
  const total = totalOf(quotes, 'pays')
  return (
    <>
      <Panel aria-label={t('sellCard.yourQuote')} className="grid gap-5 max-lg:hidden lg:sticky lg:top-22">
        {only ? <QuoteFigure brand={only.brand} quote={only} /> : <SeveralQuotes quotes={quotes} />}
        <p className="text-soft text-sm">{t('sellCard.review')}</p>
      </Panel>
      <section aria-label={t('sellCard.yourQuote')} data-quote-line className={quoteLineClass}>
        {only && <BrandTile name={only.brand.name} size="sm" />}
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere line-clamp-2 font-medium text-sm">
            {only ? only.brand.name : t('sellCard.sale.cards', { count: quotes.length })}
          </p>
          <p className="text-soft text-xs">
            <Rich
              id="sellCard.cardValue"
              values={{ amount: totalOf(quotes, 'faceValue') }}
              tags={{ amount: (text) => <Money amount={text} /> }}
            />
          </p>
        </div>
        <p className="grid justify-items-end">
          <span className="text-soft text-xs">{t('sellCard.youReceive')}</span>
          <Money amount={total} size="xl" gold />
        </p>
      </section>
    </>
  )
}

/** What several cards pay, and their total as the largest text. */
function SeveralQuotes({ quotes }: { quotes: readonly Quote[] }) {
  return (
    <div className="grid gap-4">
      <TotalFigure quotes={quotes} />
      <Ledger className="border-line border-y text-sm">
        {quotes.map(({ brand, pays }, index) => (
          <LedgerRow key={index} name={brand.name}>
            <Money amount={toDecimal(pays)} />
          </LedgerRow>
        ))}
      </Ledger>
    </div>
  )
}

/** What several cards pay together. The block is as wide as their average rate. */
export function TotalFigure({ quotes }: { quotes: readonly Quote[] }) {
  const t = useWords()
  const [pays, faceValue] = [totalOf(quotes, 'pays'), totalOf(quotes, 'faceValue')]
  return (
    <AmountCard
      amount={pays}
      label={t('cards.youGet')}
      share={quotes.length > 0 ? (100 * Number(pays)) / Number(faceValue) : undefined}
    >
      <p className="flex items-baseline justify-between gap-4 font-semibold text-lg">
        {t('sellCard.sale.cards', { count: quotes.length })}
        <Money amount={faceValue} />
      </p>
      <p className="text-right text-soft text-sm">{t('cards.noFees')}</p>
    </AmountCard>
  )
}

function totalOf(quotes: readonly Quote[], amount: 'pays' | 'faceValue'): string {
  return toDecimal(quotes.reduce((total, quote) => total + quote[amount], 0))
}

// Sticks below the top bar at full width, so that the form does not show beside it.
const quoteLineClass =
  'sticky top-16 z-20 -mx-4 flex items-center gap-3 border-line border-y bg-surface px-4 py-2 max-lg:order-first md:-mx-8 md:px-8 lg:hidden'
