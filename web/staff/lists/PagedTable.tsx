import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { MAX_COUNTED } from '#domain/counting.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { QueryStatus } from '../QueryStatus.tsx'
import { DensitySwitch, useDensity } from './density.tsx'
import type { PagedList } from './use-paged-list.ts'

/** A tab with one list and its filters. Where the dashboard fills the window, only the rows scroll. */
export function ListTab({ filters, children }: { filters: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 p-4 lg:px-6">
      <search className="flex flex-wrap items-center gap-2">{filters}</search>
      {children}
    </div>
  )
}

interface PagedTableProps<Row> {
  /** Plural, in lower case: "users". */
  noun: string
  list: PagedList<Row>
  columns: readonly Column<Row>[]
  /** What to do when no row matches. */
  whenEmpty: string
  /** A button beside the count. */
  action?: ReactNode
}

export function PagedTable<Row extends { id: string }>(props: PagedTableProps<Row>) {
  const { noun, list, columns, whenEmpty, action } = props
  const { rows, query } = list
  return (
    <div className="flex min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex shrink-0 items-center gap-3 border-line border-b px-4 py-2 text-soft text-sm">
        <Count list={list} noun={noun} />
        {action}
      </div>
      <div className={cx('flex min-h-0 flex-col', query.isPlaceholderData && 'opacity-60')}>
        <div className="p-4 empty:hidden [&>.border-dashed]:border-0">
          <QueryStatus query={query} noun={`the ${noun}`} rows={5} />
          {query.isSuccess && rows.length === 0 && (
            <EmptyState icon={<SearchX />} title={`No ${noun} found`}>
              {whenEmpty}
            </EmptyState>
          )}
        </div>
        {rows.length > 0 && <DataTable isStacked caption={noun} columns={columns} rows={rows} />}
      </div>
      {query.hasNextPage && (
        <div className="shrink-0 border-line border-t p-3 text-center">
          <Button
            variant="secondary"
            loading={query.isFetchingNextPage ?? false}
            onClick={() => void query.fetchNextPage?.()}
          >
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}

/** "75 of 401 submissions" or "75 of 1,000+ submissions", and the switch for the height of the rows. `noun` is plural. */
export function Count<Row>({ list: { rows, total, query }, noun }: { list: PagedList<Row>; noun: string }) {
  const one = noun.replace(/ies$/, 'y').replace(/(?<=ch)es$|s$/, '')
  const isCounted = total <= MAX_COUNTED
  const hasUncounted = !isCounted && query.hasNextPage
  const count = isCounted ? total : Math.max(rows.length, hasUncounted ? MAX_COUNTED : 0)
  const whole = `${count.toLocaleString('en-US')}${hasUncounted ? '+' : ''} ${count === 1 ? one : noun}`
  const loaded = rows.length < count ? `${rows.length.toLocaleString('en-US')} of ${whole}` : whole
  return (
    <div className="flex min-w-0 flex-1 items-center justify-between gap-2">
      <p role="status" className="figures">
        {query.isSuccess || rows.length > 0 ? loaded : query.isPending ? 'Loading...' : 'Not loaded'}
      </p>
      <DensitySwitch />
    </div>
  )
}

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

interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** On phones each row is a card of names and values. */
  isStacked?: boolean
}

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, isStacked = false } = props
  const columns = props.columns.filter(({ isFilled }) => !isFilled || rows.some(isFilled))
  const isCompact = useDensity() === 'compact'
  const cellClass = cx('px-2 first:pl-4 last:pr-4 lg:px-3', isCompact ? 'py-0.5' : 'py-2.5')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it on a narrow screen
    <section aria-label={caption} tabIndex={0} className="relative min-h-0 overflow-auto">
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
    </section>
  )
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
