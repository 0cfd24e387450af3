import { useState, useSyncExternalStore } from 'react'
import { type Brand, listedBrand } from '#domain/brands.ts'
import { useLocation } from '#web/kit/router/index.ts'

const neverChanges = () => () => undefined

/**
 * The brand of the quote: the one that was chosen, else the one that the address names (`?brand=itunes`).
 * Null when the address names none that we have.
 */
export function useBrandChoice(brands: readonly Brand[]) {
  // By its slug: the terms of the server may still be on their way.
  const [chosen, setChosen] = useState<string>()
  const named = useNamedBrand()
  const slug = chosen ?? named
  const brand = slug === null ? undefined : (listedBrand(slug, brands) ?? null)
  const choose = ({ value }: Brand) => setChosen(value)
  return { brand, choose, isNamed: named !== null && !chosen }
}

/** The prerendered page knows no query; what the address says is there with the second rendering. */
function useNamedBrand(): string | null {
  const { search } = useLocation()
  const query = useSyncExternalStore(
    neverChanges,
    () => search,
    () => '',
  )
  return new URLSearchParams(query).get('brand')
}
