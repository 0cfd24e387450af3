import { Check, Search } from 'lucide-react'
import { useState } from 'react'
import type { Brand } from '#domain/brands.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { percent } from '#web/cards/text.ts'
import { cx } from '#web/kit/cx.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { useWords } from '#web/words/words.ts'

interface BrandChoice {
  brands: readonly Brand[]
  chosen: Brand | undefined
  onChoose: (brand: Brand) => void
}

export function PopularBrands({ brands, chosen, onChoose }: BrandChoice) {
  const t = useWords()
  return (
    <section aria-labelledby="popular" className="grid gap-4">
      <h2 id="popular" className="font-semibold text-xl">
        {t('quote.popular')}
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
                  <span className="wrap-anywhere font-medium leading-tight">{brand.name}</span>
                  <span className="figures text-soft text-sm">{percent(brand.rate)}</span>
                </span>
              </button>
            </li>
          ))}
      </ul>
    </section>
  )
}

export function BrandList({ brands, chosen, onChoose }: BrandChoice) {
  const t = useWords()
  const [search, setSearch] = useState('')
  const field = useTypedEarly(setSearch)
  const wanted = search.trim().toLowerCase()
  const found = brands.filter((brand) => brand.name.toLowerCase().includes(wanted))
  return (
    <section aria-labelledby="all-brands" className="grid gap-4">
      <h2 id="all-brands" className="font-semibold text-xl">
        {t('quote.all')}
      </h2>
      <TextField
        ref={field}
        label={t('quote.search.label')}
        type="search"
        placeholder={t('quote.search.example')}
        autoComplete="off"
        prefix={<Search className="size-4" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p role="status" className="sr-only">
        {t('quote.search.found', { found: found.length, total: brands.length })}
      </p>
      {found.length === 0 ? (
        <p className="py-8 text-center text-soft">{t('quote.search.none', { search: search.trim() })}</p>
      ) : (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line bg-surface lg:max-h-[34rem]">
          {found.map((brand) => (
            <li key={brand.value}>
              <BrandRow brand={brand} chosen={brand.value === chosen?.value} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function BrandRow({ brand, chosen, onChoose }: BrandRowProps) {
  const t = useWords()
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={() => onChoose(brand)}
      className={cx(
        'flex min-h-14 w-full items-center gap-3 px-3 py-2 text-left focus-visible:-outline-offset-2',
        chosen ? 'bg-accent-quiet' : 'hover:bg-sunken',
      )}
    >
      <BrandTile name={brand.name} size="sm" />
      <span className="grid min-w-0 flex-1">
        <span className="wrap-anywhere font-medium">{brand.name}</span>
        <span className="text-soft text-xs">{t(`quote.category.${brand.category}`)}</span>
      </span>
      {chosen && <Check aria-hidden="true" className="size-5 text-accent" />}
      <span className="figures font-semibold">{percent(brand.rate)}</span>
    </button>
  )
}

interface BrandRowProps {
  brand: Brand
  chosen: boolean
  onChoose: (brand: Brand) => void
}
