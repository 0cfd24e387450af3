import { BrandTile } from '#web/cards/BrandTile.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { landing } from '#web/words/landing.ts'

/** Three examples, as a receipt: what the card says and what the seller gets. */
export function QuickValues() {
  const { title, note, examples } = landing.quickValues
  return (
    <Panel aria-labelledby="quick-values" className="grid gap-4 shadow-raised">
      <h2 id="quick-values" className="font-semibold text-lg">
        {title}
      </h2>
      <ul className="divide-y divide-line">
        {examples.map((example, at) => (
          <Example key={example.brand} {...example} leads={at === 0} />
        ))}
      </ul>
      <p className="border-line border-t pt-4 text-soft text-sm">{note}</p>
    </Panel>
  )
}

interface ExampleProps {
  brand: string
  /** Dollars, as the wire has them. */
  faceValue: string
  pays: string
  /** The first one says at a glance what this is about. */
  leads: boolean
}

function Example({ brand, faceValue, pays, leads }: ExampleProps) {
  const lead = 'flex-col items-stretch gap-4 pb-6 sm:max-lg:flex-row sm:max-lg:items-center'
  return (
    <li className={cx('flex gap-4', leads ? lead : 'items-center py-4')}>
      <div className="flex min-w-0 flex-1 items-center gap-4">
        <BrandTile name={brand} />
        <p className="min-w-0">
          <span className="block font-medium">{brand}</span>
          <span className="text-soft text-sm">
            <Money amount={faceValue} /> card
          </span>
        </p>
      </div>
      <p className={leads ? 'sm:max-lg:text-right' : 'text-right'}>
        <span className={cx('block text-soft', leads ? 'text-sm' : 'text-xs')}>You get</span>
        <Money amount={pays} size={leads ? 'figure' : 'xl'} className="text-accent" />
      </p>
    </li>
  )
}
