import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { AmountCard } from '#web/cards/AmountCard.tsx'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { priceOf, type QuotedEntry } from './sale-entry.ts'
import './quote-line.css'

/** Keeps the amount visible during the form: beside it on wide screens, in one line above it on phones. */
export function QuoteSummary({ entries }: { entries: readonly QuotedEntry[] }) {
  const t = useWords()
  const [first, ...others] = entries
  if (!first) return null
  const only = others.length === 0 ? first.quote.brand : undefined
  const prices = entries.flatMap((entry) => priceOf(entry) ?? [])
  const isPriced = prices.length > 0
  return (
    <>
      <Panel aria-label={t('sellCard.yourQuote')} className="grid gap-5 max-lg:hidden lg:sticky lg:top-22">
        {only ? (
          <QuoteFigure brand={only} quote={prices[0]} />
        ) : (
          <SeveralQuotes entries={entries} prices={prices} />
        )}
        <p className="text-soft text-sm">{t('sellCard.review')}</p>
      </Panel>
      <section aria-label={t('sellCard.yourQuote')} data-quote-line className={quoteLineClass}>
        {only && <BrandTile name={only.name} size="sm" />}
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere line-clamp-2 font-medium text-sm">
            {only?.name ?? t('sellCard.sale.cards', { count: entries.length })}
          </p>
          {isPriced && (
            <p className="text-soft text-xs">
              <Rich
                id="sellCard.cardValue"
                values={{ amount: totalOf(prices, 'faceValue') }}
                tags={{ amount: (text) => <Money amount={text} /> }}
              />
            </p>
          )}
        </div>
        <p className="grid justify-items-end">
          <span className="text-soft text-xs">{t('sellCard.youReceive')}</span>
          <Money
            amount={totalOf(prices, 'pays')}
            size="xl"
            gold={isPriced}
            className={cx(!isPriced && 'text-soft')}
          />
        </p>
      </section>
    </>
  )
}

/** What several cards pay, and their total as the largest text. */
function SeveralQuotes({ entries, prices }: { entries: readonly QuotedEntry[]; prices: readonly Quote[] }) {
  return (
    <div className="grid gap-4">
      <TotalFigure quotes={prices} count={entries.length} />
      <Ledger className="border-line border-y text-sm">
        {entries.map((entry) => (
          <LedgerRow key={entry.name} name={entry.quote.brand.name}>
            <Money amount={toDecimal(priceOf(entry)?.pays ?? 0)} />
          </LedgerRow>
        ))}
      </Ledger>
    </div>
  )
}

/** What several cards pay together. The block is as wide as their average rate. */
export function TotalFigure({ quotes, count = quotes.length }: { quotes: readonly Quote[]; count?: number }) {
  const t = useWords()
  const [pays, faceValue] = [totalOf(quotes, 'pays'), totalOf(quotes, 'faceValue')]
  return (
    <AmountCard
      amount={pays}
      label={t('cards.youGet')}
      share={quotes.length > 0 ? (100 * Number(pays)) / Number(faceValue) : undefined}
    >
      <p className="flex items-baseline justify-between gap-4 font-semibold text-lg">
        {t('sellCard.sale.cards', { count })}
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
