import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Time } from '#web/kit/Time.tsx'
import { QueryStatus } from '../QueryStatus.tsx'
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

/** "75 of 401 submissions". `noun` is plural. */
export function Count<Row>({ list: { rows, total, query }, noun }: { list: PagedList<Row>; noun: string }) {
  const one = noun.replace(/ies$/, 'y').replace(/s$/, '')
  const whole = `${total.toLocaleString('en-US')} ${total === 1 ? one : noun}`
  const loaded = rows.length < total ? `${rows.length.toLocaleString('en-US')} of ${whole}` : whole
  return (
    <p role="status" className="figures">
      {query.isSuccess || rows.length > 0 ? loaded : query.isPending ? 'Loading...' : 'Not loaded'}
    </p>
  )
}

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** Right-aligned. */
  isNumber?: boolean
}

interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}

export function DataTable<Row extends { id: string }>({ caption, columns, rows }: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it on a narrow screen
    <section aria-label={caption} tabIndex={0} className="relative overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-line border-b text-soft">
            {columns.map(({ name, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={`whitespace-nowrap px-2 py-2.5 font-medium first:pl-4 last:pr-4 lg:px-3 ${isNumber ? 'text-right' : ''}`}
              >
                {name}
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
                  className={`px-2 py-2.5 first:pl-4 last:pr-4 lg:px-3 ${isNumber ? 'figures text-right' : ''}`}
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

/** The whole id, because people search for it. */
export function IdCell({ children }: { children: string }) {
  // Breaks a UUID after its third group, into two lines of similar length.
  return (
    <span className="block w-38 font-mono text-soft text-xs leading-snug">
      {children.slice(0, 19)}
      <wbr />
      {children.slice(19)}
    </span>
  )
}

export function When({ at }: { at: string }) {
  return (
    <>
      <Time at={at} />
      <span className="block text-soft">
        <Time at={at} as="clock" />
      </span>
    </>
  )
}
