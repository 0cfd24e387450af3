import type { StockItem } from '#contract/inventory.ts'
import type { StockState } from '#domain/inventory.ts'
import { dayIn } from '#domain/shop-time.ts'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { onOneLine } from '#web/kit/masked.tsx'
import { toneClass } from '#web/kit/tone.ts'
import { UnlistedBadge } from '../facts/badges.tsx'
import { stockWords } from '../facts/stock-words.ts'
import type { Column } from '../list/DataTable.tsx'
import { SelectBox } from '../list/SelectBox.tsx'
import type { Selection } from '../list/use-selection.ts'
import { When } from '../shell/RelativeTime.tsx'

interface Handlers {
  selection?: Selection<StockItem>
  /** Of the shop. */
  timeZone: string
  onOpen: (id: string) => void
  onChannel: (channel: string) => void
}

export function stockColumns({ selection, timeZone, onOpen, onChannel }: Handlers): Column<StockItem>[] {
  return [
    ...(selection ? [selectColumn(selection)] : []),
    {
      name: 'Card',
      isTitle: true,
      cell: ({ id, brandName, unlistedBrand, cardNumber, username, secretsErasedAt }) => (
        <span className="wrap-anywhere grid min-w-36">
          <span className="flex flex-wrap items-center gap-x-2">
            <button
              type="button"
              onClick={() => onOpen(id)}
              aria-label={`Details of ${brandName} ${cardNumber}`}
              className="text-left font-medium underline underline-offset-4"
            >
              {brandName}
            </button>
            {unlistedBrand && <UnlistedBadge />}
          </span>
          <span className="text-soft">
            <span className="whitespace-nowrap font-mono">{onOneLine(cardNumber)}</span>
            <span className="sm:max-lg:hidden"> · </span>
            <span className="sm:max-lg:block">
              {username}
              {secretsErasedAt !== null && ' · erased'}
            </span>
          </span>
        </span>
      ),
    },
    { name: 'Face value', isNumber: true, cell: ({ denomination }) => <Money amount={denomination} /> },
    { name: 'Cost', isNumber: true, cell: ({ cost }) => <Money amount={cost} className="font-medium" /> },
    { name: 'State', cell: ({ state }) => <StockBadge state={state} /> },
    {
      name: 'Channel',
      isFilled: ({ channel }) => channel !== null,
      cell: ({ channel }) =>
        channel === null ? (
          <span className="text-soft">–</span>
        ) : (
          <button
            type="button"
            title="Show this channel only"
            onClick={() => onChannel(channel)}
            className="wrap-anywhere max-w-48 text-left underline underline-offset-4"
          >
            {channel}
          </button>
        ),
    },
    {
      name: 'Proceeds',
      isNumber: true,
      isFilled: ({ proceeds }) => proceeds !== null,
      cell: ({ proceeds, soldAt }) =>
        proceeds === null ? (
          <span className="text-soft">–</span>
        ) : (
          <>
            <Money amount={proceeds} className="font-medium" />
            {soldAt && (
              <span className="block text-soft">
                <When at={dayIn(timeZone, new Date(soldAt))} as="day" />
              </span>
            )}
          </>
        ),
    },
    {
      name: 'Submitted',
      cell: ({ submittedAt, enteredAt, leftAt }) => (
        <span className="block min-w-28">
          <When at={submittedAt} as="day" />
          <span className="block text-soft">
            {leftAt ? 'left' : 'bought'} <When at={leftAt ?? enteredAt} as="day" />
          </span>
        </span>
      ),
    },
  ]
}

function selectColumn({ has, hasAll, toggle, toggleAll }: Selection<StockItem>): Column<StockItem> {
  const box = 'size-11 md:pointer-fine:size-8'
  return {
    name: 'Select all',
    isAction: true,
    head: <SelectBox label="Select all listed cards" checked={hasAll} onChange={toggleAll} className={box} />,
    cell: ({ id, brandName, cardNumber }) => (
      <SelectBox
        label={`Select ${brandName} ${cardNumber}`}
        checked={has(id)}
        onChange={(options) => toggle(id, options)}
        className={box}
      />
    ),
  }
}

export function StockBadge({ state }: { state: StockState }) {
  const { name, tone } = stockWords[state]
  return (
    <span
      className={cx(
        'inline-flex items-center whitespace-nowrap rounded-chip px-2.5 py-1 font-semibold text-xs',
        toneClass[tone],
      )}
    >
      {name}
    </span>
  )
}
