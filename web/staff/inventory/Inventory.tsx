import { useQuery } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { MAX_CHANNEL_LENGTH, type StockItem, type StockTotal } from '#contract/inventory.ts'
import { routes } from '#contract/routes.ts'
import { showCount } from '#domain/counting.ts'
import { type StockState, stockStates } from '#domain/inventory.ts'
import { parseDollars, toDecimal } from '#domain/money.ts'
import { may } from '#domain/roles.ts'
import { Button, buttonClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { addressOf } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { stockWords } from '../facts/stock-words.ts'
import { List } from '../list/List.tsx'
import { SearchField } from '../list/SearchField.tsx'
import { parseSearch, useFilters } from '../list/use-address.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { useSelection } from '../list/use-selection.ts'
import { KeysDialog } from '../shell/keys/KeysDialog.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { StaffScreen } from '../shell/StaffScreen.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import { CodesDialog } from './CodesDialog.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { ItemDialog } from './ItemDialog.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { stockColumns } from './stock-columns.tsx'

const parsers = {
  q: parseSearch,
  channel: (text: string) => text.slice(0, MAX_CHANNEL_LENGTH),
  state: (text: string) => stockStates.find((state) => state === text),
}

/** What the dialog over the list is for. */
type Opened =
  | { readonly what: 'change'; readonly to: StockState; readonly items: readonly StockItem[] }
  | { readonly what: 'codes'; readonly items: readonly StockItem[] }
  | { readonly what: 'import' | 'keys' }
  | { readonly what: 'item'; readonly id: string }

/** The cards that we own, with their status. */
export default function Inventory() {
  const { role, timeZone } = useStaff().admin
  const mayManage = may(role, 'manage_inventory')
  const mayRelease = may(role, 'release_codes')
  const [filters, changeFilters] = useFilters(parsers)
  const list = usePagedList(routes.inventory, filters, { staleTime: 0 })
  const selection = useSelection(list.rows)
  const { selected } = selection
  const [opened, open] = useState<Opened>()
  const close = () => open(undefined)
  useKeys({
    help: () => open({ what: 'keys' }),
    ...(mayManage && { stockSelectAll: selection.toggleAll }),
  })

  return (
    <StaffScreen isList title="Inventory" intro="The cards that we own, and what happened to them.">
      <StateTabs filters={filters} onChange={(state) => changeFilters({ state })} />
      <List
        noun="card"
        list={list}
        focusKeys={{ next: 'stockNext', previous: 'stockPrevious' }}
        columns={stockColumns({
          ...(mayManage && { selection }),
          timeZone,
          onOpen: (id) => open({ what: 'item', id }),
          onChannel: (channel) => changeFilters({ channel }),
        })}
        filters={
          <>
            <SearchField
              label="Search the inventory"
              placeholder="Brand, seller or number"
              value={filters.q}
              onChange={(q) => changeFilters({ q })}
            />
            {filters.channel && (
              <Button variant="secondary" size="sm" onClick={() => changeFilters({ channel: '' })}>
                Channel: {filters.channel} ×<span className="sr-only"> (remove the filter)</span>
              </Button>
            )}
            <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1 sm:ml-auto">
              {mayManage && (
                <Button variant="secondary" onClick={() => open({ what: 'import' })} icon={<Upload />}>
                  Import CSV
                </Button>
              )}
              <a
                href={addressOf(routes.exportStock, {}, filters)}
                download
                className={buttonClass({ variant: 'secondary' })}
              >
                <Download />
                Export CSV
              </a>
            </div>
          </>
        }
        lead="Newest submission first"
        empty={
          filters.q || filters.state || filters.channel
            ? 'Change the search or the state.'
            : 'A card appears here when its submission is completed.'
        }
      />
      {selected.length > 0 && (
        <SelectionBar
          selected={selected}
          mayRelease={mayRelease}
          onChange={(to) => open({ what: 'change', to, items: selected })}
          onCodes={() => open({ what: 'codes', items: selected })}
          onClear={selection.clear}
        />
      )}
      <ChangeDialog
        change={opened?.what === 'change' ? opened : undefined}
        onClose={close}
        onDone={selection.clear}
      />
      <CodesDialog items={opened?.what === 'codes' ? opened.items : undefined} onClose={close} />
      <ImportDialog open={opened?.what === 'import'} onClose={close} />
      <ItemDialog
        item={opened?.what === 'item' ? list.rows.find(({ id }) => id === opened.id) : undefined}
        onClose={close}
        onChange={(to, item) => open({ what: 'change', to, items: [item] })}
      />
      <KeysDialog of="Inventory" open={opened?.what === 'keys'} onOpenChange={close} />
    </StaffScreen>
  )
}

interface StateTabsProps {
  filters: { q: string; channel: string; state: StockState | undefined }
  onChange: (state: StockState | undefined) => void
}

/** The states, each with its cards and what they cost. */
function StateTabs({ filters: { state, ...others }, onChange }: StateTabsProps) {
  const { data = [], isSuccess } = useQuery({ ...read(routes.stockTotals, { query: others }), staleTime: 0 })
  const tabs = [undefined, ...stockStates]
  return (
    <nav
      aria-label="States"
      className="-mx-4 flex shrink-0 gap-2 px-4 py-1 max-sm:overflow-x-auto sm:grid sm:grid-cols-3 lg:-mx-6 lg:grid-cols-6 lg:px-6"
    >
      {tabs.map((tab) => {
        const { count, cost } = sumOf(data.filter((total) => tab === undefined || total.state === tab))
        return (
          <button
            key={tab ?? 'all'}
            type="button"
            aria-pressed={tab === state}
            onClick={() => onChange(tab)}
            className={cx(
              'grid shrink-0 content-start rounded-lg border px-4 py-2 text-left max-sm:min-w-32',
              tab === state ? 'border-accent bg-accent-quiet' : 'border-line bg-surface hover:bg-sunken',
            )}
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className="font-medium">{tab ? stockWords[tab].name : 'All'}</span>
              <span className="figures font-semibold">{isSuccess && showCount(count)}</span>
            </span>
            <span className="min-h-5 text-soft text-sm">
              {isSuccess && (
                <>
                  <Money amount={cost} /> cost
                </>
              )}
            </span>
          </button>
        )
      })}
    </nav>
  )
}

function sumOf(totals: readonly StockTotal[]): { count: number; cost: string } {
  const cents = totals.reduce((sum, { cost }) => sum + (parseDollars(cost) ?? 0), 0)
  return { count: totals.reduce((sum, { count }) => sum + count, 0), cost: toDecimal(cents) }
}
