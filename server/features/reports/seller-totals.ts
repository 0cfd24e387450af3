import { sql } from 'drizzle-orm'
import { toDecimal } from '#domain/money.ts'
import { csvPages, exactCsvLine, harmlessCell } from '#server/http/csv.ts'
import type { Executor } from '#server/platform/database/pool.ts'

/** Sellers who are read at once. */
const SELLERS = 500

const columns = ['sellerId', 'username', 'name', 'paidCount', 'paidTotal', 'returned', 'receivable'] as const

interface SellerTotal extends Record<string, unknown> {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly count: string
  readonly paid: string
  readonly returned: string
  readonly receivable: string
}

/**
 * Sellers who were paid in a year, or whose money came back in it, as CSV. A payout that came back later does not count as
 * paid. `receivable` is what the seller owes now.
 */
export function writeSellerTotals(db: Executor, year: number): AsyncGenerator<string> {
  const first = '00000000-0000-0000-0000-000000000000'
  return csvPages<SellerTotal>(columns, (last) => readSellers(db, year, last?.id ?? first), toCsv)
}

async function readSellers(db: Executor, year: number, after: string): Promise<SellerTotal[]> {
  const inYear = (column: 'paid_at' | 'returned_at') => sql`
    ${sql.identifier(column)} >= ${`${year}-01-01`}::date and ${sql.identifier(column)} < ${`${year + 1}-01-01`}::date`
  const { rows } = await db.execute<SellerTotal>(sql`
    with totals as (
      select seller_id, count(*) filter (where state = 'paid') as count,
        coalesce(sum(amount) filter (where state = 'paid'), 0) as paid,
        coalesce(sum(amount) filter (where state = 'returned'), 0) as returned
      from payouts where seller_id > ${after}
        and ((state = 'paid' and ${inYear('paid_at')}) or (state = 'returned' and ${inYear('returned_at')}))
      group by seller_id order by seller_id limit ${SELLERS}
    )
    select users.id, username, first_name || ' ' || last_name as name, count, paid, returned,
      (select coalesce(sum(amount), 0) from ledger_lines where account = 'receivable:' || users.id) as receivable
    from totals join users on users.id = seller_id order by users.id`)
  return rows
}

function toCsv({ id, username, name, count, paid, returned, receivable }: SellerTotal): string {
  const amounts = [paid, returned, receivable].map((cents) => toDecimal(Number(cents)))
  // A spreadsheet would not add up a negative amount with an apostrophe before it.
  return exactCsvLine([id, harmlessCell(username), harmlessCell(name), count, ...amounts])
}
