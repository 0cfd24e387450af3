import { landing } from '../../copy/landing.ts'
import { Money } from '../../ui/Money.tsx'
import { Monogram } from '../../ui/Monogram.tsx'
import { Panel } from '../../ui/Panel.tsx'

/** Three examples, as a receipt: what the card says and what the seller gets. */
export function QuickValues() {
  const { title, note, examples } = landing.quickValues
  return (
    <Panel aria-labelledby="quick-values" className="grid gap-2 shadow-raised">
      <h2 id="quick-values" className="font-semibold text-lg">
        {title}
      </h2>
      <ul className="divide-y divide-line">
        {examples.map((example) => (
          <li key={example.brand} className="flex items-center gap-4 py-5">
            <Monogram letters={example.monogram} />
            <p className="min-w-0 flex-1">
              <span className="block font-medium">{example.brand}</span>
              <span className="text-soft text-sm">
                <Money amount={example.faceValue} /> card
              </span>
            </p>
            <p className="text-right">
              <span className="block text-soft text-xs">You get</span>
              <Money amount={example.pays} size="xl" className="text-accent" />
            </p>
          </li>
        ))}
      </ul>
      <p className="border-line border-t pt-4 text-soft text-sm">{note}</p>
    </Panel>
  )
}
