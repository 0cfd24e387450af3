import { ArrowRight } from 'lucide-react'
import { type Ref, useRef } from 'react'
import { figureMark } from '#contract/screens.ts'
import type { ShopClaim } from '#domain/shop-brand.ts'
import { OpeningState } from '#web/chat/OpeningState.tsx'
import { ButtonLink, textLinkClass } from '#web/kit/Button.tsx'
import { showInView } from '#web/kit/media.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { Link } from '#web/kit/router/index.ts'
import { useSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { BrandGrid } from './BrandGrid.tsx'
import { Hero } from './Hero.tsx'
import { Reviews } from './Reviews.tsx'
import { StepArt, type StepState } from './StepArt.tsx'

/** The brand's claims, which no other page needs (web/app/build/brand.ts). */
declare const __SHOP_CLAIMS__: readonly ShopClaim[]

export default function Landing() {
  const t = useWords()
  const steps = useRef<HTMLElement>(null)

  return (
    <div className="measure grid grid-cols-1 gap-12 pt-14 md:gap-24 md:pt-20 md:pb-4">
      <PageTitle>{t('landing.title')}</PageTitle>
      {/* For web/seller/home/NeedsYou.tsx. In the margin and out of the flow, so that nothing moves. */}
      <div id="needs-you" className="absolute inset-x-0 -mt-14 md:-mt-20" />
      <Hero onHowItWorks={() => showInView(steps.current)} />
      <SellingPoints />
      <BrandGrid />
      <HowItWorks ref={steps} />
      <Trust />
      <Reviews />
      <Payouts />
      <Support />
      <Closing />
    </div>
  )
}

/** Rows on phones, side by side on wider screens. The server leaves a live figure empty below the minimum of its claim. */
function SellingPoints() {
  const { locale } = useWords()
  return (
    <dl className="border-line border-y not-has-[dd:not(:empty)]:hidden max-sm:divide-y max-sm:divide-line sm:grid sm:auto-cols-fr sm:grid-flow-col sm:gap-x-4 sm:py-8 lg:gap-x-8">
      {__SHOP_CLAIMS__.map(({ figure, text }) => (
        <div
          key={text.en}
          className="flex flex-wrap items-baseline justify-between gap-x-4 has-[dd:empty]:hidden max-sm:py-3 sm:flex-col-reverse sm:flex-nowrap sm:items-start sm:justify-end sm:gap-0"
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
  return (meta && JSON.parse(meta.content)[figure.live]) ?? ''
}

const steps: readonly (TitledText & { state: StepState })[] = [
  { state: 'chosen', title: 'landing.steps.choose.title', text: 'landing.steps.choose.text' },
  { state: 'quoted', title: 'landing.steps.quote.title', text: 'landing.steps.quote.text' },
  { state: 'photographed', title: 'landing.steps.upload.title', text: 'landing.steps.upload.text' },
  { state: 'paid', title: 'landing.steps.pay.title', text: 'landing.steps.pay.text' },
]

interface TitledText {
  readonly title: Key
  readonly text: Key
}

function HowItWorks({ ref }: { ref: Ref<HTMLElement> }) {
  const t = useWords()
  return (
    <section ref={ref} id="how-it-works" aria-labelledby="how" className="grid gap-8">
      <h2 id="how" className="text-3xl">
        {t('landing.howItWorks')}
      </h2>
      <ol className="grid grid-cols-1 gap-x-8 gap-y-6 sm:grid-cols-2 sm:gap-y-10 lg:grid-cols-4">
        {steps.map(({ state, title, text }, index) => (
          <li key={title} className="flex flex-wrap items-center gap-6 sm:grid sm:content-start sm:gap-5">
            <StepArt state={state} />
            <div className="grid min-w-[min(9rem,100%)] flex-1 grid-cols-[auto_1fr] gap-x-2.5 gap-y-1">
              <span aria-hidden="true" className="figures font-bold text-soft text-xl">
                {index + 1}
              </span>
              <h3 className="text-xl">{t(title)}</h3>
              <p className="col-span-2 text-soft">{t(text)}</p>
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
      <div className="grid grid-cols-1 content-start gap-3">
        {/* The last row fills the width, however many there are. */}
        <ul className="flex flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-line">
          {payouts
            .filter((type) => shopBrand.payoutMethods.includes(type))
            .map((type) => (
              <li
                key={type}
                className="flex grow basis-[calc(50%-1px)] min-h-16 items-center bg-surface px-5 py-4 font-semibold text-lg sm:min-h-24 sm:basis-[calc(33.3%-1px)]"
              >
                {t(`payments.type.${type}`)}
              </li>
            ))}
        </ul>
        <p className="text-soft text-sm">{t('landing.payouts.note')}</p>
      </div>
    </section>
  )
}

/** Says only what the software does. /security has the details. */
const protections: readonly TitledText[] = [
  { title: 'landing.trust.sealed.title', text: 'landing.trust.sealed.text' },
  { title: 'landing.trust.person.title', text: 'landing.trust.person.text' },
  { title: 'landing.trust.recorded.title', text: 'landing.trust.recorded.text' },
  { title: 'landing.trust.followed.title', text: 'landing.trust.followed.text' },
  { title: 'landing.trust.yours.title', text: 'landing.trust.yours.text' },
  { title: 'landing.trust.erased.title', text: 'landing.trust.erased.text' },
]

function Trust() {
  const t = useWords()
  return (
    <section
      aria-labelledby="trust"
      className="grid grid-cols-1 gap-x-16 gap-y-10 rounded-lg bg-deep p-6 text-on-deep md:p-12 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div className="grid grid-cols-1 content-start gap-3">
        <h2 id="trust" className="text-3xl">
          {t('landing.trust.title')}
        </h2>
        <p className="max-w-2xl text-lg text-on-deep/80">{t('landing.trust.intro')}</p>
        <Link
          to={paths.security}
          className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold underline underline-offset-4 hover:decoration-2 focus-visible:outline-current"
        >
          {t('landing.trust.more')}
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      </div>
      <WhoLooked />
      <ul className="grid grid-cols-1 gap-x-10 gap-y-5 sm:grid-cols-2 sm:gap-y-8 lg:col-span-2 lg:grid-cols-3">
        {protections.map(({ title, text }) => (
          <li key={title} className="grid grid-cols-1 content-start gap-1 border-on-deep/25 border-t pt-4">
            <h3 className="font-semibold text-lg">{t(title)}</h3>
            <p className="text-on-deep/80">{t(text)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** An example of what sellers see in the history of their card (web/seller/card). */
function WhoLooked() {
  const t = useWords()
  return (
    <figure className="grid grid-cols-1 content-start gap-3">
      <div className="grid grid-cols-1 rounded-lg border-2 border-ink bg-surface text-ink">
        <p className="figures px-5 pt-8 pb-4 text-xl tracking-wide">
          <span aria-hidden="true">•••• •••• •••• </span>4417
        </p>
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-line border-t px-5 py-4 text-sm">
          <dt className="col-span-2 font-semibold">{t('landing.trust.example.title')}</dt>
          <dt>{t('landing.trust.example.photo')}</dt>
          <dd className="figures text-soft">{t('landing.trust.example.photoTime')}</dd>
          <dt className="text-balance">{t('landing.trust.example.number')}</dt>
          <dd className="figures text-soft">{t('landing.trust.example.numberTime')}</dd>
        </dl>
      </div>
      <figcaption className="text-on-deep/80 text-sm">{t('landing.trust.example.caption')}</figcaption>
    </figure>
  )
}

/** Who is behind the shop: only what its brand sets. */
function Support() {
  const t = useWords()
  const { support, company } = shopBrand
  return (
    <section
      aria-labelledby="support"
      className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-16"
    >
      <div className="grid content-start gap-3">
        <h2 id="support" className="text-3xl">
          {t('landing.support.title')}
        </h2>
        <p className="text-lg text-soft">{t('landing.support.text')}</p>
      </div>
      <div className="grid content-start gap-5">
        <Ledger className="border-line border-y">
          <LedgerRow name={t('landing.support.hours')} long>
            {support.hours[t.locale]}
            <OpeningState />
          </LedgerRow>
          {support.email && (
            <LedgerRow name={t('landing.support.email')} long>
              <a href={`mailto:${support.email}`} className={textLinkClass}>
                {support.email}
              </a>
            </LedgerRow>
          )}
          {support.phone && <LedgerRow name={t('landing.support.phone')}>{support.phone}</LedgerRow>}
          {company && (
            <LedgerRow name={t('landing.support.company')} long>
              {company.name}, {company.address}
            </LedgerRow>
          )}
          {company?.license && (
            <LedgerRow name={t('landing.support.license')} long>
              {company.license[t.locale]}
            </LedgerRow>
          )}
          {company?.person && (
            <LedgerRow name={company.person.role[t.locale]}>{company.person.name}</LedgerRow>
          )}
        </Ledger>
        <div className="flex flex-col gap-3 sm:flex-row">
          <ButtonLink to={paths.contact} variant="secondary">
            {t('landing.support.contact')}
          </ButtonLink>
          <ButtonLink to={paths.help} variant="secondary">
            {t('landing.support.help')}
          </ButtonLink>
        </div>
      </div>
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
