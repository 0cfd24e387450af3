import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { reportRows } from '#contract/reports.ts'
import {
  type ColumnKind,
  owedAges,
  periodsOf,
  type Range,
  type ReportName,
  reports,
} from '#domain/reports.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { exactCsvLine, harmlessCell } from '#server/http/csv.ts'
import { transaction } from '#server/platform/database/transaction.ts'

type Row = Record<string, unknown>

/** Enough to sort the decisions of a year at a million submissions without temporary files. */
const SORT_MEMORY = '32MB'

/** The rows of a report. Connections take days in the shop's time zone. What is in the ledger counts on its value date. */
export async function readReport(
  { db }: Pick<Context, 'db'>,
  name: ReportName,
  range: Range,
): Promise<Row[]> {
  const columns = Object.entries(reports[name])
  const [, { rows }] = await transaction(db, (tx) =>
    Promise.all([
      tx.execute(sql`select set_config('work_mem', ${SORT_MEMORY}, true)`),
      tx.execute<Row>(queries[name](range)),
    ]),
  )
  const toRow = (row: Row) =>
    Object.fromEntries(columns.map(([column, kind]) => [column, toCell(kind, row[column])]))
  const kinds: readonly ColumnKind[] = Object.values(reports[name])
  if (!kinds.includes('period') || kinds.includes('text')) return rows.map(toRow)
  // With one row per period, there is also one for those in which nothing happened.
  const found = new Map(rows.map((row) => [row.period, row]))
  return periodsOf(range).map((period) => toRow(found.get(period) ?? { period }))
}

/** PostgreSQL sends large numbers as text. A sum of nothing is 0, but there is no average of nothing. */
function toCell(kind: ColumnKind, value: unknown): unknown {
  if (kind === 'period' || kind === 'text') return value
  if (kind === 'percent' || kind === 'seconds')
    return value === null || value === undefined ? null : Number(value)
  return Number(value ?? 0)
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
  const rows: readonly Row[] = z.encode(reportRows[name], await readReport(context, name, range))
  const cell = (row: Row, column: string, kind: string) => {
    const text = String(row[column] ?? '')
    // A spreadsheet would not add up a negative amount with an apostrophe before it.
    return kind === 'text' ? harmlessCell(text) : text
  }
  const lines = rows.map((row) => exactCsvLine(columns.map(([column, kind]) => cell(row, column, kind))))
  return exactCsvLine(columns.map(([column]) => column)) + lines.join('')
}

/** Each report is one query with the columns of `reports`: money in cents, percentages in basis points. */
const queries: Readonly<Record<ReportName, (range: Range) => SQL>> = {
  volume: (range) => sql`
    select ${periodOf(range, sql`created_at`)} as period, count(*) as submissions, sum(denomination) as "faceValue",
      sum(quoted_price) as quoted
    from gift_cards where ${within(range, sql`created_at`)} group by 1`,

  approval_rate: (range) => sql`
    select *, round(10000.0 * approved / nullif(approved + rejected, 0)) as rate
    from (
      select ${periodOf(range, sql`at`)} as period, count(*) filter (where decision = 'approved') as approved,
        count(*) filter (where decision = 'rejected') as rejected
      from decisions where ${within(range, sql`at`)} group by 1
    ) as decided`,

  decision_time: (range) => sql`
    select ${periodOf(range, sql`at`)} as period, count(*) as decisions, ${percentile(0.5)} as median,
      ${percentile(0.9)} as percentile90
    from (${staffDecisions(range)}) as decided where "isFirst" group by 1`,

  payout_time: (range) => sql`
    select ${periodOf(range, sql`paid_at`)} as period, count(*) as payouts, ${percentile(0.5)} as median,
      ${percentile(0.9)} as percentile90
    from (
      select paid_at, extract(epoch from paid_at - created_at) as seconds
      from payouts join gift_cards on gift_cards.id = gift_card_id where ${within(range, sql`paid_at`)}
    ) as paid group by 1`,

  paid_out: (range) => sql`
    select ${periodOf(range, sql`value_date`)} as period, substring(account from 'cash:(.*)') as "paymentType",
      -sum(count) as payouts, sum(credit - debit) as amount
    from ledger_sums
    where ${within(range, sql`value_date`)} and event in ('paid', 'paid_undone') and account like 'cash:%'
    group by 1, 2 having sum(credit - debit) <> 0 or sum(count) <> 0 order by 1, 2`,

  /** What is owed now. A payout that came back is owed until another one replaces it or the submission fails. */
  owed: () => {
    const [day, days3, week, month, older] = owedAges
    return sql`
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
      from owed group by 1, 4 order by 1, max(due_at) desc`
  },

  /** At the end of each period, by brand. */
  stock: (range) => sql`
    with moved as (
      select greatest(date_trunc(${range.by}, value_date)::date, ${periodsOf(range)[0]}) as period, brand,
        sum(count) as cards, sum(debit - credit) as cost
      from ledger_sums where account = 'stock' and value_date <= ${range.to} group by 1, 2
    ), stock as (
      select period, brand, sum(cards) over so_far as cards, sum(cost) over so_far as cost
      from unnest(${sql.param(periodsOf(range))}::date[]) as periods (period)
        cross join (select distinct brand from moved) as brands left join moved using (period, brand)
      window so_far as (partition by brand order by period)
    )
    select period::text, brand, cards, cost from stock where cards > 0 order by period, brand`,

  margin: (range) => sql`
    with sold as (
      select ${periodOf(range, sql`value_date`)} as period, brand,
        coalesce(sum(count) filter (where account = 'cost_of_sales'), 0) as cards,
        coalesce(sum(debit - credit) filter (where account = 'cost_of_sales'), 0) as cost,
        coalesce(sum(credit - debit) filter (where account = 'proceeds'), 0) as proceeds
      from ledger_sums
      where ${within(range, sql`value_date`)} and account in ('cost_of_sales', 'proceeds')
      group by 1, 2
    )
    select *, proceeds - cost as margin from sold where (cards, cost, proceeds) <> (0, 0, 0) order by period, brand`,

  returns: (range) => sql`
    select ${periodOf(range, sql`returned_at`)} as period, coalesce(return_code, return_reason, '') as code,
      count(*) as payouts, sum(amount) as amount
    from payouts where ${within(range, sql`returned_at`)} group by 1, 2 order by 1, 2`,

  losses: (range) => sql`
    select ${periodOf(range, sql`value_date`)} as period,
      -sum(count) filter (where account = 'stock') as "badCards",
      sum(credit - debit) filter (where account = 'stock') as "badCost",
      sum(debit - credit) filter (where account = 'losses') as "writtenOff"
    from ledger_sums
    where ${within(range, sql`value_date`)} and event in ('bad', 'bad_undone', 'written_off', 'written_off_undone')
    group by 1`,

  /** Over the whole range, most decisions first. */
  reviewers: (range) => sql`
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
    select coalesce(username, by_id::text) as reviewer, decisions, approved, rejected, offered, "takenBack", median
    from decided full join taken_back using (by_id)
      left join administrators on administrators.id = by_id
    order by decisions desc nulls last, 1`,
}

/** The first day of the period that has a time or a day. */
function periodOf({ by }: Range, time: SQL): SQL {
  return sql`date_trunc(${by}, ${time})::date`
}

/** Whether a time or a day is in the range. */
function within({ from, to }: Range, time: SQL): SQL {
  return sql`${time} >= ${from}::date and ${time} < ${to}::date + 1`
}

/** Of the `seconds` of a group, whole. */
function percentile(part: number): SQL {
  return sql`round(percentile_disc(${part}) within group (order by seconds))::integer`
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
