import { type SQL, sql } from 'drizzle-orm'
import { type Cents, toDecimal } from '#domain/money.ts'
import { owedAges, periodsOf, type Range, type ReportName, type ReportRow, reports } from '#domain/reports.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { exactCsvLine, harmlessCell } from '#server/http/csv.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/** The rows of a report. Reads what the database counts as it happens: see 0030_reports.sql. */
export async function readReport(
  { db }: Pick<Context, 'db'>,
  name: ReportName,
  range: Range,
): Promise<readonly ReportRow[]> {
  return readers[name](db, range)
}

/** The same as CSV. Recorded in the audit log. */
export async function exportReport(
  context: Pick<Context, 'db'>,
  staff: Staff,
  name: ReportName,
  range: Range,
): Promise<string> {
  const subject = { kind: 'report', id: name } as const
  await transaction(context.db, (tx) =>
    record(tx, { actor: staff, action: 'report.exported', subject, details: { ...range } }),
  )
  const columns = Object.entries(reports[name])
  const rows: readonly Readonly<Record<string, unknown>>[] = await readReport(context, name, range)
  const cell = (row: Readonly<Record<string, unknown>>, column: string, kind: string) => {
    const text = String(row[column] ?? '')
    // A spreadsheet would not add up a negative amount with an apostrophe before it.
    return kind === 'text' ? harmlessCell(text) : text
  }
  const lines = rows.map((row) => exactCsvLine(columns.map(([column, kind]) => cell(row, column, kind))))
  return exactCsvLine(columns.map(([column]) => column)) + lines.join('')
}

type Readers = {
  readonly [Name in ReportName]: (db: Executor, range: Range) => Promise<readonly ReportRow<Name>[]>
}

const readers: Readers = {
  async volume(db, range) {
    const found = await readTotals(db, range, ['submitted', 'quoted'])
    return periodsOf(range).map((period) => {
      const { count, amount } = found.of('submitted', period)
      const quoted = toDecimal(found.of('quoted', period).amount)
      return { period, submissions: count, faceValue: toDecimal(amount), quoted }
    })
  },

  async approval_rate(db, range) {
    const found = await readTotals(db, range, ['approved', 'rejected'])
    return periodsOf(range).map((period) => {
      const approved = found.of('approved', period).count
      const rejected = found.of('rejected', period).count
      const decided = approved + rejected
      const rate = decided > 0 ? toDecimal(Math.round((10_000 * approved) / decided)) : null
      return { period, approved, rejected, rate }
    })
  },

  async decision_time(db, range) {
    const times = await readTimes(db, range, 'decision_time', periodOf(range))
    return periodsOf(range).map((period) => {
      const { count: decisions, ...time } = times.get(period) ?? NO_TIME
      return { period, decisions, ...time }
    })
  },

  async payout_time(db, range) {
    const times = await readTimes(db, range, 'payout_time', periodOf(range))
    return periodsOf(range).map((period) => {
      const { count: payouts, ...time } = times.get(period) ?? NO_TIME
      return { period, payouts, ...time }
    })
  },

  async paid_out(db, range) {
    const { totals } = await readTotals(db, range, ['paid'])
    return totals.map(({ period, key, count, amount }) => ({
      period,
      paymentType: key,
      payouts: count,
      amount: toDecimal(amount),
    }))
  },

  owed: readOwed,

  async stock(db, range) {
    const { totals } = await readTotals(db, { ...range, from: '-infinity' }, ['stock'])
    const stock = new Map<string, { cards: number; cost: Cents }>()
    let next = 0
    return periodsOf(range).flatMap((period) => {
      for (let total = totals[next]; total && total.period <= period; total = totals[++next]) {
        const { cards, cost } = stock.get(total.key) ?? { cards: 0, cost: 0 }
        stock.set(total.key, { cards: cards + total.count, cost: cost + total.amount })
      }
      return [...stock]
        .filter(([, { cards }]) => cards > 0)
        .map(([brand, { cards, cost }]) => ({ period, brand, cards, cost: toDecimal(cost) }))
    })
  },

  async margin(db, range) {
    const found = await readTotals(db, range, ['sold', 'cost_of_sales'])
    return found.totals
      .filter(({ measure }) => measure === 'sold')
      .map(({ period, key, count, amount }) => {
        const cost = found.of('cost_of_sales', period, key).amount
        const money = {
          cost: toDecimal(cost),
          proceeds: toDecimal(amount),
          margin: toDecimal(amount - cost),
        }
        return { period, brand: key, cards: count, ...money }
      })
  },

  async returns(db, range) {
    const { totals } = await readTotals(db, range, ['returned'])
    return totals.map(({ period, key, count, amount }) => ({
      period,
      code: key,
      payouts: count,
      amount: toDecimal(amount),
    }))
  },

  async losses(db, range) {
    const [found, writtenOff] = await Promise.all([readTotals(db, range, ['bad']), readWrittenOff(db, range)])
    return periodsOf(range).map((period) => {
      const { count, amount } = found.of('bad', period)
      const lost = toDecimal(writtenOff.get(period) ?? 0)
      return { period, badCards: count, badCost: toDecimal(amount), writtenOff: lost }
    })
  },

  reviewers: readReviewers,
}

interface Total {
  readonly measure: string
  readonly period: string
  readonly key: string
  readonly count: number
  readonly amount: Cents
}

