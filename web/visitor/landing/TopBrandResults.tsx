import { findBrands } from '#domain/brand-search.ts'
import { unlistedBrand } from '#domain/brands.ts'
import { percent } from '#web/cards/text.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { useWords } from '#web/words/words.ts'
import { BrandRows } from './BrandRows.tsx'

/** As many as the grid shows without a search. */
const MAX_SHOWN = 6

/** The first brands that a search finds, by the forgiving search of /get-quote. */
export function TopBrandResults({ search }: { search: string }) {
  const t = useWords()
  const { brands } = useBrands()
  const found = findBrands(brands, search, ({ category }) => t(`quote.category.${category}`))
  return (
    // As high as the two rows without a search, so that what follows does not move.
    <div className="grid content-start gap-1 lg:min-h-35">
      <p role="status" className={found.length > 0 ? 'sr-only' : 'wrap-anywhere font-semibold text-lg'}>
        {found.length > 0
          ? t('quote.search.found', { found: found.length, total: brands.length })
          : t('quote.search.none', { search })}
      </p>
      {found.length === 0 && (
        <p className="text-soft">{t('quote.unlisted.text', { rate: percent(unlistedBrand('').rate) })}</p>
      )}
      <BrandRows
        brands={found
          .slice(0, MAX_SHOWN)
          .map(({ name, value, rate }) => ({ name, slug: value, rate: percent(rate) }))}
      />
    </div>
  )
}
