import { inDollars } from '#domain/money.ts'
import type { Step } from '#domain/reports.ts'

/** What the numbers of a chart are. */
export type Unit = 'count' | 'dollars' | 'percent' | 'seconds'

/** "1,234", "$1,234.50", "87.5 %", "3.2 h". A dash for nothing. */
export function written(value: number | null, unit: Unit): string {
  if (value === null) return '–'
  if (unit === 'dollars') return inDollars(value.toFixed(2))
  if (unit === 'seconds') return duration(value)
  return unit === 'percent' ? `${trimmed(value)}%` : value.toLocaleString('en-US')
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** The same, short enough for an axis: "$1.2K". */
export function formatForAxis(value: number, unit: Unit): string {
  if (unit === 'dollars') return `${value < 0 ? '-' : ''}$${compact.format(Math.abs(value))}`
  // "1.5 days" would take two lines.
  if (unit === 'seconds') return written(value, unit).replace(/ days?/, ' d')
  return unit === 'count' ? compact.format(value) : written(value, unit)
}

/** "1 card", "1,234 cards". */
export function counted(count: number, noun: string): string {
  return `${written(count, 'count')} ${noun}${count === 1 ? '' : 's'}`
}

/** Steps of a time axis, in seconds. */
const timeSteps = [
  15, 60, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
]

/** At most six ticks from 0 to a time, at times that people count in. */
export function timeTicks(most: number): number[] {
  const step = timeSteps.find((step) => most / step <= 5) ?? Math.ceil(most / 5)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}

const units = [
  [86_400, 'days'],
  [3600, 'h'],
  [60, 'min'],
] as const

function duration(seconds: number): string {
  const [size, name] = units.find(([size]) => seconds >= size) ?? [1, 'sec']
  const count = trimmed(seconds / size)
  return `${count} ${count === '1' ? name.replace(/s$/, '') : name}`
}

/** At most one decimal place. */
function trimmed(value: number): string {
  return String(Math.round(value * 10) / 10)
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const fullFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A period by its first day: "Mar 5" or "Mar 2026". */
export function periodLabel(period: string, by: Step): string {
  return (by === 'month' ? monthFormat : dayFormat).format(new Date(period))
}

/** The same for a table: "Mar 5, 2026", "Week of Mar 2, 2026" or "Mar 2026". */
export function periodName(period: string, by: Step): string {
  if (by === 'month') return periodLabel(period, by)
  return `${by === 'week' ? 'Week of ' : ''}${fullFormat.format(new Date(period))}`
}
