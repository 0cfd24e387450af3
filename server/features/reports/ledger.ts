import { sql } from 'drizzle-orm'
import type { LedgerAnswer } from '#contract/ledger.ts'
import type { Range } from '#domain/reports.ts'
import type { Context } from '#server/context.ts'

/** The accounts that moved in each day, week or month. What sellers owe is one account here. */
export async function readLedger({ db }: Context, { from, to, by }: Range): Promise<LedgerAnswer[]> {
  const { rows } = await db.execute<LedgerAnswer>(sql`
    with before as (
      select account, sum(debit - credit) as balance from ledger_sums where value_date < ${from} group by account
    ), moved as (
      select date_trunc(${by}, value_date)::date as period, account, sum(debit) as debit, sum(credit) as credit
      from ledger_sums where value_date between ${from} and ${to} group by 1, 2
    )
    select period::text, account, debit::float8, credit::float8, (coalesce(before.balance, 0)
      + sum(debit - credit) over (partition by account order by period))::float8 as balance
    from moved left join before using (account) order by period, account`)
  return rows
}
