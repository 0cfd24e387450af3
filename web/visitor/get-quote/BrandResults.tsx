import { findBrands, slugOf } from '#domain/brand-search.ts'
import { type Brand, unlistedBrand } from '#domain/brands.ts'
import { CardArt } from '#web/cards/CardArt.tsx'
import { percent } from '#web/cards/text.ts'
import { Button } from '#web/kit/Button.tsx'
import { useWords } from '#web/words/words.ts'
import { type BrandChoice, BrandList } from './BrandList.tsx'

/** What a search finds, or the way to sell a card of a brand that the catalog lacks. */
export function BrandResults({ search, ...choice }: BrandChoice & { search: string }) {
  const t = useWords()
  const found = findBrands(choice.brands, search, ({ category }) => t(`quote.category.${category}`))
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
  const brand = slug && unlistedBrand(slug)
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-line border-dashed px-5 py-10 text-balance text-center">
      <CardArt scene="notFound" className="mb-3 h-24 w-auto" />
      <p className="wrap-anywhere font-semibold text-lg">{t('quote.search.none', { search })}</p>
      {brand && (
        <>
          <p className="text-soft">{t('quote.unlisted.text', { rate: percent(brand.rate) })}</p>
          <Button variant="secondary" className="mt-3" onClick={() => onChoose(brand)}>
            <span className="wrap-anywhere">{t('quote.unlisted.choose', { brand: brand.name })}</span>
          </Button>
        </>
      )}
    </div>
  )
}
