/**
 * The reports of staff. The table says what columns each has; the server, the CSV files and the screen follow it. Days are
 * days in the shop's time zone.
 */

export const steps = ['day', 'week', 'month'] as const
export type Step = (typeof steps)[number]

/** `period`: its first day. `money`: dollars as "93.00". `percent`: as "87.50". `seconds`: null if there was nothing to measure. */
export type ColumnKind = 'period' | 'text' | 'count' | 'money' | 'percent' | 'seconds'

export const reports = {
  volume: { period: 'period', submissions: 'count', faceValue: 'money', quoted: 'money' },
  approval_rate: { period: 'period', approved: 'count', rejected: 'count', rate: 'percent' },
  decision_time: { period: 'period', decisions: 'count', median: 'seconds', percentile90: 'seconds' },
  payout_time: { period: 'period', payouts: 'count', median: 'seconds', percentile90: 'seconds' },
  paid_out: { period: 'period', paymentType: 'text', payouts: 'count', amount: 'money' },
  owed: { paymentType: 'text', age: 'text', payouts: 'count', amount: 'money' },
  stock: { period: 'period', brand: 'text', cards: 'count', cost: 'money' },
  margin: {
    period: 'period',
    brand: 'text',
    cards: 'count',
    cost: 'money',
    proceeds: 'money',
    margin: 'money',
  },
  returns: { period: 'period', code: 'text', payouts: 'count', amount: 'money' },
  losses: { period: 'period', badCards: 'count', badCost: 'money', writtenOff: 'money' },
  reviewers: {
    reviewer: 'text',
    decisions: 'count',
    approved: 'count',
    rejected: 'count',
    offered: 'count',
    takenBack: 'count',
    median: 'seconds',
  },
} as const satisfies Record<string, Readonly<Record<string, ColumnKind>>>
export type ReportName = keyof typeof reports
export const reportNames = Object.keys(reports) as ReportName[]

interface CellOf {
  period: string
  text: string
  count: number
  money: string
  percent: string | null
  seconds: number | null
}
/** A row as it is sent. */
export type ReportRow<Name extends ReportName> = {
  readonly [Column in keyof (typeof reports)[Name]]: CellOf[(typeof reports)[Name][Column] & ColumnKind]
}

export function isReport(name: string): name is ReportName {
  return Object.hasOwn(reports, name)
}

/** How long a payout has been owed. */
export const owedAges = ['under_1_day', '1_to_3_days', '3_to_7_days', '7_to_30_days', 'over_30_days'] as const

/** The key of all brands that are not in the catalog. */
export const UNLISTED = ''

/** Days like "2026-03-05", both included. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly by: Step
}

/** Maximum days of a report. A chart of more than a year by day would be unreadable. */
export const MAX_DAYS: Readonly<Record<Step, number>> = { day: 366, week: 1830, month: 1830 }

const DAY_MS = 24 * 3600 * 1000

/** How many days a range has. Negative or zero if it ends before it starts. */
export function daysIn({ from, to }: Pick<Range, 'from' | 'to'>): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
}

/** The day this many days later, or earlier if negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The month that is this many months before the month of a day, like "2026-03". */
export function monthBefore(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - months)).toISOString().slice(0, 7)
}

/** The first days of all periods in the range. Weeks start on Monday. The first period may start before the range does. */
export function periodsOf({ from, to, by }: Range): string[] {
  const periods: string[] = []
  for (let period = startOf(from, by); period <= to; period = nextPeriod(period, by)) periods.push(period)
  return periods
}

function startOf(day: string, by: Step): string {
  if (by === 'month') return `${day.slice(0, 7)}-01`
  return by === 'week' ? addDays(day, -((new Date(day).getUTCDay() + 6) % 7)) : day
}

function nextPeriod(period: string, by: Step): string {
  if (by === 'month') return startOf(addDays(period, 31), 'month')
  return addDays(period, by === 'week' ? 7 : 1)
}
