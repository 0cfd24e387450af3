import { KeyRound } from 'lucide-react'
import type { StockItem } from '#contract/inventory.ts'
import { mayMoveStock, type StockState } from '#domain/inventory.ts'
import { KeyButton } from '../keys/KeyHint.tsx'
import type { Action } from '../keys/key-table.ts'
import { useKeys } from '../keys/use-keys.ts'
import { cards, stockWords } from './stock-words.ts'

const actions = {
  listed: 'stockList',
  sold: 'stockSell',
  used: 'stockUse',
  bad: 'stockBad',
  in_stock: 'stockBack',
} as const satisfies Record<StockState, Action>

interface SelectionBarProps {
  selected: readonly StockItem[]
  hasAll: boolean
  mayRelease: boolean
  onAll: () => void
  onChange: (to: StockState) => void
  onCodes: () => void
}

/** What can be done with the selected cards. A button is there if it applies to one of them. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, hasAll, mayRelease, onAll, onChange, onCodes } = props
  const states = (Object.keys(actions) as StockState[]).filter((to) =>
    selected.some(({ state }) => mayMoveStock(state, to)),
  )
  useKeys({
    ...Object.fromEntries(states.map((to) => [actions[to], () => onChange(to)])),
    ...(mayRelease && selected.length > 0 && { stockCodes: onCodes }),
  })
  return (
    <section
      aria-label="Selection"
      className="sticky top-2 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-4 py-2"
    >
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          aria-label="Select all listed cards"
          checked={hasAll}
          onChange={onAll}
          className="size-5 accent-accent"
        />
        <span role="status" className="figures whitespace-nowrap">
          {selected.length === 0 ? 'Select all listed' : `${cards(selected.length)} selected`}
        </span>
      </label>
      <div className="flex flex-wrap gap-2">
        {states.map((to) => (
          <KeyButton
            key={to}
            action={actions[to]}
            size="sm"
            variant={to === 'bad' ? 'danger' : 'secondary'}
            onClick={() => onChange(to)}
          >
            {stockWords[to].action}
          </KeyButton>
        ))}
        {mayRelease && selected.length > 0 && (
          <KeyButton action="stockCodes" size="sm" variant="secondary" icon={<KeyRound />} onClick={onCodes}>
            Export numbers
          </KeyButton>
        )}
      </div>
    </section>
  )
}
