import type { FormEvent } from 'react'
import type { Brand } from '#domain/brands.ts'
import type { Quote } from '#domain/quote.ts'
import { AmountField } from '#web/cards/AmountField.tsx'
import { BrandName } from '#web/cards/BrandName.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import { type RateChange, RateChanged } from '#web/cards/RateChange.tsx'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { paths } from '#web/words/paths.ts'
import { HaveReady } from './HaveReady.tsx'

interface QuoteStepProps {
  brand: Brand
  value: string
  onValue: (value: string) => void
  quote: Quote | undefined
  problem: string | undefined
  rateChange: RateChange | undefined
  onContinue: () => void
}

export function QuoteStep({ brand, value, onValue, quote, problem, rateChange, onContinue }: QuoteStepProps) {
  function submit(event: FormEvent) {
    event.preventDefault()
    if (quote) onContinue()
  }
  return (
    <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)] lg:gap-16">
      <Panel aria-label="Your quote">
        <form noValidate onSubmit={submit} className="grid gap-6">
          <BrandName brand={brand} />
          <AmountField value={value} onChange={onValue} brand={brand} error={problem} />
          {rateChange && <RateChanged change={rateChange} quote={quote} />}
          <QuoteFigure quote={quote} />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-between">
            <ButtonLink to={paths.getQuote} variant="secondary" size="lg">
              Back
            </ButtonLink>
            <Button type="submit" size="lg" disabled={!quote}>
              Continue to Submission
            </Button>
          </div>
        </form>
      </Panel>
      <HaveReady brand={brand} />
    </div>
  )
}
