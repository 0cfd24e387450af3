import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { BrandName } from '#web/cards/BrandName.tsx'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { facts } from '#web/words/facts.ts'

/** What the form is for, in sight while it is filled in: beside it on wide screens, in one line above it on a phone. */
export function QuoteSummary({ quote }: { quote: Quote }) {
  return (
    <>
      <Panel aria-label="Your quote" className="grid gap-5 max-lg:hidden lg:sticky lg:top-22">
        <BrandName brand={quote.brand} />
        <QuoteFigure quote={quote} />
        <p className="text-soft text-sm">
          A review {facts.review}. You are paid as soon as your card is approved.
        </p>
      </Panel>
      <QuoteLine quote={quote} />
    </>
  )
}

// Below the top bar and over the whole width, so that nothing of the form shows beside it.
const line =
  'sticky top-16 z-20 -mx-4 flex items-center gap-3 border-line border-y bg-surface px-4 py-2 max-lg:order-first md:-mx-8 md:px-8 lg:hidden'

function QuoteLine({ quote }: { quote: Quote }) {
  return (
    <section aria-label="Your quote" className={line}>
      <BrandTile name={quote.brand.name} size="sm" />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere line-clamp-2 font-medium text-sm">{quote.brand.name}</p>
        <p className="text-soft text-xs">
          Card value <Money amount={toDecimal(quote.faceValue)} />
        </p>
      </div>
      <p className="grid justify-items-end">
        <span className="text-soft text-xs">You receive</span>
        <Money
          amount={toDecimal(quote.pays)}
          className="font-semibold text-[2rem] text-accent leading-none tracking-tight"
        />
      </p>
    </section>
  )
}
