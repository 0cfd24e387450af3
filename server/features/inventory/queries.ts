import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { StockFilter } from '#contract/inventory.ts'
import { type StockState, stockStates } from '#domain/inventory.ts'
import type { Context } from '#server/context.ts'
import { searchCards } from '#server/features/submissions/payout-effects.ts'
import type { Staff } from '#server/http/actor.ts'
import { cappedCount } from '#server/http/paging.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { giftCards, inventory, users } from '#server/platform/database/schema.ts'

const stockColumns = {
  item: inventory,
  card: {
    brand: giftCards.brand,
    brandName: giftCards.brandName,
    unlistedBrand: giftCards.unlistedBrand,
    denomination: giftCards.denomination,
    cardNumberLastFour: giftCards.cardNumberLastFour,
    submittedAt: giftCards.createdAt,
    secretsErasedAt: giftCards.secretsErasedAt,
  },
  username: users.username,
  bookedOn: sql<string | null>`case when ${inventory.state} = 'sold' then (
    select value_date::text from ledger_entries
    where ledger_entries.gift_card_id = ${inventory.giftCardId} and event = 'sold' order by ledger_entries.id desc limit 1
  ) end`,
}

export type StockRow = NonNullable<Awaited<ReturnType<typeof findStockItem>>>

export async function findStockItem(db: Executor, id: string) {
  const [row] = await select(db).where(eq(inventory.giftCardId, id))
  return row
}

/** A page, newest first, with one row more than the limit if there are more. */
export async function selectStock(
  context: StockContext,
  staff: Pick<Staff, 'role'>,
  { cursor, limit, ...filter }: StockFilter & { cursor?: string | undefined; limit: number },
): Promise<StockRow[]> {
  const after = cursor === undefined ? undefined : lt(inventory.giftCardId, cursor)
  return await select(context.db)
    .where(and(await matches(context, staff, filter), after))
    .orderBy(desc(inventory.giftCardId))
    .limit(limit + 1)
}

type StockContext = Pick<Context, 'db' | 'keys'>

function select(db: Executor) {
  return db
    .select(stockColumns)
    .from(inventory)
    .innerJoin(giftCards, eq(giftCards.id, inventory.giftCardId))
    .innerJoin(users, eq(users.id, inventory.sellerId))
}

/** The number of cards of a filter, capped like the total of every list. */
export async function countStock(
  context: StockContext,
  staff: Pick<Staff, 'role'>,
  filter: StockFilter,
): Promise<number> {
  const rows = sql`select from ${filteredRows(filter)} where ${await matches(context, staff, filter)} order by gift_card_id desc`
  const counted = await context.db.execute<{ total: number }>(sql`select ${cappedCount(rows)} as total`)
  return onlyRow(counted.rows).total
}

/** Count, cost and proceeds of every state, in cents. Sums of money are exact, so this reads every card of the filter. */
export async function sumStock(context: StockContext, staff: Pick<Staff, 'role'>, filter: StockFilter) {
  const { rows } = await context.db.execute<Record<'count' | 'cost' | 'proceeds', string> & StateOf>(sql`
    select state, count(*) as count, sum(cost) as cost, coalesce(sum(proceeds), 0) as proceeds
    from ${filteredRows(filter)} where ${await matches(context, staff, filter)} group by state`)
  return stockStates.map((state) => {
    const { count = 0, cost = 0, proceeds = 0 } = rows.find((row) => row.state === state) ?? {}
    return { state, count: Number(count), cost: Number(cost), proceeds: Number(proceeds) }
  })
}

type StateOf = { state: StockState }

/** Only a search reads the submissions. */
const filteredRows = ({ q }: StockFilter) =>
  q ? sql`inventory join gift_cards on gift_cards.id = inventory.gift_card_id` : sql`inventory`

async function matches(
  context: StockContext,
  staff: Pick<Staff, 'role'>,
  { q, state, brand, channel }: StockFilter,
): Promise<SQL> {
  return sql.join(
    [
      q ? await searchCards(context, staff, q) : sql`true`,
      state === undefined ? sql`` : sql`and ${inventory.state} = ${state}`,
      brand === undefined ? sql`` : sql`and ${inventory.brand} = ${brand}`,
      channel === undefined ? sql`` : sql`and ${inventory.channel} = ${channel}`,
    ],
    sql` `,
  )
}
