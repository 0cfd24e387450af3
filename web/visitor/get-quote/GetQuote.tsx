import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Brand, listedBrand } from '#domain/brands.ts'
import { brandToSell } from '#domain/quote.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { showInView } from '#web/kit/media.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { Link, useLocation } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { BrandPicker } from './BrandPicker.tsx'
import { Calculator } from './Calculator.tsx'

export default function GetQuote() {
  const t = useWords()
  const { brands, isFetched, honoredUntil } = useBrands()
  const { brand, choose, isNamed } = useBrandChoice(brands)
  const [picks, setPicks] = useState(0)
  const calculator = useRef<HTMLDivElement>(null)

  function pick(chosen: Brand) {
    choose(chosen)
    setPicks(picks + 1)
    calculator.current?.querySelector<HTMLInputElement>('[name=value]')?.focus({ preventScroll: true })
  }
  // On phones the calculator is below the list. The list folds first.
  useEffect(() => {
    if ((isNamed || picks > 0) && matchMedia('(width < 64rem)').matches) showInView(calculator.current)
  }, [isNamed, picks])

  return (
    <div className="measure grid grid-cols-1 items-start gap-x-10 gap-y-8 py-8 md:py-12 lg:grid-cols-[minmax(0,1fr)_25rem]">
      <PageTitle>{t('quote.title')}</PageTitle>
      <div className="grid gap-8">
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
        <BrandPicker brands={brands} chosen={brand ?? undefined} onChoose={pick} />
      </div>
      <div ref={calculator} className="scroll-mt-20 lg:sticky lg:top-22 lg:row-span-2">
        <Calculator brand={brand} isFetched={isFetched} honoredUntil={honoredUntil} />
      </div>
      <NeedHelp />
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

/**
 * The chosen brand, listed or not, or else the one in the address (`?brand=itunes`). Null if the address names one that is not
 * listed.
 */
function useBrandChoice(brands: readonly Brand[]) {
  // The slug, because the server's terms may arrive later.
  const [chosen, setChosen] = useState<string>()
  const named = useNamedBrand()
  const brand = chosen
    ? brandToSell(chosen, brands)
    : named === null
      ? undefined
      : (listedBrand(named, brands) ?? null)
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
