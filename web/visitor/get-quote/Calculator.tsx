import { useState } from 'react'
import type { Brand } from '#domain/brands.ts'
import { toDecimal } from '#domain/money.ts'
import { quote as quoteFor } from '#domain/quote.ts'
import { AmountField } from '#web/cards/AmountField.tsx'
import { BrandName } from '#web/cards/BrandName.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import { RateChanged, useRateChange } from '#web/cards/RateChange.tsx'
import { Button } from '#web/kit/Button.tsx'
import { FieldError } from '#web/kit/Field.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { pathTo } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'

/** Shows the quote while the seller types, computed by the same rule as on the server. */
export function Calculator({ brand, isFetched, honoredUntil }: CalculatorProps) {
  const t = useWords()
  const navigate = useNavigate()
  const [value, setValue] = useState('')
  const { quote, problem } = quoteFor(brand, value)
  const rate = useRateChange(brand, isFetched, value !== '')

  function sell() {
    if (!quote) return
    rate.accept()
    const { brand, faceValue, pays } = quote
    navigate(pathTo('sellCard', { brand: brand.value, value: toDecimal(faceValue), quote: toDecimal(pays) }))
  }

  return (
    <Panel aria-label={t('quote.calculator.label')} className="grid gap-5">
      <ChosenBrand brand={brand} />
      <AmountField
        value={value}
        onChange={setValue}
        brand={brand ?? undefined}
        // ChosenBrand reports an unknown brand.
        problem={value === '' || brand === null ? undefined : problem}
      />
      {rate.change && <RateChanged change={rate.change} quote={quote} />}
      <QuoteFigure quote={quote} />
      {quote && honoredUntil && (
        <p className="text-soft text-sm">
          <Rich
            id="quote.calculator.heldUntil"
            tags={{ time: () => <Time at={honoredUntil.toISOString()} as="time" /> }}
          />
        </p>
      )}
      <Button size="lg" wide disabled={!quote} onClick={sell}>
        {t('quote.calculator.sell')}
      </Button>
    </Panel>
  )
}

interface CalculatorProps {
  /** Null if the address names a brand that we do not buy. */
  brand: Brand | null | undefined
  /** Whether the brand's terms come from the server. */
  isFetched: boolean
  /** Until when the quote is honored. */
  honoredUntil: Date | undefined
}

function ChosenBrand({ brand }: { brand: Brand | null | undefined }) {
  const t = useWords()
  if (brand) return <BrandName brand={brand} />
  return (
    <div className="flex min-h-14 items-center">
      {brand === null ? (
        <FieldError>{t('fields.brand_invalid')}</FieldError>
      ) : (
        <p className="text-soft">{t('quote.calculator.choose')}</p>
      )}
    </div>
  )
}
