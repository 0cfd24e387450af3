import { type ReactNode, Suspense } from 'react'
import type { Brand } from '#domain/brands.ts'
import type { QuoteResult } from '#domain/quote.ts'
import { AmountField } from '#web/cards/AmountField.tsx'
import { HeldUntil } from '#web/cards/HeldUntil.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import type { RateChange } from '#web/cards/rate-change.ts'
import { FieldError } from '#web/kit/Field.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Panel } from '#web/kit/Panel.tsx'
import { useWords } from '#web/words/words.ts'

const RateChanged = lazyComponent(() =>
  import('#web/cards/RateChanged.tsx').then((module) => module.RateChanged),
)

/** Shows the quote while the seller types, computed by the same rule as on the server. */
export function Calculator({
  brand,
  isSearching,
  value,
  onChange,
  result,
  change,
  onChooseBrand,
  children,
}: CalculatorProps) {
  const t = useWords()
  const { quote, problem } = result
  return (
    <Panel aria-label={t('quote.calculator.label')} className="grid gap-5">
      <AmountField
        value={value}
        onChange={onChange}
        brand={brand ?? undefined}
        // The card reports an unknown brand, and the search a missing one. While another brand is searched, the limits of
        // this one do not matter.
        problem={value === '' || !brand || isSearching ? undefined : problem}
      />
      <Suspense>{change && <RateChanged change={change} quote={quote} />}</Suspense>
      {brand ? (
        <QuoteFigure brand={brand} quote={quote} />
      ) : (
        <output className="grid rounded-lg border border-control border-dashed px-4 py-1 md:py-2">
          {brand === null ? (
            <FieldError>{t('fields.brand_invalid')}</FieldError>
          ) : (
            <button
              type="button"
              onClick={onChooseBrand}
              className="min-h-11 text-balance text-left text-accent underline underline-offset-4 hover:decoration-2"
            >
              {t('quote.calculator.choose')}
            </button>
          )}
        </output>
      )}
      {children}
      {quote && <HeldUntil />}
    </Panel>
  )
}

interface CalculatorProps {
  /** Null if the address names a brand that we do not buy. */
  brand: Brand | null | undefined
  isSearching: boolean
  value: string
  onChange: (value: string) => void
  result: QuoteResult
  change: RateChange | undefined
  onChooseBrand: () => void
  /** Buttons. */
  children: ReactNode
}
