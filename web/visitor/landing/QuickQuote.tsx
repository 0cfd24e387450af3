import type { ReactNode } from 'react'
import { brandToSell, type Quote, quote as quoteFor } from '#domain/quote.ts'
import { useRateChange } from '#web/cards/rate-change.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { FieldError } from '#web/kit/Field.tsx'
import { useWords } from '#web/words/words.ts'

interface QuickQuoteProps {
  slug: string
  /** Dollars, as typed. */
  value: string
  children: (quote: Quote | undefined, problem: ReactNode) => ReactNode
}

/** The quote of the calculator on the landing page, by the current terms and the rule of the server. */
export function QuickQuote({ slug, value, children }: QuickQuoteProps) {
  const t = useWords()
  const { brands, isFetched } = useBrands()
  const brand = brandToSell(slug, brands)
  // The next screen notices if the rate is no longer the one shown here.
  useRateChange(brand, isFetched)
  const { quote, problem } = quoteFor(brand, value)
  return children(
    quote,
    value === '' ? (
      <p className="font-semibold">{brand?.name}</p>
    ) : (
      problem && <FieldError>{t(`fields.${problem.code}`, problem.params)}</FieldError>
    ),
  )
}
