import { desc, eq, type SQL, sql } from 'drizzle-orm'
import type { StockFilter } from '#contract/inventory.ts'
import { type StockState, stockStates } from '#domain/inventory.ts'
import type { Context } from '#server/context.ts'
import { searchCards } from '#server/features/submissions/actions.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { likePattern } from '#server/platform/database/queries.ts'
import { giftCards, inventory, users } from '#server/platform/database/schema.ts'

const shown = {
  item: inventory,
  card: {
    brand: giftCards.brand,
    brandName: giftCards.brandName,
    unlistedBrand: giftCards.unlistedBrand,
    denomination: giftCards.denomination,
    cardNumberLastFour: giftCards.cardNumberLastFour,
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
  context: Context,
  { cursor, limit, q, ...filter }: StockFilter & { cursor?: string | undefined; limit: number },
): Promise<StockRow[]> {
  const after = cursor === undefined ? sql`` : sql`and gift_card_id < ${cursor}`
  const page = sql`${narrowed(filter)} ${after} order by gift_card_id desc limit ${limit + 1}`
  return await select(context.db)
    .where(sql`${inventory.giftCardId} = any(array(${q ? search(context, q, page) : all(page)}))`)
    .orderBy(desc(inventory.giftCardId))
    .limit(limit + 1)
}

const all = (page: SQL) => sql`select gift_card_id from inventory where true ${page}`

/** Each lookup has an index. Joined by OR, they would read the whole inventory. */
function search(context: Context, q: string, page: SQL): SQL {
  return sql`
    (select gift_card_id from ${searchCards(context, q)} as found join inventory on gift_card_id = found.id where true ${page})
    union (
      select newest.gift_card_id from (${foundBrands(q)}) as brands cross join lateral (
        select gift_card_id from inventory where brand = brands.brand ${page}
      ) as newest
    )`
}

function select(db: Executor) {
  return db
    .select(shown)
    .from(inventory)
    .innerJoin(giftCards, eq(giftCards.id, inventory.giftCardId))
    .innerJoin(users, eq(users.id, inventory.sellerId))
}

/** Count, cost and proceeds of every state, in cents. */
export async function sumStock(context: Context, { q, ...filter }: StockFilter) {
  const counted = q
    ? sql`
      with brands as materialized (${foundBrands(q)})
      select state, count, cost, proceeds from stock_counts
      where brand in (select brand from brands) ${narrowed(filter)}
      union all select state, 1, cost, coalesce(proceeds, 0)
      from ${searchCards(context, q)} as found join inventory on gift_card_id = found.id
      where brand not in (select brand from brands) ${narrowed(filter)}`
    : sql`select state, count, cost, proceeds from stock_counts where true ${narrowed(filter)}`
  const { rows } = await context.db.execute<Record<'count' | 'cost' | 'proceeds', string> & StateOf>(sql`
    select state, sum(count) as count, sum(cost) as cost, sum(proceeds) as proceeds
    from (${counted}) as counted group by state`)
  return stockStates.map((state) => {
    const { count = 0, cost = 0, proceeds = 0 } = rows.find((row) => row.state === state) ?? {}
    return { state, count: Number(count), cost: Number(cost), proceeds: Number(proceeds) }
  })
}

type StateOf = { state: StockState }

/** The brands that have or had a name with this text in it. */
function foundBrands(q: string): SQL {
  return sql`select distinct brand from submission_counts where lower(brand_name) like ${likePattern(q)}`
}

/** Conditions on `inventory` or `stock_counts`, which have the same columns. */
function narrowed({ state, brand, channel }: Omit<StockFilter, 'q'>): SQL {
  return sql.join(
    [
      state === undefined ? sql`` : sql`and state = ${state}`,
      brand === undefined ? sql`` : sql`and brand = ${brand}`,
      channel === undefined ? sql`` : sql`and channel = ${channel}`,
    ],
    sql` `,
  )
}
