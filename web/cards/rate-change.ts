import { useEffect, useState } from 'react'
import type { Brand } from '#domain/brands.ts'
import type { BasisPoints } from '#domain/money.ts'
import { readStored, writeStored } from '#web/kit/store.ts'
import { translate } from '#web/words/words.ts'
import { percent } from './text.ts'

export interface RateChange {
  brand: Brand
  from: BasisPoints
  to: BasisPoints
}

/**
 * Notices when a brand's rate differs from the one the seller was shown. The shown rate is stored for the tab, so that a
 * change is noticed on the next screen, after signing in and after a reload.
 * @param isFetched whether the brand's terms came from the server and not with the page
 * @param isQuoted whether the seller was shown a quote
 */
export function useRateChange(brand: Brand | null | undefined, isFetched: boolean, isQuoted = isFetched) {
  const [, setAccepted] = useState<Brand>()
  const from = brand ? readShownRate(brand.value) : undefined
  useEffect(() => {
    if (brand && (isFetched || isQuoted) && readShownRate(brand.value) === undefined) keepShownRate(brand)
  }, [brand, isFetched, isQuoted])

  return {
    change:
      brand && isFetched && from !== undefined && from !== brand.rate
        ? { brand, from, to: brand.rate }
        : undefined,
    /** Records that the seller has seen the new rate. */
    accept: () => {
      if (!brand) return
      keepShownRate(brand)
      setAccepted(brand)
    },
  }
}

export function rateChangeText({ brand, from, to }: RateChange): string {
  const t = translate()
  return t('cards.rateChanged', { brand: brand.name, before: percent(from), after: percent(to) })
}

const keyOf = (slug: string) => `shown-rate:${slug}`

function readShownRate(slug: string): BasisPoints | undefined {
  const kept = Number(readStored('sessionStorage', keyOf(slug)))
  return Number.isInteger(kept) && kept > 0 ? kept : undefined
}

function keepShownRate({ value, rate }: Brand): void {
  writeStored('sessionStorage', keyOf(value), String(rate))
}
