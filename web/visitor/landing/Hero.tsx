import { Check } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { ownDrawing } from '#web/kit/Logo.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { type Card, QuickCalculator } from './QuickCalculator.tsx'

const promises: readonly Key[] = [
  'landing.promises.quotes',
  'landing.promises.handling',
  'landing.promises.payout',
]

export function Hero(props: HeroProps) {
  const [typed, setTyped] = useState<Card>()
  const Layout = __SHOP_HERO__ === 'band' ? Band : Beside
  return <Layout {...props} typed={typed} onTyped={setTyped} />
}

interface HeroProps {
  onHowItWorks: () => void
}

interface LayoutProps extends HeroProps {
  /** What was typed into the calculator. The quote screen starts with it. */
  typed: Card | undefined
  onTyped: (card: Card) => void
}

function Beside({ onHowItWorks, typed, onTyped }: LayoutProps) {
  const t = useWords()
  return (
    // Aligned at the top: centered text would move while the other column is still loading. On phones the calculator comes
    // before the buttons, so that its amount is in the first screen.
    <section className="grid grid-cols-1 items-start gap-x-16 gap-y-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:grid-rows-[auto_1fr]">
      <div className="grid gap-4 md:gap-6 lg:pt-16">
        <h1 className="text-4xl">{t('landing.headline')}</h1>
        <p className="max-w-xl text-soft md:text-xl">{t('landing.intro')}</p>
      </div>
      <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <QuickCalculator onTyped={onTyped} />
      </div>
      <div className="grid gap-6">
        <div className="flex flex-col gap-3 sm:flex-row">
          {/* The primary button is the calculator's. */}
          <ButtonLink to={paths.getQuote} state={typed} size="lg" variant="secondary">
            {t('landing.getQuote')}
          </ButtonLink>
          <Button variant="quiet" size="lg" onClick={onHowItWorks} className="underline underline-offset-4">
            {t('landing.howItWorks')}
          </Button>
        </div>
        <Promises className="text-soft" iconClass="text-positive" />
        {__SHOP_DRAWINGS__ && ownDrawing(__SHOP_DRAWINGS__, 'hero', 'w-full')}
      </div>
    </section>
  )
}

/** The calculator comes first on wide screens, and the brand's drawing fills the band below the words. */
function Band({ onHowItWorks, typed, onTyped }: LayoutProps) {
  const t = useWords()
  return (
    <section className="grid grid-cols-1 items-start gap-x-16 gap-y-6 rounded-lg bg-deep p-4 text-on-deep md:p-12 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:grid-rows-[auto_1fr]">
      <div className="grid gap-3 md:gap-6 lg:col-start-2">
        <h1 className="text-4xl">{t('landing.headline')}</h1>
        <p className="text-on-deep/80 md:text-xl">{t('landing.intro')}</p>
      </div>
      <div className="text-ink lg:row-span-2 lg:row-start-1">
        <QuickCalculator onTyped={onTyped} />
      </div>
      <div className="grid gap-6 lg:col-start-2">
        <div className="flex flex-col gap-3 sm:flex-row">
          <ButtonLink
            to={paths.getQuote}
            state={typed}
            size="lg"
            variant="secondary"
            // In the dark theme, the surface is darker than the band.
            className="dark:border-on-deep dark:bg-transparent dark:text-on-deep dark:hover:bg-on-deep/10"
          >
            {t('landing.getQuote')}
          </ButtonLink>
          <button
            type="button"
            onClick={onHowItWorks}
            className="min-h-11 px-4 font-semibold underline underline-offset-4 hover:decoration-2 focus-visible:outline-current"
          >
            {t('landing.howItWorks')}
          </button>
        </div>
        <Promises />
        {__SHOP_DRAWINGS__ && ownDrawing(__SHOP_DRAWINGS__, 'hero', 'w-full')}
      </div>
    </section>
  )
}

function Promises({ className, iconClass }: { className?: string; iconClass?: string }) {
  const t = useWords()
  return (
    <ul className={cx('flex flex-wrap gap-x-6 gap-y-2', className)}>
      {promises.map((promise) => (
        <li key={promise} className="flex items-center gap-2">
          <Check aria-hidden="true" className={cx('size-4', iconClass)} />
          {t(promise)}
        </li>
      ))}
    </ul>
  )
}
