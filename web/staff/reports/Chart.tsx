import {
  Bar,
  BarChart,
  CartesianGrid,
  ComposedChart,
  LabelList,
  Line,
  ResponsiveContainer,
  Text,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { formatForAxis, timeTicks, written } from './report-formats.ts'
import type { Point, View } from './report-views.ts'
import './chart.css'

/** More bars than these are only in the table. */
const MAX_BARS = 12
/** The tooltip and the table have the rest of a long reason. */
const MAX_LINES = 4

interface ChartProps {
  title: string
  view: View
}

/** Arrow keys move along the points of a focused chart. Its numbers are also in a table, next to it. */
export function Chart({ title, view }: ChartProps) {
  return (
    <div className="chart text-xs" data-series={view.series.length}>
      {view.series.length > 1 && <Legend series={view.series} />}
      {view.chart === 'bars' ? <Bars title={title} view={view} /> : <TimeChart title={title} view={view} />}
      {view.chart === 'bars' && view.points.length > MAX_BARS && (
        <p className="pt-2 text-soft">
          The first {MAX_BARS} of {view.points.length}. The table has all.
        </p>
      )}
    </div>
  )
}

function Legend({ series }: Pick<View, 'series'>) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 pb-3 text-soft">
      {series.map((name, index) => (
        <li key={name} className="flex items-center gap-2">
          <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3">
            <rect width="12" height="12" rx="2" fill={colorOf(index)} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

/** In chart.css. */
const colorOf = (index: number) => `var(--series-${index + 1})`
const valueIn = (index: number) => (point: Point) => point.values[index] ?? null

function TimeChart({ title, view }: ChartProps) {
  const { unit, series, points, chart } = view
  return (
    <ResponsiveContainer width="100%" height={220}>
      <ComposedChart data={[...points]} title={title} margin={{ top: 8, right: 12, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="label"
          tickLine={false}
          axisLine={{ stroke: 'var(--control)' }}
          minTickGap={24}
          tickMargin={8}
        />
        <YAxis
          width={56}
          // Otherwise the label of the top line is moved below it.
          interval={0}
          tickLine={false}
          axisLine={false}
          tickFormatter={(value: number) => formatForAxis(value, unit)}
          allowDecimals={unit !== 'count'}
          {...(unit === 'percent' && { domain: [0, 100] })}
          {...(unit === 'seconds' && { ticks: timeTicks(largest(points)) })}
        />
        <Tooltip
          content={<Values view={view} />}
          cursor={{ fill: 'var(--sunken)', stroke: 'var(--control)' }}
        />
        {series.map((name, index) =>
          chart === 'columns' ? (
            <Bar
              key={name}
              name={name}
              dataKey={valueIn(index)}
              stackId="all"
              fill={colorOf(index)}
              maxBarSize={36}
              isAnimationActive={false}
            />
          ) : (
            <Line
              key={name}
              name={name}
              dataKey={valueIn(index)}
              stroke={colorOf(index)}
              strokeWidth={2}
              // Days with too little to compute from have no value.
              connectNulls
              {...(index > 0 && { strokeDasharray: '5 4' })}
              dot={(dot: DotProps) =>
                isDotShown(points, dot.index, index) && (
                  <Dot key={dot.index} {...dot} color={colorOf(index)} />
                )
              }
              isAnimationActive={false}
            />
          ),
        )}
      </ComposedChart>
    </ResponsiveContainer>
  )
}

interface DotProps {
  index: number
  cx?: number
  cy?: number | null
}

/** On a long line, only the points without a neighbor: they show between which days the line only connects. */
function isDotShown(points: readonly Point[], at: number, series: number): boolean {
  const has = (position: number) => typeof points[position]?.values[series] === 'number'
  return has(at) && (points.length <= 31 || !(has(at - 1) || has(at + 1)))
}

function Dot({ cx, cy, color }: DotProps & { color: string }) {
  return <circle cx={cx} cy={cy ?? undefined} r={2.5} fill={color} />
}

const largest = (points: readonly Point[]) =>
  Math.max(1, ...points.flatMap(({ values }) => values.map(Number)))

function Bars({ title, view }: ChartProps) {
  const { unit, series } = view
  const points = view.points.slice(0, MAX_BARS)
  // Reasons are sentences, which take several lines of a wider axis.
  const longest = Math.max(...points.map(({ label }) => label.length))
  const axisWidth = longest > 20 ? 150 : 104
  const lines = Math.min(Math.ceil(longest / (axisWidth / 8)), MAX_LINES)
  return (
    <ResponsiveContainer width="100%" height={24 + points.length * Math.max(34, 8 + 13 * lines)}>
      <BarChart
        data={points}
        layout="vertical"
        title={title}
        margin={{ top: 0, right: series.length > 1 ? 12 : unit === 'count' ? 40 : 84, bottom: 0, left: 0 }}
      >
        <XAxis
          type="number"
          hide={series.length === 1}
          height={24}
          tickLine={false}
          axisLine={false}
          allowDecimals={unit !== 'count'}
          tickFormatter={(value: number) => formatForAxis(value, unit)}
        />
        <YAxis
          type="category"
          dataKey="label"
          width={axisWidth}
          interval={0}
          tickLine={false}
          axisLine={{ stroke: 'var(--control)' }}
          tick={({ payload, ...tick }) => (
            // With its font size, by which the words are measured.
            <Text {...tick} maxLines={MAX_LINES} style={{ fontSize: '0.75rem' }}>
              {payload.value}
            </Text>
          )}
        />
        <Tooltip content={<Values view={view} />} cursor={{ fill: 'var(--sunken)' }} />
        {series.map((name, index) => (
          <Bar
            key={name}
            name={name}
            dataKey={valueIn(index)}
            stackId="all"
            fill={colorOf(index)}
            maxBarSize={22}
            isAnimationActive={false}
          >
            {series.length === 1 && (
              <LabelList
                dataKey={valueIn(index) as never}
                position="right"
                formatter={(value) => written(Number(value), unit)}
              />
            )}
          </Bar>
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}

interface ValuesProps {
  view: View
  /** The library adds these. */
  active?: boolean
  payload?: readonly { payload: Point }[]
}

function Values({ view: { series, unit }, active, payload }: ValuesProps) {
  const point = payload?.[0]?.payload
  if (!active || !point) return null
  return (
    <div className="rounded-md border border-control bg-surface px-3 py-2 text-ink text-sm shadow-raised">
      <p className="font-medium">{point.name}</p>
      {series.map((name, index) => (
        <p key={name} className="figures">
          {name}: {written(point.values[index] ?? null, unit)}
        </p>
      ))}
    </div>
  )
}
