import { Check } from 'lucide-react'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { QuickCalculator } from './QuickCalculator.tsx'

const promises: readonly Key[] = [
  'landing.promises.quotes',
  'landing.promises.handling',
  'landing.promises.payout',
]

export function Hero({ onHowItWorks }: { onHowItWorks: () => void }) {
  const t = useWords()
  return (
    // Aligned at the top: centered text would move while the other column is still loading. On phones the calculator comes
    // before the buttons, so that its amount is in the first screen.
    <section className="grid grid-cols-1 items-start gap-x-16 gap-y-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:grid-rows-[auto_1fr]">
      <div className="grid gap-4 md:gap-6 lg:pt-16">
        <h1 className="text-4xl">{t('landing.headline')}</h1>
        <p className="max-w-xl text-balance text-soft md:text-xl">{t('landing.intro')}</p>
      </div>
      <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <QuickCalculator />
      </div>
      <div className="grid gap-6">
        <div className="flex flex-col gap-3 sm:flex-row">
          <ButtonLink to={paths.getQuote} size="lg">
            {t('landing.getQuote')}
          </ButtonLink>
          <Button variant="secondary" size="lg" onClick={onHowItWorks}>
            {t('landing.howItWorks')}
          </Button>
        </div>
        <ul className="flex flex-wrap gap-x-6 gap-y-2 text-soft">
          {promises.map((promise) => (
            <li key={promise} className="flex items-center gap-2">
              <Check aria-hidden="true" className="size-4 text-positive" />
              {t(promise)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
