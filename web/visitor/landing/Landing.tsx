import { ArrowRight, ChevronRight, Eye, LockKeyhole, type LucideIcon, Route, Undo2 } from 'lucide-react'
import { type Ref, useRef } from 'react'
import { figureMark } from '#contract/screens.ts'
import type { ShopClaim } from '#domain/shop-brand.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { showInView } from '#web/kit/media.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Link } from '#web/kit/router/index.ts'
import { useSession } from '#web/wire/session.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { Hero } from './Hero.tsx'

/** The brand's claims, which no other page needs (web/app/build/brand.ts). */
declare const __SHOP_CLAIMS__: readonly ShopClaim[]

export default function Landing() {
  const t = useWords()
  const steps = useRef<HTMLElement>(null)

  return (
    <div className="measure grid grid-cols-1 gap-20 py-10 md:gap-24 md:py-20">
      <PageTitle>{t('landing.title')}</PageTitle>
      {/* In the margin, out of the flow: for sellers, web/seller/home/NeedsYou.tsx says here what needs them. */}
      <div id="needs-you" className="absolute inset-x-0 -mt-10 md:-mt-20" />
      <Hero onHowItWorks={() => showInView(steps.current)} />
      <SellingPoints />
      <BrandGrid />
      <HowItWorks ref={steps} />
      <Trust />
      <Payouts />
      <Closing />
    </div>
  )
}

