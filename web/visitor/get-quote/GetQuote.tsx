import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Brand, listedBrand } from '#domain/brands.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { showInView } from '#web/kit/media.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { Link, useLocation } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { BrandList, PopularBrands } from './Brands.tsx'
import { Calculator } from './Calculator.tsx'

export default function GetQuote() {
  const t = useWords()
  const { brands, isFetched } = useBrands()
  const { brand, choose, isNamed } = useBrandChoice(brands)
  const calculator = useRef<HTMLDivElement>(null)

  // On phones the calculator is below the list, so scroll to it.
  function showCalculator() {
    if (matchMedia('(width < 64rem)').matches) showInView(calculator.current)
  }
  function chooseAndShow(chosen: Brand) {
    choose(chosen)
    showCalculator()
  }
  useEffect(() => {
    if (isNamed) showCalculator()
  }, [isNamed])

  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{t('quote.title')}</PageTitle>
      <div className="grid gap-3">
        <Link
          to={paths.home}
          className="inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-accent hover:underline"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {t('quote.home')}
        </Link>
        <PageHeader title={t('quote.title')}>{t('quote.intro')}</PageHeader>
      </div>
      <div className="grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="grid gap-10">
          <PopularBrands brands={brands} chosen={brand ?? undefined} onChoose={chooseAndShow} />
          <BrandList brands={brands} chosen={brand ?? undefined} onChoose={chooseAndShow} />
        </div>
        <div ref={calculator} className="grid scroll-mt-20 gap-6 lg:sticky lg:top-22">
          <Calculator brand={brand} isFetched={isFetched} />
          <NeedHelp />
        </div>
      </div>
    </div>
  )
}

function NeedHelp() {
  const t = useWords()
  return (
    <section aria-labelledby="need-help" className="grid gap-3">
      <h2 id="need-help" className="font-semibold text-lg">
        {t('quote.needHelp.title')}
      </h2>
      <p className="text-soft">{t('quote.needHelp.text')}</p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.contact} variant="secondary" size="sm">
          {t('quote.needHelp.contact')}
        </ButtonLink>
        <ButtonLink to={paths.faq} variant="secondary" size="sm">
          {t('quote.needHelp.faq')}
        </ButtonLink>
      </div>
    </section>
  )
}

const neverChanges = () => () => undefined

/** The chosen brand, or else the one in the address (`?brand=itunes`). Null if the address names an unknown one. */
function useBrandChoice(brands: readonly Brand[]) {
  // The slug, because the server's terms may arrive later.
  const [chosen, setChosen] = useState<string>()
  const named = useNamedBrand()
  const slug = chosen ?? named
  const brand = slug === null ? undefined : (listedBrand(slug, brands) ?? null)
  const choose = ({ value }: Brand) => setChosen(value)
  return { brand, choose, isNamed: named !== null && !chosen }
}

/** The brand in the address. The prerendered page does not know the query, so this is null until hydration. */
function useNamedBrand(): string | null {
  const { search } = useLocation()
  const query = useSyncExternalStore(
    neverChanges,
    () => search,
    () => '',
  )
  return new URLSearchParams(query).get('brand')
}
