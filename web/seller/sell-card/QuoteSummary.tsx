import type { Quote } from '#domain/quote.ts'
import { BrandName } from '../../quote/BrandName.tsx'
import { QuoteFigure } from '../../quote/QuoteFigure.tsx'
import { Panel } from '../../ui/Panel.tsx'

/** What the form is for, in sight while it is filled in: beside it on wide screens, above it on a phone. */
export function QuoteSummary({ quote }: { quote: Quote }) {
  return (
    <Panel
      aria-label="Your quote"
      className="grid gap-5 max-lg:order-first max-lg:[&_dl]:hidden lg:sticky lg:top-22"
    >
      <BrandName brand={quote.brand} />
      <QuoteFigure quote={quote} />
      <p className="text-soft text-sm max-lg:hidden">
        Review usually takes 1-3 hours. You are paid as soon as your card is approved.
      </p>
    </Panel>
  )
}
