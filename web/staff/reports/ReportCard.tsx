import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Download, Table2 } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { ReportName, ReportRow } from '#domain/reports.ts'
import { Button, buttonClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { addressOf } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { DataTable } from '../list/DataTable.tsx'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { written } from './report-formats.ts'
import { type Labels, type Point, type Table, titles, type View, viewOf, whenEmpty } from './report-views.ts'

/** The library for charts is larger than all of the screen. */
const Chart = lazyComponent(() => import('./Chart.tsx').then((module) => module.Chart))

/** One report: a sentence, a chart or the same numbers as a table, and the download. */
export function ReportCard({ name, labels }: { name: ReportName; labels: Labels }) {
  const id = useId()
  const query = useReport(name, labels)
  const [asTable, setAsTable] = useState(false)
  const view = query.data && viewOf(name, query.data, labels)
  const sparse = view && sparsePoints(view)
  const shown = sparse ? 'numbers' : 'a chart'
  const title = titles[name]
  return (
    <section
      aria-labelledby={id}
      // Eleven reports: the last one is as wide as two.
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4 lg:last:col-span-2"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        <div className="-mr-2 flex">
          {view && (
            <Button
              variant="quiet"
              size="sm"
              className="px-2"
              onClick={() => setAsTable(!asTable)}
              aria-label={`${title} as ${asTable ? shown : 'a table'}`}
              icon={asTable && !sparse ? <ChartColumn /> : <Table2 />}
            >
              {asTable ? (sparse ? 'Numbers' : 'Chart') : 'Table'}
            </Button>
          )}
          <a
            href={addressOf(routes.exportReport, { name }, labels.range)}
            download
            aria-label={`${title} as CSV`}
            className={cx(buttonClass({ variant: 'quiet', size: 'sm' }), 'px-2')}
          >
            <Download />
            CSV
          </a>
        </div>
      </div>
      <QueryStatus query={query} noun="the report" loading={<Skeleton className="h-56" />} />
      {query.isSuccess && !view && (
        <p className="grid min-h-24 place-items-center text-soft text-sm">{whenEmpty[name]}</p>
      )}
      {view && <p className="text-pretty text-soft text-sm">{view.summary}</p>}
      {view && asTable && <ReportTable caption={title} table={view.table} />}
      {view && !asTable && sparse && <Numbers view={view} points={sparse} />}
      {view && !asTable && !sparse && (
        <Suspense fallback={<Skeleton className="h-56" />}>
          <Chart title={title} view={view} />
        </Suspense>
      )}
    </section>
  )
}

/** The points with data, if they are too few for a chart: a line through two days is only a spike. Undefined otherwise. */
function sparsePoints({ chart, points }: View): readonly Point[] | undefined {
  const filled = points.filter(({ values }) => values.some((value) => value !== null))
  return filled.length < minimum[chart] ? filled : undefined
}

const minimum: Readonly<Record<View['chart'], number>> = { lines: 5, bars: 2, columns: 0 }

function Numbers({ view: { series, unit }, points }: { view: View; points: readonly Point[] }) {
  return (
    <dl className="divide-y divide-line border-line border-y text-sm empty:hidden">
      {points.map(({ name, values }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 py-2">
          <dt>{name}</dt>
          <dd className="figures">
            {values.map((value, index) => (
              <span key={series[index]} className="ml-4">
                {series.length > 1 && <span className="text-soft">{series[index]} </span>}
                <span className="font-semibold">{written(value, unit)}</span>
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The rows of a report for the chosen range. */
export function useReport<Name extends ReportName>(name: Name, { range }: Pick<Labels, 'range'>) {
  return useQuery({
    ...read(routes.report, { params: { name }, query: range }),
    select: (rows) => rows as unknown as readonly ReportRow<Name>[],
    staleTime: 0,
  })
}

function ReportTable({ caption, table: { columns, rows } }: { caption: string; table: Table }) {
  return (
    <div className="-mx-4 max-h-96 overflow-y-auto">
      <DataTable
        caption={caption}
        columns={columns.map((column, index) => ({
          ...column,
          cell: (row: { cells: readonly string[] }) => (
            <span className="whitespace-nowrap">{row.cells[index]}</span>
          ),
        }))}
        rows={rows.map((cells) => ({ id: cells[0] ?? '', cells }))}
      />
    </div>
  )
}
