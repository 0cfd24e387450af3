import { ArrowLeft } from 'lucide-react'
import {
  type FormEvent,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import { type Brand, listedBrand } from '#domain/brands.ts'
import { toDecimal, toShortDollars } from '#domain/money.ts'
import { brandToSell, type Quote, quote as quoteFor } from '#domain/quote.ts'
import { MAX_SALE_CARDS } from '#domain/submission-form.ts'
import { useRateChange } from '#web/cards/rate-change.ts'
import { addToSale, type SaleList, useSaleList } from '#web/cards/sale-list.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { showInView } from '#web/kit/media.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { Link, useLocation, useNavigate } from '#web/kit/router/index.ts'
import { useSession } from '#web/wire/session.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { BrandPicker, BrandSearch, PopularBrands } from './BrandPicker.tsx'
import { Calculator } from './Calculator.tsx'

const ListedCards = lazyComponent(() => import('./ListedCards.tsx').then((module) => module.ListedCards))
const SaleBar = lazyComponent(() => import('./ListedCards.tsx').then((module) => module.SaleBar))

export default function GetQuote() {
  const t = useWords()
  const navigate = useNavigate()
  const session = useSession()
  const { brands, isFetched } = useBrands()
  const { brand, value, change, isNamed } = useCard(brands)
  const result = quoteFor(brand, value)
  const { quote } = result
  const rate = useRateChange(brand, isFetched, value !== '')
  const list = useOpenSale()
  const isFull = list !== undefined && list.cards.length >= MAX_SALE_CARDS
  /** Not while the calculator has an amount that needs a brand or a correction. */
  const isReady = isFull || value === '' || quote !== undefined
  const [picks, setPicks] = useState(0)
  const [search, setSearch] = useState('')
  const [isBrandMissed, setBrandMissed] = useState(false)
  const isSearching = search.trim() !== ''
  /** On phones the amount follows the brand, and makes room for the search for another one. */
  const isHidden = isSearching || (brand === undefined && value === '')
  const form = useRef<HTMLFormElement>(null)
  const calculator = useRef<HTMLDivElement>(null)

  // Always the same function, so that typing an amount does not render the list of brands again.
  const pick = useCallback(
    (chosen: Brand) => {
      // Before focusing, because the amount is hidden on phones until a brand is chosen.
      flushSync(() => {
        change({ slug: chosen.value })
        setSearch('')
        setBrandMissed(false)
        setPicks((before) => before + 1)
      })
      calculator.current?.querySelector<HTMLInputElement>('[name=value]')?.focus({ preventScroll: true })
    },
    [change],
  )
  // On phones the list of all brands is below the calculator.
  useEffect(() => {
    if ((isNamed || picks > 0) && matchMedia('(width < 64rem)').matches) showInView(calculator.current)
  }, [isNamed, picks])

  /** Why the calculator has no quote. */
  const missing = !brand
    ? t('quote.calculator.brandFirst')
    : value === ''
      ? t('quote.calculator.valueFirst')
      : t('quote.calculator.withinLimits', {
          minimum: toShortDollars(brand.minimum),
          maximum: toShortDollars(brand.maximum),
        })
  const findBrand = () => form.current?.querySelector<HTMLElement>('[type=search]')?.focus()
  /** The missing brand is an error only now: sellers may type the amount first. */
  function showMissing() {
    if (brand) return calculator.current?.querySelector('input')?.focus()
    setBrandMissed(true)
    findBrand()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const [found, ...others] = form.current?.querySelectorAll<HTMLElement>('li > [aria-pressed]') ?? []
    if (search !== '' && found && others.length === 0) return found.click()
    if (!brand || !quote) return showMissing()
    if (list) return sellList(list)
    const { faceValue, pays } = quote
    rate.accept()
    navigate(
      pathTo('sellCard', { brand: quote.brand.value, value: toDecimal(faceValue), quote: toDecimal(pays) }),
    )
  }
  function add(quote: Quote) {
    rate.accept()
    addToSale(quote, toDecimal(quote.faceValue))
  }
  function addAnother(quote: Quote) {
    add(quote)
    change({ slug: null, value: '' })
    findBrand()
  }
  function sellList(list: SaleList) {
    if (!isReady) return showMissing()
    if (quote && !isFull) {
      add(quote)
      // Until the next screen is loaded, it would be counted twice, and a second press would add it again.
      change({ value: '' })
    }
    navigate(pathTo('sellCard', { sale: list.id }))
  }

  return (
    <>
      <div className="measure grid grid-cols-1 items-start gap-x-10 gap-y-5 py-4 md:gap-y-8 md:py-12 lg:gap-y-6 lg:py-6 lg:grid-cols-[25rem_minmax(0,1fr)] lg:grid-rows-[auto_auto_1fr]">
        <PageTitle>{t('quote.title')}</PageTitle>
        <div className="grid gap-3 max-md:gap-1 lg:col-span-2">
          <Link
            to={paths.home}
            className="inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-accent hover:underline"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
            {t('quote.home')}
          </Link>
          <PageHeader title={t('quote.title')}>
            {t('quote.intro')} {/* Hidden in its place for sellers, so that nothing below moves. */}
            <span className={cx(session.status === 'signed-in' && 'invisible')}>{t('quote.noAccount')}</span>
          </PageHeader>
        </div>
        <form ref={form} noValidate onSubmit={submit} className="contents">
          <BrandSearch
            search={search}
            onSearch={(text) => {
              setSearch(text)
              setBrandMissed(false)
            }}
            error={isBrandMissed ? t('fields.brand_not_chosen') : undefined}
            brands={brands}
            chosen={brand ?? undefined}
            onChoose={pick}
          />
          {!isSearching && !brand && (
            <PopularBrands brands={brands} chosen={undefined} onChoose={pick} className="lg:hidden" />
          )}
          <div
            ref={calculator}
            // With a list, it can be taller than the window.
            className={cx(
              'grid scroll-mt-20 gap-6 md:scroll-mt-26 lg:row-start-3',
              !list && 'lg:sticky lg:top-22',
              // Out of the grid while it is empty, where it would leave a gap.
              !list && isHidden && 'max-lg:absolute',
            )}
          >
            <div className={cx(isHidden && 'max-lg:hidden')}>
              <Calculator
                brand={brand}
                isSearching={isSearching}
                value={value}
                onChange={(typed) => change({ value: typed })}
                result={result}
                change={rate.change}
                onChooseBrand={findBrand}
              >
                {/* For Enter, because a list has its buttons in the bar below. */}
                {list && <button type="submit" hidden />}
                {!list && (
                  <div className="grid gap-2">
                    <Button type="submit" size="lg" wide aria-disabled={!quote}>
                      <span className="grid">
                        {t('quote.calculator.sell')}
                        {!quote && <span className="font-normal text-sm">{missing}</span>}
                      </span>
                    </Button>
                    {quote && (
                      <Button variant="secondary" size="lg" wide onClick={() => addAnother(quote)}>
                        {t('cards.sale.add')}
                      </Button>
                    )}
                  </div>
                )}
                {isFull && (
                  <p className="text-soft text-sm">{t('cards.sale.full', { max: MAX_SALE_CARDS })}</p>
                )}
              </Calculator>
            </div>
            {list && (
              <Suspense>
                <ListedCards list={list} current={isFull ? undefined : quote} />
              </Suspense>
            )}
          </div>
        </form>
        {!isSearching && <BrandPicker brands={brands} chosen={brand ?? undefined} onChoose={pick} />}
        <NeedHelp />
      </div>
      {list && (
        <Suspense>
          <SaleBar
            list={list}
            current={isFull ? undefined : quote}
            isReady={isReady}
            needsBrand={!brand}
            missing={missing}
            onAdd={quote && !isFull ? () => addAnother(quote) : undefined}
            onSell={() => sellList(list)}
          />
        </Suspense>
      )}
    </>
  )
}

/** The list, if it has cards that are not sold yet. */
function useOpenSale(): SaleList | undefined {
  const list = useSaleList()
  return list?.cards.some(({ submissionId }) => !submissionId) ? list : undefined
}

function NeedHelp() {
  const t = useWords()
  return (
    <section aria-labelledby="need-help" className="grid gap-3 max-lg:mt-3 lg:col-start-2">
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

interface Card {
  /** The chosen brand, listed or not. The server's terms may arrive later. Null once the chosen card is on the list. */
  slug?: string | null
  /** Dollars, as typed. */
  value?: string
}

/**
 * The card to quote. Without a choice its brand is the one in the address (`?brand=itunes`), or null if that is not listed. What
 * is chosen and typed is kept in the entry of the history, so a reload or Back loses nothing.
 */
function useCard(brands: readonly Brand[]) {
  const { search, state } = useLocation()
  const named = new URLSearchParams(useAfterHydration(search, '')).get('brand')
  const kept = useAfterHydration(state as Card | null, null)
  const [changed, setChanged] = useState<Card>()
  const { slug, value = '' } = changed ?? kept ?? {}
  const brand =
    slug !== undefined
      ? brandToSell(slug ?? '', brands)
      : named === null
        ? undefined
        : (listedBrand(named, brands) ?? null)
  // A press and text from before hydration arrive together: neither must undo the other.
  const change = useCallback(
    (part: Card) => {
      history.replaceState({ ...history.state, state: { ...history.state?.state, ...part } }, '')
      setChanged((before) => ({ ...(before ?? kept), ...part }))
    },
    [kept],
  )
  return { brand, value, change, isNamed: named !== null && slug === undefined }
}

const neverChanges = () => () => undefined

/** The prerendered page does not know the address. */
function useAfterHydration<T>(value: T, before: T): T {
  return useSyncExternalStore(
    neverChanges,
    () => value,
    () => before,
  )
}
