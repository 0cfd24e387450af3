import { sql } from 'drizzle-orm'
import { toDecimal } from '#domain/money.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { openTaxDetails } from '#server/features/books/tax-details.ts'
import type { Staff } from '#server/http/actor.ts'
import { exactCsvLine, harmlessCell } from '#server/http/csv.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/**
 * The boxes of form 1099-K: the gross amount (1a), the number of payments (3) and the amount of each month (5a to 5l). Gross is before
 * deductions: https://www.irs.gov/instructions/i1099k
 */
const months = Array.from({ length: 12 }, (_, index) => index + 1)
const columns = [
  ...['sellerId', 'username', 'name', 'street', 'city', 'state', 'zip', 'tin', 'box1a', 'box3'],
  ...months.map((month) => `box5${'abcdefghijkl'.charAt(month - 1)}`),
]

interface TaxRow extends Record<string, unknown> {
  readonly id: string
  readonly username: string
  readonly count: string
  readonly gross: string
  /** Cents by month from 1. */
  readonly months: Readonly<Record<string, number>>
  readonly data_key: Buffer | null
  readonly sealed_address: Buffer | null
  readonly sealed_tin: Buffer | null
}

/** How many taxpayer numbers the file of a year has. */
export async function countTaxForms(context: Context, year: number): Promise<number> {
  return (await readSellers(context, year)).filter(({ sealed_tin: tin }) => tin).length
}

/**
 * What form 1099-K needs of each seller who was paid more than the threshold in a year, as CSV. Sellers who have not entered
 * their details are there too. Records a reveal of each taxpayer number.
 */
export async function exportTaxForms(context: Context, staff: Staff, year: number): Promise<string> {
  const sellers = await readSellers(context, year)
  return transaction(context.db, async (tx) => {
    const lines: string[] = []
    for (const seller of sellers) {
      const { id, data_key: dataKey, sealed_address: sealedAddress, sealed_tin: sealedTin } = seller
      const details =
        dataKey && sealedAddress && sealedTin
          ? openTaxDetails(context.keys, { userId: id, dataKey, sealedAddress, sealedTin })
          : undefined
      if (details) {
        await record(tx, {
          actor: staff,
          action: 'seller.tax_details_exported',
          subject: { kind: 'seller', id },
          details: { year, role: staff.role },
        })
      }
      const { name = '', street = '', city = '', state = '', zip = '', tin = '' } = details ?? {}
      lines.push(
        exactCsvLine([
          id,
          ...[seller.username, name, street, city].map(harmlessCell),
          ...[state, zip, tin, toDecimal(Number(seller.gross)), seller.count],
          ...months.map((month) => toDecimal(seller.months[month] ?? 0)),
        ]),
      )
    }
    const subject = { kind: 'report', id: 'tax-forms' } as const
    await record(tx, {
      actor: staff,
      action: 'report.exported',
      subject,
      details: { year, sellers: lines.length },
    })
    return [exactCsvLine(columns), ...lines].join('')
  })
}

async function readSellers({ db, site }: Context, year: number): Promise<TaxRow[]> {
  const { rows } = await db.execute<TaxRow>(sql`
    with paid as (
      select seller_id, extract(month from paid_at)::integer as month,
        count(*) as count, sum(amount + deducted) as gross
      from payouts
      where state = 'paid' and paid_at >= ${`${year}-01-01`}::date
        and paid_at < ${`${year + 1}-01-01`}::date
      group by 1, 2
    ), totals as (
      select seller_id, sum(count) as count, sum(gross) as gross, json_object_agg(month, gross) as months
      from paid group by seller_id having sum(gross) > ${site.taxFormThreshold ?? 0}
    )
    select users.id, username, count, gross, months, data_key, sealed_address, sealed_tin
    from totals join users on users.id = totals.seller_id left join tax_details on tax_details.user_id = users.id
    order by users.id`)
  return rows
}
