import { type ReactNode, useRef } from 'react'
import { cx } from '#web/kit/cx.ts'
import type { Action } from '../shell/keys/key-table.ts'
import { useKeys } from '../shell/keys/use-keys.ts'
import { useDensity } from './density.tsx'

export interface Column<Row> {
  name: string
  /** What the head shows instead of the name. */
  head?: ReactNode
  cell: (row: Row) => ReactNode
  /** Right-aligned. */
  isNumber?: boolean
  /** Heads the card of a row on phones, without its name. */
  isTitle?: boolean
  /** A button or a box that says what it does, so its name is not shown. Beside the title on phones. */
  isAction?: boolean
  /** Whether a row has anything to show here. A column without anything is left out, and on phones each empty line. */
  isFilled?: (row: Row) => boolean
}

/** Move the focus to the first control of the row below or above. */
export type FocusKeys = Readonly<Record<'next' | 'previous', Action>>

interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** On phones each row is a card of names and values. */
  isStacked?: boolean
  /** A previous list, until the next one has loaded. */
  isOld?: boolean
  focusKeys?: FocusKeys
  /** Below the last row. */
  children?: ReactNode
}

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, isStacked = false, isOld = false, focusKeys, children } = props
  const scroller = useRef<HTMLElement>(null)
  function focusRow(by: 1 | -1) {
    const all = [...(scroller.current?.querySelectorAll('tbody tr') ?? [])]
    const focused = all.findIndex((row) => row.contains(document.activeElement))
    const next = all[Math.min(Math.max(focused + by, 0), all.length - 1)]
    next?.querySelector<HTMLElement>('a, button, input')?.focus()
  }
  useKeys(focusKeys ? { [focusKeys.next]: () => focusRow(1), [focusKeys.previous]: () => focusRow(-1) } : {})
  const columns = props.columns.filter(({ isFilled }) => !isFilled || rows.some(isFilled))
  const isCompact = useDensity() === 'compact'
  const cellClass = cx('px-2 first:pl-4 last:pr-4 lg:px-3', isCompact ? 'py-0.5' : 'py-2.5')
  return (
    <section
      ref={scroller}
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it on a narrow screen
      tabIndex={0}
      className={cx('relative min-h-0 overflow-auto', isOld && 'opacity-60')}
    >
      <table className={cx('w-full text-left text-sm', isStacked && 'max-sm:block')}>
        <thead className={cx(isStacked && 'max-sm:block')}>
          <tr className={cx('border-line text-soft max-sm:border-b', isStacked && 'max-sm:block')}>
            {columns.map(({ name, head, isNumber, isAction }) => (
              <th
                key={name}
                scope="col"
                data-name={name}
                className={cx(
                  'whitespace-nowrap bg-surface font-medium sm:sticky sm:top-0 sm:z-1 sm:shadow-[inset_0_-1px_var(--line)]',
                  cellClass,
                  isNumber && 'text-right',
                  head !== undefined && 'sm:w-px',
                  isStacked && (head ? headClass : 'max-sm:sr-only'),
                )}
              >
                {head ?? (isAction ? <span className="sr-only">{name}</span> : name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={cx('divide-y divide-line', isStacked && 'max-sm:block')}>
          {rows.map((row) => (
            <tr
              key={row.id}
              className={cx(
                'hover:bg-sunken',
                isStacked && 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:py-2',
              )}
            >
              {columns.map(({ name, cell, isNumber, isTitle, isAction, isFilled }) => (
                <td
                  key={name}
                  data-name={name}
                  className={cx(
                    cellClass,
                    isNumber && 'figures text-right',
                    isAction && 'text-right',
                    isStacked && (isTitle ? titleClass : isAction ? actionClass : stackedClass),
                    isStacked && isFilled && !isFilled(row) && 'max-sm:hidden',
                  )}
                >
                  {isStacked ? <div className="max-sm:min-w-0">{cell(row)}</div> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </section>
  )
}

/** The row that has the focus, or else the first. */
export function focusedRow<Row>(rows: readonly Row[]): Row | undefined {
  const row = document.activeElement?.closest<HTMLTableRowElement>('tbody tr')
  return rows[row?.sectionRowIndex ?? 0]
}

/** Above the boxes of the rows. */
const headClass =
  'max-sm:flex max-sm:items-center max-sm:justify-between max-sm:py-1 max-sm:pr-2 max-sm:before:content-[attr(data-name)]'
const titleClass =
  'max-sm:col-start-1 max-sm:row-start-1 max-sm:self-center max-sm:px-4 max-sm:py-1 max-sm:text-base'
const actionClass = 'max-sm:col-start-2 max-sm:row-start-1 max-sm:px-2 max-sm:py-0'
const stackedClass =
  'max-sm:col-span-full max-sm:grid max-sm:grid-cols-[6rem_minmax(0,1fr)] max-sm:gap-x-1.5 max-sm:px-4 max-sm:py-1 max-sm:text-left ' +
  'max-sm:before:text-soft max-sm:before:content-[attr(data-name)]'
