import { owedAges, periodsOf, type Range, type ReportName, type ReportRow } from '#domain/reports.ts'
import { counted, periodLabel, periodName, type Unit, written } from './report-formats.ts'

/** What a report shows: a chart, the same numbers as a table, and a sentence. */
export interface View {
  /** `columns` and `lines` go along the time, `bars` compare names. */
  readonly chart: 'columns' | 'lines' | 'bars'
  readonly unit: Unit
  readonly series: readonly string[]
  readonly points: readonly Point[]
  readonly summary: string
  readonly table: Table
  /** Some values are only in the table. */
  readonly leavesOut?: boolean
}

export interface Point {
  /** For the axis. */
  readonly label: string
  /** For the tooltip. */
  readonly name: string
  /** In the order of the series. */
  readonly values: readonly (number | null)[]
}

export interface Table {
  readonly columns: readonly { readonly name: string; readonly isNumber?: boolean }[]
  readonly rows: readonly (readonly string[])[]
}

/** What views need to know besides the rows. */
export interface Labels {
  readonly range: Range
  readonly brand: (slug: string) => string
  readonly paymentType: (type: string) => string
}

/** Decisions of a period from which its rate is in the chart. Fewer make it jump from 0% to 100%. */
const MIN_DECISIONS = 5

export const titles: Readonly<Record<ReportName, string>> = {
  volume: 'Submissions',
  approval_rate: 'Approval rate',
  decision_time: 'Time to first decision',
  payout_time: 'Time to payout',
  paid_out: 'Paid out',
  owed: 'Owed now',
  stock: 'Stock at cost',
  margin: 'Margin by brand',
  returns: 'Returned payouts',
  losses: 'Losses',
  reviewers: 'Reviewers',
}

/** Shown instead of a chart if there is nothing to show. */
export const whenEmpty: Readonly<Record<ReportName, string>> = {
  volume: 'No submissions in this period',
  approval_rate: 'No decisions in this period',
  decision_time: 'No decisions in this period',
  payout_time: 'No payouts in this period',
  paid_out: 'No payouts in this period',
  owed: 'Nothing is owed',
  stock: 'No cards in stock',
  margin: 'No cards sold in this period',
  returns: 'No payouts came back in this period',
  losses: 'No losses in this period',
  reviewers: 'No decisions in this period',
}

/** What to show of a report; undefined if there is nothing. */
export function viewOf<Name extends ReportName>(
  name: Name,
  rows: readonly ReportRow<Name>[],
  labels: Labels,
): View | undefined {
  const view = views[name](rows, labels)
  // A rate of 0 % says something, unlike a sum of 0.
  const isShown = (value: number | null) => value !== null && (value !== 0 || view.unit === 'percent')
  return view.leavesOut || view.points.some(({ values }) => values.some(isShown)) ? view : undefined
}

type Views = { readonly [Name in ReportName]: (rows: readonly ReportRow<Name>[], labels: Labels) => View }