/** The totals of measures by period and key, and a function that adds up the keys. */
async function readTotals(db: Executor, range: Range, measures: readonly string[]) {
  const { rows } = await db.execute<{ [K in keyof Total]: string }>(sql`
    select measure, ${periodOf(range)}::text as period, key, sum(count) as count, sum(amount) as amount
    from report_totals where measure in ${[...measures]} and day between ${range.from} and ${range.to}
    group by 1, 2, 3 having sum(count) <> 0 or sum(amount) <> 0 order by 2, 3`)
  const totals = rows.map((row): Total => ({ ...row, count: Number(row.count), amount: Number(row.amount) }))
  const named = Map.groupBy(totals, ({ measure, period }) => `${measure} ${period}`)
  const of = (measure: string, period: string, key?: string) => {
    const found = named.get(`${measure} ${period}`) ?? []
    const counted = found.filter((total) => key === undefined || total.key === key)
    return {
      count: counted.reduce((sum, { count }) => sum + count, 0),
      amount: counted.reduce((sum, { amount }) => sum + amount, 0),
    }
  }
  return { totals, of }
}

/** The first day of the period that has a day. */
function periodOf({ by }: Range): SQL {
  return sql`date_trunc(${by}, day::timestamp)::date`
}

const NO_TIME = { count: 0, median: null, percentile90: null }

/** How many times were measured in each group, their median and their 90th percentile in seconds. */
async function readTimes(db: Executor, { from, to }: Range, measure: string, group: SQL) {
  const { rows } = await db.execute<{
    group: string
    count: string
    median: number
    percentile90: number
  }>(sql`
    with counted as (
      select ${group} as "group", bucket, sum(count) as count
      from report_totals where measure = ${measure} and day between ${from} and ${to} group by 1, 2
    ), running as (
      select "group", bucket, sum(count) over (partition by "group" order by bucket) as up_to,
        sum(count) over (partition by "group") as total
      from counted
    )
    select "group"::text, max(total) as count,
      report_seconds(min(bucket) filter (where up_to >= 0.5 * total)) as median,
      report_seconds(min(bucket) filter (where up_to >= 0.9 * total)) as percentile90
    from running where total > 0 group by 1`)
  return new Map(rows.map(({ group, count, ...time }) => [group, { count: Number(count), ...time }]))
}

/** What is owed now. A payout that came back is owed until another one replaces it or the submission fails. */
async function readOwed(db: Executor): Promise<ReportRow<'owed'>[]> {
  const [day, days3, week, month, older] = owedAges
  const { rows } = await db.execute<{
    paymentType: string
    age: string
    payouts: string
    amount: string
  }>(sql`
    with owed as (
      select payment_type, amount, due_at from payouts where state in ('due', 'batched', 'released', 'exported')
      union all
      select payment_type, amount, due_at from payouts where state = 'returned'
        and exists (select from gift_cards where id = gift_card_id and status = 'processing')
        and not exists (
          select from payouts as newer
          where newer.gift_card_id = payouts.gift_card_id and newer.number > payouts.number and newer.state <> 'void'
        )
    )
    select payment_type as "paymentType", count(*) as payouts, sum(amount) as amount,
      case
        when due_at > now() - interval '1 day' then ${day}
        when due_at > now() - interval '3 days' then ${days3}
        when due_at > now() - interval '7 days' then ${week}
        when due_at > now() - interval '30 days' then ${month}
        else ${older}
      end as age
    from owed group by 1, 4 order by 1, max(due_at) desc`)
  return rows.map(({ paymentType, age, payouts, amount }) => ({
    paymentType,
    age,
    payouts: Number(payouts),
    amount: toDecimal(Number(amount)),
  }))
}

/** Cents by period, from the ledger. */
async function readWrittenOff(db: Executor, range: Range): Promise<Map<string, Cents>> {
  const { rows } = await db.execute<{ period: string; amount: string }>(sql`
    select ${periodOf(range)}::text as period, sum(debit - credit) as amount from ledger_totals
    where account = 'losses' and day between ${range.from} and ${range.to} group by 1`)
  return new Map(rows.map(({ period, amount }) => [period, Number(amount)]))
}

/** Over the whole range, most decisions first. */
async function readReviewers(db: Executor, range: Range): Promise<ReportRow<'reviewers'>[]> {
  const { from, to } = range
  const [times, { rows }] = await Promise.all([
    readTimes(db, range, 'decision_time', sql`key`),
    db.execute<{ id: string; username: string | null } & Record<(typeof decided)[number], string>>(sql`
      select key as id, username,
        coalesce(sum(count) filter (where measure = 'approved'), 0) as approved,
        coalesce(sum(count) filter (where measure = 'rejected'), 0) as rejected,
        coalesce(sum(count) filter (where measure = 'offered'), 0) as offered,
        coalesce(sum(count) filter (where measure = 'taken_back'), 0) as "takenBack"
      from report_totals left join administrators on administrators.id::text = key
      where measure in ('approved', 'rejected', 'offered', 'taken_back') and day between ${from} and ${to} and key <> ''
      group by 1, 2 having sum(count) <> 0 or bool_or(measure = 'taken_back') order by 2`),
  ])
  return rows
    .map((row) => {
      const [approved, rejected, offered, takenBack] = decided.map((name) => Number(row[name])) as Counts
      return {
        reviewer: row.username ?? row.id,
        decisions: approved + rejected + offered,
        approved,
        rejected,
        offered,
        takenBack,
        median: times.get(row.id)?.median ?? null,
      }
    })
    .sort((one, other) => other.decisions - one.decisions)
}

const decided = ['approved', 'rejected', 'offered', 'takenBack'] as const
type Counts = [number, number, number, number]
