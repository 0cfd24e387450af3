import { Check } from 'lucide-react'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { landing } from '#web/words/landing.ts'
import { paths } from '#web/words/paths.ts'
import { QuickValues } from './QuickValues.tsx'

export function Hero({ onHowItWorks }: { onHowItWorks: () => void }) {
  return (
    // Not centered: what is painted while the page still arrives would move as the other column grows.
    <section className="grid grid-cols-1 items-start gap-12 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-16">
      <div className="grid gap-6 lg:pt-16">
        <h1 className="text-4xl">{landing.headline}</h1>
        <p className="max-w-xl text-lg text-soft md:text-xl">{landing.intro}</p>
        <div className="flex flex-col gap-3 sm:flex-row">
          <ButtonLink to={paths.getQuote} size="lg">
            {landing.getQuote}
          </ButtonLink>
          <Button variant="secondary" size="lg" onClick={onHowItWorks}>
            {landing.howItWorks}
          </Button>
        </div>
        <ul className="flex flex-wrap gap-x-6 gap-y-2 text-soft">
          {landing.promises.map((promise) => (
            <li key={promise} className="flex items-center gap-2">
              <Check aria-hidden="true" className="size-4 text-positive" />
              {promise}
            </li>
          ))}
        </ul>
      </div>
      <QuickValues />
    </section>
  )
}
