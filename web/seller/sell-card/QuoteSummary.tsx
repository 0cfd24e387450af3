import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { BrandName } from '#web/cards/BrandName.tsx'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'

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
        {only ? (
          <>
            <BrandName brand={only.brand} />
            <QuoteFigure quote={only} />
          </>
        ) : (
          <SeveralQuotes quotes={quotes} />
        )}
        <p className="text-soft text-sm">{t('sellCard.review')}</p>
      </Panel>
      <section aria-label={t('sellCard.yourQuote')} className={quoteLineClass}>
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
          <Money
            amount={total}
            className="font-semibold text-[2rem] text-accent leading-none tracking-tight"
          />
        </p>
      </section>
    </>
  )
}

/** What several cards pay, and their total as the largest text. */
export function SeveralQuotes({ quotes }: { quotes: readonly Quote[] }) {
  const t = useWords()
  return (
    <div className="grid gap-4">
      <output className="grid gap-1">
        <span className="font-medium text-soft">{t('cards.youGet')}</span>
        <Money amount={totalOf(quotes, 'pays')} size="figure" className="text-accent" />
      </output>
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

function totalOf(quotes: readonly Quote[], amount: 'pays' | 'faceValue'): string {
  return toDecimal(quotes.reduce((total, quote) => total + quote[amount], 0))
}

// Sticks below the top bar at full width, so that the form does not show beside it.
const quoteLineClass =
  'sticky top-16 z-20 -mx-4 flex items-center gap-3 border-line border-y bg-surface px-4 py-2 max-lg:order-first md:-mx-8 md:px-8 lg:hidden'