const views: Views = {
  volume: (rows, { range }) => ({
    chart: 'columns',
    unit: 'count',
    series: ['Submissions'],
    points: rows.map(({ period, submissions }) => point(period, range, [submissions])),
    summary: `${written(total(rows, 'submissions'), 'count')} submitted, with a face value of ${dollars(rows, 'faceValue')}.`,
    table: {
      columns: [{ name: 'Period' }, number('Submissions'), number('Face value'), number('Quoted')],
      rows: rows.map(({ period, submissions, faceValue, quoted }) => [
        periodName(period, range.by),
        written(submissions, 'count'),
        written(Number(faceValue), 'dollars'),
        written(Number(quoted), 'dollars'),
      ]),
    },
  }),

  approval_rate(rows, { range }) {
    const approved = total(rows, 'approved')
    const decided = approved + total(rows, 'rejected')
    const isShown = (row: (typeof rows)[number]) => row.approved + row.rejected >= MIN_DECISIONS
    const leavesOut = rows.some((row) => row.rate !== null && !isShown(row))
    return {
      chart: 'lines',
      unit: 'percent',
      leavesOut,
      series: ['Approved'],
      points: rows.map((row) => point(row.period, range, [isShown(row) ? numberOf(row.rate) : null])),
      summary: `${written(approved, 'count')} of ${counted(decided, 'decision')} approved the card (${percentOf(approved, decided)}).${leavesOut ? ` The chart leaves out ${range.by}s with fewer than ${MIN_DECISIONS} decisions; the table has them.` : ''}`,
      table: {
        columns: [{ name: 'Period' }, number('Approved'), number('Rejected'), number('Rate')],
        rows: rows.map((row) => [
          periodName(row.period, range.by),
          written(row.approved, 'count'),
          written(row.rejected, 'count'),
          written(numberOf(row.rate), 'percent'),
        ]),
      },
    }
  },

  decision_time: (rows, labels) =>
    timeView(
      rows.map(({ decisions, ...row }) => ({ ...row, count: decisions })),
      labels,
      'Decisions',
    ),

  payout_time: (rows, labels) =>
    timeView(
      rows.map(({ payouts, ...row }) => ({ ...row, count: payouts })),
      labels,
      'Payouts',
    ),

  paid_out(rows, { range, paymentType }) {
    const periods = Map.groupBy(rows, ({ period }) => period)
    const types = namesBy(rows, ({ paymentType }) => paymentType, 'amount')
    const sums = periodsOf(range).map((period) => ({ period, paid: periods.get(period) ?? [] }))
    return {
      chart: 'columns',
      unit: 'dollars',
      series: ['Paid out'],
      points: sums.map(({ period, paid }) => point(period, range, [total(paid, 'amount')])),
      summary: `${counted(total(rows, 'payouts'), 'payout')}, ${dollars(rows, 'amount')} in all.`,
      table: {
        columns: [
          { name: 'Period' },
          number('Payouts'),
          number('Paid out'),
          ...types.map((type) => number(paymentType(type))),
        ],
        rows: sums.map(({ period, paid }) => [
          periodName(period, range.by),
          written(total(paid, 'payouts'), 'count'),
          dollars(paid, 'amount'),
          ...types.map((type) =>
            dollars(
              paid.filter((row) => row.paymentType === type),
              'amount',
            ),
          ),
        ]),
      },
    }
  },

  owed(rows, { paymentType }) {
    const types = namesBy(rows, ({ paymentType }) => paymentType, 'amount')
    const ages = owedAges.map((age) => ({ age, owed: rows.filter((row) => row.age === age) }))
    return {
      chart: 'bars',
      unit: 'dollars',
      series: ['Owed'],
      points: ages.map(({ age, owed }) => named(ageNames[age], [total(owed, 'amount')])),
      summary: `${counted(total(rows, 'payouts'), 'payout')}, ${dollars(rows, 'amount')} in all, by how long they have been due. Payouts in a batch count until they are paid, and so do payouts that came back.`,
      table: {
        columns: [
          { name: 'Due for' },
          number('Payouts'),
          number('Owed'),
          ...types.map((type) => number(paymentType(type))),
        ],
        rows: ages.map(({ age, owed }) => [
          ageNames[age],
          written(total(owed, 'payouts'), 'count'),
          dollars(owed, 'amount'),
          ...types.map((type) =>
            dollars(
              owed.filter((row) => row.paymentType === type),
              'amount',
            ),
          ),
        ]),
      },
    }
  },

  stock(rows, { range, brand }) {
    const last = periodsOf(range).at(-1)
    const now = rows.filter(({ period }) => period === last).sort(byAmount('cost'))
    return {
      chart: 'bars',
      unit: 'dollars',
      series: ['Cost'],
      points: now.map((row) => named(brand(row.brand), [Number(row.cost)])),
      summary: `${counted(total(now, 'cards'), 'card')}, ${dollars(now, 'cost')} at cost, at the end of the period.`,
      table: {
        columns: [{ name: 'Brand' }, number('Cards'), number('Cost')],
        rows: now.map((row) => [
          brand(row.brand),
          written(row.cards, 'count'),
          written(Number(row.cost), 'dollars'),
        ]),
      },
    }
  },

  margin(rows, { brand }) {
    const brands = namesBy(rows, ({ brand }) => brand, 'margin').map((slug) => ({
      name: brand(slug),
      sold: rows.filter((row) => row.brand === slug),
    }))
    return {
      chart: 'bars',
      unit: 'dollars',
      series: ['Margin'],
      points: brands.map(({ name, sold }) => named(name, [total(sold, 'margin')])),
      summary: `${counted(total(rows, 'cards'), 'card')} sold for ${dollars(rows, 'proceeds')}, at a cost of ${dollars(rows, 'cost')}: a margin of ${dollars(rows, 'margin')}.`,
      table: {
        columns: [
          { name: 'Brand' },
          number('Cards'),
          number('Cost'),
          number('Proceeds'),
          number('Margin'),
          number('Of proceeds'),
        ],
        rows: brands.map(({ name, sold }) => [
          name,
          written(total(sold, 'cards'), 'count'),
          dollars(sold, 'cost'),
          dollars(sold, 'proceeds'),
          dollars(sold, 'margin'),
          percentOf(total(sold, 'margin'), total(sold, 'proceeds')),
        ]),
      },
    }
  },

  returns(rows) {
    const codes = namesBy(rows, ({ code }) => code, 'amount').map((code) => ({
      name: code || 'Unknown',
      returned: rows.filter((row) => row.code === code),
    }))
    return {
      chart: 'bars',
      unit: 'count',
      series: ['Returns'],
      points: codes.map(({ name, returned }) => named(name, [total(returned, 'payouts')])),
      summary: `${counted(total(rows, 'payouts'), 'payout')} came back, ${dollars(rows, 'amount')} in all.`,
      table: {
        columns: [{ name: 'Code or reason' }, number('Returns'), number('Amount')],
        rows: codes.map(({ name, returned }) => [
          name,
          written(total(returned, 'payouts'), 'count'),
          dollars(returned, 'amount'),
        ]),
      },
    }
  },

  losses: (rows, { range }) => ({
    chart: 'columns',
    unit: 'dollars',
    series: ['Bad cards', 'Written off'],
    points: rows.map(({ period, badCost, writtenOff }) =>
      point(period, range, [Number(badCost), Number(writtenOff)]),
    ),
    summary: `${counted(total(rows, 'badCards'), 'bad card')} that cost ${dollars(rows, 'badCost')}, and ${dollars(rows, 'writtenOff')} written off.`,
    table: {
      columns: [{ name: 'Period' }, number('Bad cards'), number('Their cost'), number('Written off')],
      rows: rows.map(({ period, badCards, badCost, writtenOff }) => [
        periodName(period, range.by),
        written(badCards, 'count'),
        written(Number(badCost), 'dollars'),
        written(Number(writtenOff), 'dollars'),
      ]),
    },
  }),

  reviewers: (rows) => ({
    chart: 'bars',
    unit: 'count',
    series: ['Approved', 'Rejected', 'Offered'],
    points: rows.map(({ reviewer, approved, rejected, offered }) =>
      named(reviewer, [approved, rejected, offered]),
    ),
    summary: `${counted(total(rows, 'decisions'), 'decision')} by ${written(rows.length, 'count')} ${rows.length === 1 ? 'person' : 'people'}.`,
    table: {
      columns: [
        { name: 'Reviewer' },
        number('Decisions'),
        number('Approved'),
        number('Rejected'),
        number('Offered'),
        number('Undone'),
        number('Median time'),
      ],
      rows: rows.map((row) => [
        row.reviewer,
        ...[row.decisions, row.approved, row.rejected, row.offered, row.takenBack].map((count) =>
          written(count, 'count'),
        ),
        written(row.median, 'seconds'),
      ]),
    },
  }),
}

