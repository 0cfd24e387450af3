import type { ReactNode } from 'react'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** For amounts and counts, which are compared by their last digit. */
  isNumber?: boolean
}

interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}

export function DataTable<Row extends { id: string }>({ caption, columns, rows }: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways on a narrow screen must be reachable by keys
    <section aria-label={caption} tabIndex={0} className="overflow-x-auto">
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

/** An id in a column: whole, because people search for it, but quiet. */
export function IdCell({ children }: { children: string }) {
  // In two lines of about the same length: the first three groups of a UUID and its dashes, then the rest.
  return (
    <span className="block w-38 font-mono text-soft text-xs leading-snug">
      {children.slice(0, 19)}
      <wbr />
      {children.slice(19)}
    </span>
  )
}
