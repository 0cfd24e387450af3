import { KeyRound } from 'lucide-react'
import type { StockItem } from '#contract/inventory.ts'
import { mayMoveStock, type StockState } from '#domain/inventory.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { cards, stockWords } from '../facts/stock-words.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import type { Action } from '../shell/keys/key-table.ts'
import { useKeys } from '../shell/keys/use-keys.ts'

const actions = {
  listed: 'stockList',
  sold: 'stockSell',
  used: 'stockUse',
  bad: 'stockBad',
  in_stock: 'stockBack',
} as const satisfies Record<StockState, Action>

interface SelectionBarProps {
  selected: readonly StockItem[]
  mayRelease: boolean
  onChange: (to: StockState) => void
  onCodes: () => void
  onClear: () => void
}

/** What can be done with the selected cards. A button is there if it applies to one of them. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, mayRelease, onChange, onCodes, onClear } = props
  const states = (Object.keys(actions) as StockState[]).filter((to) =>
    selected.some(({ state }) => mayMoveStock(state, to)),
  )
  useKeys({
    ...Object.fromEntries(states.map((to) => [actions[to], () => onChange(to)])),
    ...(mayRelease && { stockCodes: onCodes }),
  })
  return (
    <section
      aria-label="Selection"
      data-selection
      className="sticky bottom-2 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-accent bg-surface px-4 py-2 shadow-raised"
    >
      <span role="status" className="figures whitespace-nowrap">
        {cards(selected.length)} selected
      </span>
      <Button variant="quiet" size="sm" onClick={onClear} className="max-sm:ml-auto">
        Clear
      </Button>
      <div className="flex gap-2 *:shrink-0 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-wrap">
        {states.map((to) => (
          <KeyButton
            key={to}
            action={actions[to]}
            size="sm"
            variant="secondary"
            className={cx(to === 'bad' && 'order-last text-negative')}
            onClick={() => onChange(to)}
          >
            {stockWords[to].action}
          </KeyButton>
        ))}
        {mayRelease && (
          <KeyButton action="stockCodes" size="sm" variant="secondary" icon={<KeyRound />} onClick={onCodes}>
            Export numbers
          </KeyButton>
        )}
      </div>
    </section>
  )
}
