import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { AmountCard } from '#web/cards/AmountCard.tsx'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { HeldUntil } from '#web/cards/HeldUntil.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { priceOf, type QuotedEntry } from './sale-entry.ts'
import './quote-line.css'

/**
 * Keeps the amount visible during the form: beside it on wide screens, in one line above it on phones.
 * @param entries what the button submits
 */
export function QuoteSummary({ entries, total, sent, unready }: QuoteSummaryProps) {
  const t = useWords()
  const [first] = entries
  if (!first) return null
  const only = total === 1 ? first.quote.brand : undefined
  const isPart = entries.length < total
  const title = isPart
    ? t('sellCard.sale.some', { count: entries.length, total })
    : t('sellCard.sale.cards', { count: total })
  const others = [
    sent > 0 && t('sellCard.sale.sent', { count: sent }),
    unready > 0 && t('sellCard.sale.unready', { count: unready }),
  ]
  const rest = isPart ? others.filter(Boolean).join(' · ') : ''
  const prices = entries.flatMap((entry) => priceOf(entry) ?? [])
  const isPriced = prices.length > 0
  return (
    <>
      <Panel aria-label={t('sellCard.yourQuote')} className="grid gap-5 max-lg:hidden lg:sticky lg:top-22">
        {only ? (
          <QuoteFigure brand={only} quote={prices[0]} />
        ) : (
          <SeveralQuotes entries={entries} prices={prices} title={title} rest={rest} />
        )}
        {!entries.some(({ rateChange }) => rateChange) && <HeldUntil count={entries.length} />}
        <p className="text-soft text-sm">{t('sellCard.review')}</p>
      </Panel>
      <section aria-label={t('sellCard.yourQuote')} data-quote-line className={quoteLineClass}>
        {only && <BrandTile name={only.name} size="sm" />}
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere line-clamp-2 font-medium text-sm">{only?.name ?? title}</p>
          {rest && <p className="text-soft text-xs">{rest}</p>}
          {isPriced && !rest && (
            <p className="text-soft text-xs">
              <Rich
                id={only ? 'sellCard.cardValue' : 'sellCard.sale.value'}
                values={{ amount: totalOf(prices, 'faceValue') }}
                tags={{ amount: (text) => <Money amount={text} /> }}
              />
            </p>
          )}
        </div>
        <p className="grid justify-items-end">
          <span className="text-soft text-xs">{t('sellCard.youReceive')}</span>
          {isPriced ? (
            <Money amount={totalOf(prices, 'pays')} size="xl" gold />
          ) : (
            <span className="font-semibold text-2xl text-soft">–</span>
          )}
        </p>
      </section>
    </>
  )
}

interface QuoteSummaryProps {
  entries: readonly QuotedEntry[]
  /** The cards of the sale. */
  total: number
  /** How many of them were submitted before. */
  sent: number
  /** How many of them are not filled in. */
  unready: number
}

/** What several cards pay, and their total as the largest text. */
function SeveralQuotes({ entries, prices, title, rest }: SeveralQuotesProps) {
  return (
    <div className="grid gap-4">
      <TotalFigure quotes={prices} title={title} />
      {rest && <p className="text-soft text-sm">{rest}</p>}
      <Ledger className="border-line border-y text-sm">
        {entries.map((entry) => {
          const price = priceOf(entry)
          return (
            <LedgerRow key={entry.name} name={entry.quote.brand.name}>
              {price ? <Money amount={toDecimal(price.pays)} /> : '–'}
            </LedgerRow>
          )
        })}
      </Ledger>
    </div>
  )
}

interface SeveralQuotesProps {
  entries: readonly QuotedEntry[]
  prices: readonly Quote[]
  /** "1 of 3 cards" */
  title: string
  /** What happens to the other cards. */
  rest: string
}

/** What several cards pay together. The block is as wide as their average rate. */
export function TotalFigure({ quotes, title }: { quotes: readonly Quote[]; title: string }) {
  const t = useWords()
  const [pays, faceValue] = [totalOf(quotes, 'pays'), totalOf(quotes, 'faceValue')]
  const isPriced = quotes.length > 0
  return (
    <AmountCard
      amount={isPriced ? pays : undefined}
      label={t('cards.youGet')}
      share={isPriced ? (100 * Number(pays)) / Number(faceValue) : undefined}
    >
      <p className="flex items-baseline justify-between gap-4 font-semibold text-lg">
        {title}
        {isPriced && <Money amount={faceValue} />}
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
