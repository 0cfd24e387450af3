import { type SQL, sql } from 'drizzle-orm'
import { toDecimal } from '#domain/money.ts'
import { owedAges, periodsOf, type Range, type ReportName, type ReportRow, reports } from '#domain/reports.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { exactCsvLine, harmlessCell } from '#server/http/csv.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/** The rows of a report. Connections take days in the shop's time zone. What is in the ledger counts on its value date. */
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
    const { rows } = await db.execute<Sums<'submissions' | 'faceValue' | 'quoted'>>(sql`
      select ${periodOf(range, sql`created_at`)} as period, count(*) as submissions, sum(denomination) as "faceValue",
        sum(quoted_price) as quoted
      from gift_cards where ${within(range, sql`created_at`)} group by 1`)
    return eachPeriod(range, rows, ({ submissions = 0, faceValue = 0, quoted = 0 }) => ({
      submissions: Number(submissions),
      faceValue: dollars(faceValue),
      quoted: dollars(quoted),
    }))
  },

  async approval_rate(db, range) {
    const { rows } = await db.execute<Sums<'approved' | 'rejected'>>(sql`
      select ${periodOf(range, sql`at`)} as period, count(*) filter (where decision = 'approved') as approved,
        count(*) filter (where decision = 'rejected') as rejected
      from decisions where ${within(range, sql`at`)} group by 1`)
    return eachPeriod(range, rows, (row) => {
      const [approved, rejected] = [Number(row.approved ?? 0), Number(row.rejected ?? 0)]
      const decided = approved + rejected
      const rate = decided > 0 ? toDecimal(Math.round((10_000 * approved) / decided)) : null
      return { approved, rejected, rate }
    })
  },

  async decision_time(db, range) {
    const { rows } = await db.execute<Times & Sums<'decisions'>>(sql`
      select ${periodOf(range, sql`at`)} as period, count(*) as decisions, ${percentile(0.5)} as median,
        ${percentile(0.9)} as percentile90
      from (${staffDecisions(range)}) as decided where "isFirst" group by 1`)
    return eachPeriod(range, rows, ({ decisions = 0, median = null, percentile90 = null }) => ({
      decisions: Number(decisions),
      median,
      percentile90,
    }))
  },

  async payout_time(db, range) {
    const { rows } = await db.execute<Times & Sums<'payouts'>>(sql`
      select ${periodOf(range, sql`paid_at`)} as period, count(*) as payouts, ${percentile(0.5)} as median,
        ${percentile(0.9)} as percentile90
      from (
        select paid_at, extract(epoch from paid_at - created_at) as seconds
        from payouts join gift_cards on gift_cards.id = gift_card_id where ${within(range, sql`paid_at`)}
      ) as paid group by 1`)
    return eachPeriod(range, rows, ({ payouts = 0, median = null, percentile90 = null }) => ({
      payouts: Number(payouts),
      median,
      percentile90,
    }))
  },

  async paid_out(db, range) {
    const { rows } = await db.execute<Sums<'payouts' | 'amount'> & { paymentType: string }>(sql`
      select ${periodOf(range, sql`value_date`)} as period, substring(account from 'cash:(.*)') as "paymentType",
        -sum(count) as payouts, sum(credit - debit) as amount
      from ledger_sums
      where ${within(range, sql`value_date`)} and event in ('paid', 'paid_undone') and account like 'cash:%'
      group by 1, 2 having sum(credit - debit) <> 0 or sum(count) <> 0 order by 1, 2`)
    return rows.map(({ period, paymentType, payouts, amount }) => ({
      period,
      paymentType,
      payouts: Number(payouts),
      amount: dollars(amount),
    }))
  },

  owed: readOwed,

  stock: readStock,

  async margin(db, range) {
    const { rows } = await db.execute<Sums<'cards' | 'cost' | 'proceeds'> & { brand: string }>(sql`
      select ${periodOf(range, sql`value_date`)} as period, brand,
        coalesce(sum(count) filter (where account = 'cost_of_sales'), 0) as cards,
        coalesce(sum(debit - credit) filter (where account = 'cost_of_sales'), 0) as cost,
        coalesce(sum(credit - debit) filter (where account = 'proceeds'), 0) as proceeds
      from ledger_sums
      where ${within(range, sql`value_date`)} and account in ('cost_of_sales', 'proceeds')
      group by 1, 2 order by 1, 2`)
    return rows
      .filter((row) => [row.cards, row.cost, row.proceeds].some((sum) => Number(sum) !== 0))
      .map(({ period, brand, cards, cost, proceeds }) => ({
        period,
        brand,
        cards: Number(cards),
        cost: dollars(cost),
        proceeds: dollars(proceeds),
        margin: toDecimal(Number(proceeds) - Number(cost)),
      }))
  },

  async returns(db, range) {
    const { rows } = await db.execute<Sums<'payouts' | 'amount'> & { code: string }>(sql`
      select ${periodOf(range, sql`returned_at`)} as period, coalesce(return_code, '') as code, count(*) as payouts,
        sum(amount) as amount
      from payouts where ${within(range, sql`returned_at`)} group by 1, 2 order by 1, 2`)
    return rows.map(({ period, code, payouts, amount }) => ({
      period,
      code,
      payouts: Number(payouts),
      amount: dollars(amount),
    }))
  },

  async losses(db, range) {
    const { rows } = await db.execute<Sums<'badCards' | 'badCost' | 'writtenOff'>>(sql`
      select ${periodOf(range, sql`value_date`)} as period,
        -sum(count) filter (where account = 'stock') as "badCards",
        sum(credit - debit) filter (where account = 'stock') as "badCost",
        sum(debit - credit) filter (where account = 'losses') as "writtenOff"
      from ledger_sums
      where ${within(range, sql`value_date`)} and event in ('bad', 'bad_undone', 'written_off', 'written_off_undone')
      group by 1`)
    return eachPeriod(range, rows, ({ badCards, badCost, writtenOff }) => ({
      badCards: Number(badCards ?? 0),
      badCost: dollars(badCost ?? 0),
      writtenOff: dollars(writtenOff ?? 0),
    }))
  },

  reviewers: readReviewers,
}