/** Rows on phones, side by side on wider screens. */
function SellingPoints() {
  const { locale } = useWords()
  return (
    <dl className="border-line border-y max-sm:divide-y max-sm:divide-line sm:flex sm:flex-wrap sm:justify-between sm:gap-x-8 sm:gap-y-6 sm:py-8">
      {__SHOP_CLAIMS__.map(({ figure, text }) => (
        <div
          key={text.en}
          className="flex items-baseline justify-between gap-4 max-sm:py-3 sm:flex-col-reverse sm:gap-0"
        >
          <dt className="text-soft">{text[locale]}</dt>
          <dd className="figures font-semibold text-2xl max-sm:text-xl">{shownFigure(figure)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The server fills live figures into every document: for the prerendered page, and in its head for later renderings. */
function shownFigure(figure: ShopClaim['figure']): string {
  if (typeof figure === 'string') return figure
  if (typeof document === 'undefined') return figureMark(figure.live)
  const meta = document.querySelector<HTMLMetaElement>('meta[name="figures"]')
  return (meta && JSON.parse(meta.content)[figure.live]) ?? '–'
}

/** The brands and rates of the spec. A test compares them with the catalog. */
export const samples = [
  { name: 'Amazon', slug: 'amazon', rate: '93%' },
  { name: 'Apple iTunes', slug: 'itunes', rate: '91%' },
  { name: 'Walmart', slug: 'walmart', rate: '91%' },
  { name: 'Starbucks', slug: 'starbucks', rate: '89%' },
  { name: 'Steam', slug: 'steam', rate: '88%' },
  { name: 'Target', slug: 'target', rate: '91%' },
] as const

function BrandGrid() {
  const t = useWords()
  return (
    <section aria-labelledby="brands" className="grid gap-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h2 id="brands" className="text-3xl">
          {t('landing.brands.title')}
        </h2>
        <ButtonLink to={paths.getQuote} variant="secondary">
          {t('landing.brands.all')}
          <ArrowRight aria-hidden="true" className="size-4" />
        </ButtonLink>
      </div>
      <ul className="grid grid-cols-1 sm:grid-cols-2 sm:gap-x-10 lg:grid-cols-3">
        {samples.map(({ name, slug, rate }) => (
          <li
            key={name}
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
    </section>
  )
}

const steps: readonly TitledText[] = [
  { title: 'landing.steps.choose.title', text: 'landing.steps.choose.text' },
  { title: 'landing.steps.quote.title', text: 'landing.steps.quote.text' },
  { title: 'landing.steps.upload.title', text: 'landing.steps.upload.text' },
  { title: 'landing.steps.pay.title', text: 'landing.steps.pay.text' },
]

interface TitledText {
  readonly title: Key
  readonly text: Key
}

function HowItWorks({ ref }: { ref: Ref<HTMLElement> }) {
  const t = useWords()
  return (
    <section ref={ref} id="how-it-works" aria-labelledby="how" className="grid scroll-mt-24 gap-8">
      <h2 id="how" className="text-3xl">
        {t('landing.howItWorks')}
      </h2>
      <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="thread relative flex gap-4 sm:grid sm:content-start">
            <span
              aria-hidden="true"
              className="figures grid size-9 shrink-0 place-items-center rounded-full bg-accent-quiet font-semibold text-accent"
            >
              {index + 1}
            </span>
            <div className="grid gap-1 pt-0.5">
              <h3 className="text-xl">{t(title)}</h3>
              <p className="text-soft">{t(text)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The payment types that the spec lists here. */
export const payouts = ['paypal', 'venmo', 'zelle', 'chime', 'cash_app', 'bank_transfer'] as const

function Payouts() {
  const t = useWords()
  return (
    <section
      aria-labelledby="payouts"
      className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-16"
    >
      <div className="grid content-start gap-3">
        <h2 id="payouts" className="text-3xl">
          {t('landing.payouts.title')}
        </h2>
        <p className="text-lg text-soft">{t('landing.payouts.intro')}</p>
      </div>
      {/* The last row fills the width, however many there are. */}
      <ul className="flex flex-wrap gap-px self-start overflow-hidden rounded-lg border border-line bg-line">
        {payouts
          .filter((type) => shopBrand.payoutMethods.includes(type))
          .map((type) => (
            <li
              key={type}
              className="grow basis-[calc(50%-1px)] bg-surface px-5 py-7 font-semibold text-lg sm:basis-[calc(33.3%-1px)]"
            >
              {t(`payments.type.${type}`)}
            </li>
          ))}
      </ul>
    </section>
  )
}

/** Says only what the software does. /security has the details. */
const protections: readonly (TitledText & { icon: LucideIcon })[] = [
  { title: 'landing.trust.sealed.title', text: 'landing.trust.sealed.text', icon: LockKeyhole },
  { title: 'landing.trust.recorded.title', text: 'landing.trust.recorded.text', icon: Eye },
  { title: 'landing.trust.followed.title', text: 'landing.trust.followed.text', icon: Route },
  { title: 'landing.trust.yours.title', text: 'landing.trust.yours.text', icon: Undo2 },
]

function Trust() {
  const t = useWords()
  return (
    <section aria-labelledby="trust" className="grid gap-10 rounded-lg bg-deep p-6 text-on-deep md:p-12">
      <div className="grid max-w-2xl gap-3">
        <h2 id="trust" className="text-3xl">
          {t('landing.trust.title')}
        </h2>
        <p className="text-lg text-on-deep/80">{t('landing.trust.intro')}</p>
      </div>
      <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        {protections.map(({ title, text, icon: Icon }) => (
          <li key={title} className="flex gap-4">
            <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
            <div className="grid content-start gap-1">
              <h3 className="font-semibold text-lg">{t(title)}</h3>
              <p className="text-on-deep/80">{t(text)}</p>
            </div>
          </li>
        ))}
      </ul>
      <Link
        to={paths.security}
        className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold underline underline-offset-4 hover:decoration-2 focus-visible:outline-current"
      >
        {t('landing.trust.more')}
        <ArrowRight aria-hidden="true" className="size-4" />
      </Link>
    </section>
  )
}

function Closing() {
  const session = useSession()
  const t = useWords()
  return (
    <section
      aria-labelledby="closing"
      className="grid grid-cols-1 items-center gap-6 rounded-lg bg-accent-quiet p-6 md:p-12 lg:grid-cols-[1fr_auto] lg:gap-12"
    >
      <div className="grid gap-2">
        <h2 id="closing" className="text-3xl">
          {t('landing.closing.title')}
        </h2>
        <p className="text-lg">{t('landing.closing.text')}</p>
      </div>
      <div className="flex flex-col gap-3 sm:flex-row">
        <ButtonLink to={paths.getQuote} size="lg">
          {t('landing.getQuote')}
        </ButtonLink>
        {session.status === 'signed-out' && (
          <ButtonLink to={paths.register} size="lg" variant="secondary">
            {t('landing.closing.register')}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
