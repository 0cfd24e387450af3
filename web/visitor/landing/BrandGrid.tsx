import { ArrowRight, Search } from 'lucide-react'
import { Suspense, useState } from 'react'
import { ButtonLink } from '#web/kit/Button.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { BrandRows } from './BrandRows.tsx'
import { samples } from './samples.ts'

const TopBrandResults = lazyComponent(() =>
  import('./TopBrandResults.tsx').then((module) => module.TopBrandResults),
)

/** The brands of the spec, or those that a search finds. Each leads to its quote. */
export function BrandGrid() {
  const t = useWords()
  const [search, setSearch] = useState('')
  const field = useTypedEarly(setSearch, { filters: true })
  const usual = <BrandRows brands={samples} />
  return (
    <section aria-labelledby="brands" className="grid gap-8">
      <div className="grid items-end gap-x-8 gap-y-5 md:grid-cols-[1fr_22rem]">
        <h2 id="brands" className="text-3xl">
          {t('landing.brands.title')}
        </h2>
        <search onFocus={TopBrandResults.prefetch}>
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
          <TopBrandResults search={search.trim()} />
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