/** Numbers as PostgreSQL sends them. */
type Sums<Name extends string> = { period: string } & { [K in Name]: string | null }
type Times = { median: number | null; percentile90: number | null }

const dollars = (cents: string | number | null) => toDecimal(Number(cents))

/** The first day of the period that has a time or a day. */
function periodOf({ by }: Range, time: SQL): SQL {
  return sql`date_trunc(${by}, ${time})::date::text`
}

/** Whether a time or a day is in the range. */
function within({ from, to }: Range, time: SQL): SQL {
  return sql`${time} >= ${from}::date and ${time} < ${to}::date + 1`
}

/** Of the `seconds` of a group, whole. */
function percentile(part: number): SQL {
  return sql`round(percentile_disc(${part}) within group (order by seconds))::integer`
}

/** A row for every period, also for those in which nothing happened. */
function eachPeriod<Row extends { period: string }, Figures>(
  range: Range,
  rows: readonly Row[],
  toFigures: (row: Partial<Row>) => Figures,
): (Figures & { period: string })[] {
  const found = new Map(rows.map((row) => [row.period, row]))
  return periodsOf(range).map((period) => ({ period, ...toFigures(found.get(period) ?? {}) }))
}

/** Decisions of staff, the `seconds` since the submission, and whether staff decided on the card before. */
function staffDecisions(range: Range): SQL {
  // Most cards are decided by their second entry. Nothing can be earlier, so nothing is looked up.
  return sql`
    select decided.at, by_id, decision, extract(epoch from decided.at - created_at) as seconds,
      decided.version = 2 or not exists (
        select from decisions as earlier
        where earlier.gift_card_id = decided.gift_card_id and earlier.version < decided.version and earlier.by_kind = 'staff'
      ) as "isFirst"
    from decisions as decided join gift_cards on gift_cards.id = gift_card_id
    where ${within(range, sql`decided.at`)} and by_kind = 'staff'`
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

/** At the end of each period, by brand. */
async function readStock(db: Executor, range: Range): Promise<ReportRow<'stock'>[]> {
  const { rows } = await db.execute<{ period: string; brand: string; cards: string; cost: string }>(sql`
    select ${periodOf(range, sql`value_date`)} as period, brand, sum(count) as cards, sum(debit - credit) as cost
    from ledger_sums where account = 'stock' and value_date <= ${range.to} group by 1, 2 order by 1, 2`)
  const stock = new Map<string, { cards: number; cost: number }>()
  let next = 0
  return periodsOf(range).flatMap((period) => {
    for (let row = rows[next]; row && row.period <= period; row = rows[++next]) {
      const { cards, cost } = stock.get(row.brand) ?? { cards: 0, cost: 0 }
      stock.set(row.brand, { cards: cards + Number(row.cards), cost: cost + Number(row.cost) })
    }
    return [...stock]
      .filter(([, { cards }]) => cards > 0)
      .map(([brand, { cards, cost }]) => ({ period, brand, cards, cost: toDecimal(cost) }))
  })
}

/** Over the whole range, most decisions first. */
async function readReviewers(db: Executor, range: Range): Promise<ReportRow<'reviewers'>[]> {
  const { rows } = await db.execute<
    { reviewer: string; median: number | null } & Record<
      'decisions' | 'approved' | 'rejected' | 'offered' | 'takenBack',
      string
    >
  >(sql`
    with decided as (
      select by_id, count(*) as decisions, count(*) filter (where decision = 'approved') as approved,
        count(*) filter (where decision = 'rejected') as rejected, count(*) filter (where decision = 'offered') as offered,
        round(percentile_disc(0.5) within group (order by seconds) filter (where "isFirst"))::integer as median
      from (${staffDecisions(range)}) as decided group by 1
    ), taken_back as (
      select previous.by_id, count(*) as "takenBack"
      from status_history as entry join status_history as previous
        on previous.gift_card_id = entry.gift_card_id and previous.version = entry.version - 1
      where ${within(range, sql`entry.at`)} and previous.by_kind = 'staff' and (
        entry.move = 'undo' and exists (
          select from all_decisions as undone
          where undone.gift_card_id = previous.gift_card_id and undone.version = previous.version
        )
        or entry.move is distinct from 'undo' and entry.from_status = 'rejected'
          and entry.to_status in ('processing', 'completed')
      ) group by 1
    )
    select coalesce(username, by_id::text) as reviewer, coalesce(decisions, 0) as decisions,
      coalesce(approved, 0) as approved, coalesce(rejected, 0) as rejected, coalesce(offered, 0) as offered,
      coalesce("takenBack", 0) as "takenBack", median
    from decided full join taken_back using (by_id)
      left join administrators on administrators.id = by_id
    order by 2 desc, 1`)
  return rows.map(({ reviewer, median, ...counts }) => ({
    reviewer,
    decisions: Number(counts.decisions),
    approved: Number(counts.approved),
    rejected: Number(counts.rejected),
    offered: Number(counts.offered),
    takenBack: Number(counts.takenBack),
    median,
  }))
}
