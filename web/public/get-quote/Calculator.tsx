import { useState } from 'react'
import type { Brand } from '#domain/brands.ts'
import { toDecimal } from '#domain/money.ts'
import { quote as quoteFor } from '#domain/quote.ts'
import { sellCardPath } from '../../paths.ts'
import { AmountField } from '../../quote/AmountField.tsx'
import { BrandName } from '../../quote/BrandName.tsx'
import { QuoteFigure } from '../../quote/QuoteFigure.tsx'
import { useNavigate } from '../../router/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'

/** The quote as one types, by the same rule that the server quotes by. */
export function Calculator({ brand }: { brand: Brand | undefined }) {
  const navigate = useNavigate()
  const [value, setValue] = useState('')
  const { quote, problem } = quoteFor(brand, value)

  function sell() {
    if (!quote) return
    const { brand, faceValue, pays } = quote
    navigate(sellCardPath({ brand: brand.value, value: toDecimal(faceValue), quote: toDecimal(pays) }))
  }

  return (
    <Panel aria-label="Your quote" className="grid gap-5">
      {brand ? (
        <BrandName brand={brand} />
      ) : (
        <p className="flex min-h-14 items-center text-soft">Choose a brand to see what your card pays.</p>
      )}
      <AmountField
        value={value}
        onChange={setValue}
        brand={brand}
        error={value === '' ? undefined : problem}
      />
      <QuoteFigure quote={quote} />
      <Button size="lg" wide disabled={!quote} onClick={sell}>
        Sell This Card
      </Button>
    </Panel>
  )
}