interface TimeRow {
  readonly period: string
  readonly count: number
  readonly median: number | null
  readonly percentile90: number | null
}

function timeView(rows: readonly TimeRow[], { range }: Labels, counted: string): View {
  const last = rows.findLast(({ median }) => median !== null)
  return {
    chart: 'lines',
    unit: 'seconds',
    series: ['Median', '90th percentile'],
    points: rows.map(({ period, median, percentile90 }) => point(period, range, [median, percentile90])),
    summary: last
      ? `${periodName(last.period, range.by)}: half within ${written(last.median, 'seconds')}, nine of ten within ${written(last.percentile90, 'seconds')}.`
      : '',
    table: {
      columns: [{ name: 'Period' }, number(counted), number('Median'), number('90th percentile')],
      rows: rows.map(({ period, count, median, percentile90 }) => [
        periodName(period, range.by),
        written(count, 'count'),
        written(median, 'seconds'),
        written(percentile90, 'seconds'),
      ]),
    },
  }
}

const ageNames: Readonly<Record<(typeof owedAges)[number], string>> = {
  under_1_day: 'Under 1 day',
  '1_to_3_days': '1 to 3 days',
  '3_to_7_days': '3 to 7 days',
  '7_to_30_days': '7 to 30 days',
  over_30_days: 'Over 30 days',
}

const number = (name: string) => ({ name, isNumber: true })
const named = (name: string, values: Point['values']): Point => ({ label: name, name, values })
const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

function point(period: string, { by }: Range, values: Point['values']): Point {
  return { label: periodLabel(period, by), name: periodName(period, by), values }
}

/** The sum of a column. In whole cents, because a sum of fractions is not exact. */
export function total<Column extends string>(
  rows: readonly { readonly [K in Column]: number | string | null }[],
  column: Column,
): number {
  return rows.reduce((sum, row) => sum + Math.round(100 * Number(row[column])), 0) / 100
}

function dollars<Column extends string>(
  rows: readonly { readonly [K in Column]: string }[],
  column: Column,
): string {
  return written(total(rows, column), 'dollars')
}

export function percentOf(part: number, whole: number): string {
  return written(whole === 0 ? null : (100 * part) / whole, 'percent')
}

function byAmount<Column extends string>(column: Column) {
  return (one: { readonly [K in Column]: string }, other: { readonly [K in Column]: string }) =>
    Number(other[column]) - Number(one[column])
}

/** The names in the rows, the largest sum first. */
function namesBy<Column extends string, Row extends { readonly [K in Column]: string }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  column: Column,
): string[] {
  return [...Map.groupBy(rows, nameOf)]
    .map(([name, found]) => ({ name, sum: total(found, column) }))
    .sort((one, other) => other.sum - one.sum)
    .map(({ name }) => name)
}
