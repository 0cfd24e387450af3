import { Check } from 'lucide-react'
import { inDollars } from '#domain/money.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'

const promises: readonly Key[] = [
  'landing.promises.quotes',
  'landing.promises.handling',
  'landing.promises.payout',
]

export function Hero({ onHowItWorks }: { onHowItWorks: () => void }) {
  const t = useWords()
  return (
    // Not centered: the text would move while the other column is still loading.
    <section className="grid grid-cols-1 items-start gap-12 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-16">
      <div className="grid gap-6 lg:pt-16">
        <h1 className="text-4xl">{t('landing.headline')}</h1>
        <p className="max-w-xl text-lg text-soft md:text-xl">{t('landing.intro')}</p>
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
      <QuickValues />
    </section>
  )
}

/** The examples of the spec. A test compares them with the catalog. */
export const examples = [
  { brand: 'Amazon', faceValue: '100.00', pays: '93.00' },
  { brand: 'iTunes', faceValue: '50.00', pays: '45.50' },
  { brand: 'Steam', faceValue: '25.00', pays: '22.00' },
] as const

function QuickValues() {
  const t = useWords()
  return (
    <Panel aria-labelledby="quick-values" className="grid gap-4 shadow-raised">
      <h2 id="quick-values" className="font-semibold text-lg">
        {t('landing.quickValues.title')}
      </h2>
      <ul className="divide-y divide-line">
        {examples.map((example, index) => (
          <Example key={example.brand} {...example} leads={index === 0} />
        ))}
      </ul>
      <p className="border-line border-t pt-4 text-soft text-sm">{t('landing.quickValues.note')}</p>
    </Panel>
  )
}

function Example({ brand, faceValue, pays, leads }: ExampleProps) {
  const t = useWords()
  const lead = 'flex-col items-stretch gap-4 pb-6 sm:max-lg:flex-row sm:max-lg:items-center'
  return (
    <li className={cx('flex gap-4', leads ? lead : 'items-center py-4')}>
      <div className="flex min-w-0 flex-1 items-center gap-4">
        <BrandTile name={brand} />
        <p className="min-w-0">
          <span className="block font-medium">{brand}</span>
          <span className="figures text-soft text-sm">
            {t('landing.quickValues.card', { amount: inDollars(faceValue) })}
          </span>
        </p>
      </div>
      <p className={leads ? 'sm:max-lg:text-right' : 'text-right'}>
        <span className={cx('block text-soft', leads ? 'text-sm' : 'text-xs')}>
          {t('landing.quickValues.youGet')}
        </span>
        <Money amount={pays} size={leads ? 'figure' : 'xl'} className="text-accent" />
      </p>
    </li>
  )
}

interface ExampleProps {
  brand: string
  /** Decimal dollars. */
  faceValue: string
  pays: string
  /** The first example is larger. */
  leads: boolean
}
