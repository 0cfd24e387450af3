import { Search } from 'lucide-react'
import { memo, Suspense, useState } from 'react'
import type { Brand } from '#domain/brands.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { percent } from '#web/cards/text.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { useWords } from '#web/words/words.ts'
import { type BrandChoice, BrandList } from './BrandList.tsx'

const BrandResults = lazyComponent(() => import('./BrandResults.tsx').then((module) => module.BrandResults))

/** Finds a brand by its name. On wide screens the results take the place of the brands below. */
export function BrandSearch({ search, onSearch, error, ...choice }: BrandSearchProps) {
  const t = useWords()
  const field = useTypedEarly(onSearch)
  return (
    <>
      <search onFocus={BrandResults.prefetch} className="lg:row-start-2">
        <TextField
          ref={field}
          label={t('quote.search.label')}
          type="search"
          placeholder={t('quote.search.example')}
          autoComplete="off"
          prefix={<Search className="size-4" />}
          value={search}
          error={error}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      </search>
      {search.trim() !== '' && (
        <div className={beside}>
          <Suspense
            fallback={
              // A tap would miss, because the results are about to replace the list.
              <div inert>
                <BrandList {...choice} />
              </div>
            }
          >
            <BrandResults search={search.trim()} {...choice} />
          </Suspense>
        </div>
      )}
    </>
  )
}

interface BrandSearchProps extends BrandChoice {
  search: string
  onSearch: (text: string) => void
  error: string | undefined
}

/** On wide screens beside the search and the calculator. */
const beside = 'grid gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-2 lg:gap-10'

/** The popular brands and all brands. Folds when a brand is chosen. */
export const BrandPicker = memo(function BrandPicker({ brands, chosen, onChoose }: BrandChoice) {
  const t = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const isFolded = chosen !== undefined && !isOpen
  const choice = {
    chosen,
    onChoose: (brand: Brand) => {
      setIsOpen(false)
      onChoose(brand)
    },
  }
  return (
    <div className={beside}>
      <div className={cx(isFolded && 'max-lg:hidden')}>
        <PopularBrands brands={brands} {...choice} />
      </div>
      {isFolded ? (
        <Button variant="secondary" className="justify-self-start" onClick={() => setIsOpen(true)}>
          {t('quote.showAll')}
        </Button>
      ) : (
        <BrandList brands={brands} {...choice} />
      )}
    </div>
  )
})

function PopularBrands({ brands, chosen, onChoose }: BrandChoice) {
  const t = useWords()
  return (
    <section aria-labelledby="popular" className="grid gap-4">
      <h2 id="popular" className="font-semibold text-xl">
        {t('quote.popular')}
      </h2>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-5">
        {brands
          .filter((brand) => brand.popular)
          .map((brand) => (
            <li key={brand.value}>
              <button
                type="button"
                aria-pressed={brand.value === chosen?.value}
                onClick={() => onChoose(brand)}
                className={cx(
                  'flex h-full min-h-16 w-full flex-wrap items-center gap-2 rounded-md border p-2 text-left transition-colors sm:grid sm:grid-cols-[auto_1fr] sm:content-start sm:gap-y-3 sm:p-2.5',
                  brand.value === chosen?.value
                    ? 'border-accent bg-accent-quiet outline outline-accent'
                    : 'border-line bg-surface hover:border-control',
                )}
              >
                <BrandTile name={brand.name} />
                <span className="grid min-w-0 flex-1 basis-12 gap-0.5 sm:contents">
                  <span className="wrap-anywhere font-medium leading-tight sm:order-last sm:col-span-2">
                    {brand.name}
                  </span>
                  <span className="figures text-soft text-sm sm:text-right">{percent(brand.rate)}</span>
                </span>
              </button>
            </li>
          ))}
      </ul>
    </section>
  )
}
