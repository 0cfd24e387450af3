import { findBrands, slugOf } from '#domain/brand-search.ts'
import { type Brand, unlistedBrand } from '#domain/brands.ts'
import { Button } from '#web/kit/Button.tsx'
import { useWords } from '#web/words/words.ts'
import { type BrandChoice, BrandList } from './BrandList.tsx'

/** What a search finds, or the way to sell a card of a brand that the catalog lacks. */
export function FoundBrands({ search, ...choice }: BrandChoice & { search: string }) {
  const t = useWords()
  const found = findBrands(choice.brands, search)
  return (
    <>
      <p role="status" className="sr-only">
        {t('quote.search.found', { found: found.length, total: choice.brands.length })}
      </p>
      {found.length > 0 ? (
        <BrandList {...choice} brands={found} />
      ) : (
        <UnlistedBrand search={search} onChoose={choice.onChoose} />
      )}
    </>
  )
}

function UnlistedBrand({ search, onChoose }: { search: string; onChoose: (brand: Brand) => void }) {
  const t = useWords()
  const slug = slugOf(search)
  return (
    <div className="grid justify-items-center gap-4 py-8 text-center">
      <p className="wrap-anywhere text-soft">{t('quote.search.none', { search })}</p>
      {slug && (
        <>
          <p className="text-soft">{t('quote.unlisted.text')}</p>
          <Button variant="secondary" onClick={() => onChoose(unlistedBrand(slug))}>
            <span className="wrap-anywhere">
              {t('quote.unlisted.choose', { brand: unlistedBrand(slug).name })}
            </span>
          </Button>
        </>
      )}
    </div>
  )
}
