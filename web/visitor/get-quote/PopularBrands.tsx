import type { Brand } from '#domain/brands.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { percent } from '#web/cards/text.ts'
import { cx } from '#web/kit/cx.ts'
import { getQuoteCopy } from '#web/words/get-quote.ts'

export interface BrandChoice {
  brands: readonly Brand[]
  chosen: Brand | undefined
  onChoose: (brand: Brand) => void
}

export function PopularBrands({ brands, chosen, onChoose }: BrandChoice) {
  return (
    <section aria-labelledby="popular" className="grid gap-4">
      <h2 id="popular" className="font-semibold text-xl">
        {getQuoteCopy.popular}
      </h2>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-5 sm:gap-3">
        {brands
          .filter((brand) => brand.popular)
          .map((brand) => (
            <li key={brand.value}>
              <button
                type="button"
                aria-pressed={brand.value === chosen?.value}
                onClick={() => onChoose(brand)}
                className={cx(
                  'flex h-full min-h-16 w-full items-center gap-3 rounded-md border p-2.5 text-left transition-colors sm:flex-col sm:items-start sm:p-3.5',
                  brand.value === chosen?.value
                    ? 'border-accent bg-accent-quiet outline outline-accent'
                    : 'border-line bg-surface hover:border-control',
                )}
              >
                <BrandTile name={brand.name} />
                <span className="grid min-w-0 flex-1 content-between gap-0.5">
                  <span className="font-medium leading-tight">{brand.name}</span>
                  <span className="figures text-soft text-sm">{percent(brand.rate)}</span>
                </span>
              </button>
            </li>
          ))}
      </ul>
    </section>
  )
}
