import { desc, sql } from 'drizzle-orm'
import type { ClosedMonthsAnswer } from '#contract/ledger.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { administrators, closedMonths } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/** Up to which month the books are closed. */
export async function readClosedMonths(db: Executor): Promise<ClosedMonthsAnswer> {
  const [last] = await db
    .select({ month: closedMonths.month, closedAt: closedMonths.closedAt, closedBy: administrators.username })
    .from(closedMonths)
    .innerJoin(administrators, sql`${administrators.id} = ${closedMonths.closedBy}`)
    .orderBy(desc(closedMonths.month))
    .limit(1)
  if (!last) return { closedThrough: null, closedAt: null, closedBy: null }
  return { ...last, closedThrough: last.month.slice(0, 7) }
}

/** Closes a month that is over, and all before it. Waits for transactions that are posting entries. */
export async function closeMonth({ db }: Context, actor: Staff, month: string): Promise<ClosedMonthsAnswer> {
  return transaction(db, async (tx) => {
    // The same lock as in 0070_closed_months.sql, so that two people cannot close at once.
    const { rows } = await tx.execute<{ isOver: boolean }>(sql`
      select (${`${month}-01`}::date + interval '1 month')::date <= now()::date as "isOver",
        pg_advisory_xact_lock(hashtext('closed_months'))`)
    if (!rows[0]?.isOver) throw invalid([{ path: 'month', code: 'month_not_over' }])
    const { closedThrough } = await readClosedMonths(tx)
    if (closedThrough !== null && closedThrough >= month) {
      throw new Refusal('month_closed', 'refusals.month_closed', { params: { month: closedThrough } })
    }
    await tx.insert(closedMonths).values({ month: `${month}-01`, closedBy: actor.id })
    await record(tx, { actor, action: 'ledger.month_closed', subject: { kind: 'month', id: month } })
    return readClosedMonths(tx)
  })
}
