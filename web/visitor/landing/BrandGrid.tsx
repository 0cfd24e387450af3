import { ArrowRight, ChevronRight, Search } from 'lucide-react'
import { Suspense, useState } from 'react'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Link } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { useWords, withWords } from '#web/words/words.ts'
import { samples } from './samples.ts'

const FoundBrands = lazyComponent(() =>
  withWords(['cards', 'landing', 'quote'], import('./FoundBrands.tsx')).then((module) => module.FoundBrands),
)

/** The brands of the spec, or those that a search finds. Each leads to its quote. */
export function BrandGrid() {
  const t = useWords()
  const [search, setSearch] = useState('')
  const field = useTypedEarly(setSearch)
  const usual = <BrandRows brands={samples} />
  return (
    <section aria-labelledby="brands" className="grid gap-8">
      <div className="grid items-end gap-x-8 gap-y-5 md:grid-cols-[1fr_22rem]">
        <h2 id="brands" className="text-3xl">
          {t('landing.brands.title')}
        </h2>
        <search onFocus={FoundBrands.prefetch}>
          <TextField
            ref={field}
            label={t('landing.brands.search')}
            type="search"
            placeholder={t('landing.brands.example')}
            autoComplete="off"
            prefix={<Search className="size-4" />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </search>
      </div>
      {search.trim() ? (
        <Suspense fallback={usual}>
          <FoundBrands search={search.trim()} />
        </Suspense>
      ) : (
        usual
      )}
      <ButtonLink to={paths.getQuote} variant="secondary" className="sm:justify-self-start">
        {t('landing.brands.all')}
        <ArrowRight aria-hidden="true" className="size-4" />
      </ButtonLink>
    </section>
  )
}

interface BrandRow {
  name: string
  slug: string
  rate: string
}

export function BrandRows({ brands }: { brands: readonly BrandRow[] }) {
  return (
    <ul className="grid grid-cols-1 sm:grid-cols-2 sm:gap-x-10 lg:grid-cols-3">
      {brands.map(({ name, slug, rate }) => (
        <li
          key={slug}
          // The first row, which has one, two or three items, also has a line above it.
          className="border-line border-b first:border-t sm:nth-[-n+2]:border-t lg:nth-[-n+3]:border-t"
        >
          <Link to={pathTo('getQuote', { brand: slug })} className="group flex items-center gap-4 py-4">
            <BrandTile name={name} />
            <span className="flex-1 font-medium text-lg group-hover:text-accent group-hover:underline">
              {name}
            </span>
            <span className="figures font-semibold text-xl">{rate}</span>
            <ChevronRight aria-hidden="true" className="-ml-2 size-5 text-soft" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
