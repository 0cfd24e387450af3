import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { QueryStatus } from '../QueryStatus.tsx'
import { DensitySwitch, useDensity } from './density.tsx'
import type { PagedList } from './use-paged-list.ts'

/** A tab with one list and its filters. */
export function ListTab({ filters, children }: { filters: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-4 lg:px-6">
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
}

export function PagedTable<Row extends { id: string }>(props: PagedTableProps<Row>) {
  const { noun, list, columns, whenEmpty } = props
  const { rows, query } = list
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="border-line border-b px-4 py-2 text-soft text-sm">
        <Count list={list} noun={noun} />
      </div>
      <div className={cx(query.isPlaceholderData && 'opacity-60')}>
        <div className="p-4 empty:hidden">
          <QueryStatus query={query} noun={`the ${noun}`} rows={5} />
          {query.isSuccess && rows.length === 0 && (
            <EmptyState icon={<SearchX />} title={`No ${noun} found`}>
              {whenEmpty}
            </EmptyState>
          )}
        </div>
        {rows.length > 0 && <DataTable caption={noun} columns={columns} rows={rows} />}
      </div>
      {query.hasNextPage && (
        <div className="border-line border-t p-3 text-center">
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

/** "75 of 401 submissions", and the switch for the height of the rows. `noun` is plural. */
export function Count<Row>({ list: { rows, total, query }, noun }: { list: PagedList<Row>; noun: string }) {
  const one = noun.replace(/ies$/, 'y').replace(/(?<=ch)es$|s$/, '')
  const whole = `${total.toLocaleString('en-US')} ${total === 1 ? one : noun}`
  const loaded = rows.length < total ? `${rows.length.toLocaleString('en-US')} of ${whole}` : whole
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
  /** Whether a row has anything to show here. A column without anything is left out. */
  isFilled?: (row: Row) => boolean
}

interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { caption, rows } = props
  const columns = props.columns.filter(({ isFilled }) => !isFilled || rows.some(isFilled))
  const padding = useDensity() === 'compact' ? 'py-0.5' : 'py-2.5'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it on a narrow screen
    <section aria-label={caption} tabIndex={0} className="relative overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-line border-b text-soft">
            {columns.map(({ name, head = name, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={cx(
                  'whitespace-nowrap px-2 font-medium first:pl-4 last:pr-4 lg:px-3',
                  padding,
                  isNumber && 'text-right',
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.id} className="hover:bg-sunken">
              {columns.map(({ name, cell, isNumber }) => (
                <td
                  key={name}
                  className={cx(
                    'px-2 first:pl-4 last:pr-4 lg:px-3',
                    padding,
                    isNumber && 'figures text-right',
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
