import { ArrowRight, ChevronRight, Eye, LockKeyhole, type LucideIcon, Route, Undo2 } from 'lucide-react'
import { type Ref, useRef } from 'react'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { showInView } from '#web/kit/media.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Link } from '#web/kit/router/index.ts'
import { useSession } from '#web/wire/session.ts'
import { landing } from '#web/words/landing.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { Hero } from './Hero.tsx'

export default function Landing() {
  const steps = useRef<HTMLElement>(null)

  return (
    <div className="measure grid grid-cols-1 gap-20 py-10 md:gap-24 md:py-20">
      <PageTitle>{landing.title}</PageTitle>
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
  return (
    <dl className="border-line border-y max-sm:divide-y max-sm:divide-line sm:flex sm:flex-wrap sm:justify-between sm:gap-x-8 sm:gap-y-6 sm:py-8">
      {landing.sellingPoints.map(({ figure, text }) => (
        <div
          key={text}
          className="flex items-baseline justify-between gap-4 max-sm:py-3 sm:flex-col-reverse sm:gap-0"
        >
          <dt className="text-soft">{text}</dt>
          <dd className="figures font-semibold text-2xl max-sm:text-xl">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

function BrandGrid() {
  const { title, all, samples } = landing.brands
  return (
    <section aria-labelledby="brands" className="grid gap-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h2 id="brands" className="text-3xl">
          {title}
        </h2>
        <ButtonLink to={paths.getQuote} variant="secondary">
          {all}
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

function HowItWorks({ ref }: { ref: Ref<HTMLElement> }) {
  return (
    <section ref={ref} id="how-it-works" aria-labelledby="how" className="grid scroll-mt-24 gap-8">
      <h2 id="how" className="text-3xl">
        {landing.howItWorks}
      </h2>
      <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {landing.steps.map(({ title, text }, index) => (
          <li key={title} className="thread relative flex gap-4 sm:grid sm:content-start">
            <span
              aria-hidden="true"
              className="figures grid size-9 shrink-0 place-items-center rounded-full bg-accent-quiet font-semibold text-accent"
            >
              {index + 1}
            </span>
            <div className="grid gap-1 pt-0.5">
              <h3 className="text-xl">{title}</h3>
              <p className="text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Payouts() {
  const { title, intro, methods } = landing.payouts
  return (
    <section
      aria-labelledby="payouts"
      className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-16"
    >
      <div className="grid content-start gap-3">
        <h2 id="payouts" className="text-3xl">
          {title}
        </h2>
        <p className="text-lg text-soft">{intro}</p>
      </div>
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3">
        {methods.map((method) => (
          <li key={method} className="bg-surface px-5 py-7 font-semibold text-lg">
            {method}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** In the order of `landing.trust.points`. */
const icons: readonly LucideIcon[] = [LockKeyhole, Eye, Route, Undo2]

function Trust() {
  const { title, intro, points, more } = landing.trust
  return (
    <section aria-labelledby="trust" className="grid gap-10 rounded-lg bg-deep p-6 text-on-deep md:p-12">
      <div className="grid max-w-2xl gap-3">
        <h2 id="trust" className="text-3xl">
          {title}
        </h2>
        <p className="text-lg text-on-deep/80">{intro}</p>
      </div>
      <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        {points.map(({ title, text }, index) => {
          const Icon = icons[index] ?? LockKeyhole
          return (
            <li key={title} className="flex gap-4">
              <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
              <div className="grid content-start gap-1">
                <h3 className="font-semibold text-lg">{title}</h3>
                <p className="text-on-deep/80">{text}</p>
              </div>
            </li>
          )
        })}
      </ul>
      <Link
        to={paths.security}
        className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold underline underline-offset-4 hover:decoration-2 focus-visible:outline-current"
      >
        {more}
        <ArrowRight aria-hidden="true" className="size-4" />
      </Link>
    </section>
  )
}

function Closing() {
  const session = useSession()
  const { title, text, createAccount } = landing.closing
  return (
    <section
      aria-labelledby="closing"
      className="grid grid-cols-1 items-center gap-6 rounded-lg bg-accent-quiet p-6 md:p-12 lg:grid-cols-[1fr_auto] lg:gap-12"
    >
      <div className="grid gap-2">
        <h2 id="closing" className="text-3xl">
          {title}
        </h2>
        <p className="text-lg">{text}</p>
      </div>
      <div className="flex flex-col gap-3 sm:flex-row">
        <ButtonLink to={paths.getQuote} size="lg">
          {landing.getQuote}
        </ButtonLink>
        {session.status === 'signed-out' && (
          <ButtonLink to={paths.register} size="lg" variant="secondary">
            {createAccount}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
