import { Search } from 'lucide-react'
import { memo, Suspense, useId, useMemo, useState } from 'react'
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
  const field = useTypedEarly(onSearch, { filters: true })
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
const beside = 'grid grid-cols-1 gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-2 lg:gap-10'

/** Ten times as fast as localeCompare, which phones notice. */
const collator = new Intl.Collator('en')

/** The popular brands beside the calculator on wide screens, and all brands by name: folded on phones and when a brand is chosen. */
export const BrandPicker = memo(function BrandPicker({ brands, chosen, onChoose }: BrandChoice) {
  const t = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const isFolded = chosen !== undefined && !isOpen
  const byName = useMemo(() => brands.toSorted((a, b) => collator.compare(a.name, b.name)), [brands])
  const choice = {
    chosen,
    onChoose: (brand: Brand) => {
      setIsOpen(false)
      onChoose(brand)
    },
  }
  return (
    <div className={beside}>
      <PopularBrands brands={brands} {...choice} className="max-lg:hidden" />
      {!isOpen && (
        <Button
          variant="secondary"
          className={cx('sm:justify-self-start', !isFolded && 'lg:hidden')}
          onClick={() => setIsOpen(true)}
        >
          {t('quote.showAll')}
        </Button>
      )}
      {!isFolded && (
        <BrandList brands={byName} byLetter {...choice} className={cx(!isOpen && 'max-lg:hidden')} />
      )}
    </div>
  )
})

export function PopularBrands({ brands, chosen, onChoose, className }: BrandChoice & { className: string }) {
  const t = useWords()
  const id = useId()
  return (
    <section aria-labelledby={id} className={cx('grid grid-cols-1 gap-4 max-sm:gap-2', className)}>
      <h2 id={id} className="font-semibold text-xl max-sm:text-base">
        {t('quote.popular')}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-2 sm:grid-cols-5">
        {brands
          .filter((brand) => brand.popular)
          .map((brand) => (
            <li key={brand.value}>
              <button
                type="button"
                aria-pressed={brand.value === chosen?.value}
                onClick={() => onChoose(brand)}
                className={cx(
                  'flex h-full w-full items-center gap-2 rounded-md border p-1.5 text-left transition-colors sm:grid sm:min-h-16 sm:grid-cols-[auto_1fr] sm:content-start sm:gap-y-3 sm:p-2.5',
                  brand.value === chosen?.value
                    ? 'border-accent bg-accent-quiet outline outline-accent'
                    : 'border-line bg-surface hover:border-control',
                )}
              >
                <BrandTile name={brand.name} />
                <span className="grid min-w-0 flex-1 gap-0.5 sm:contents">
                  <span className="wrap-anywhere font-medium leading-tight max-sm:text-sm sm:order-last sm:col-span-2">
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
