import { and, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm'
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
}

export type StockRow = NonNullable<Awaited<ReturnType<typeof findStockItem>>>

export async function findStockItem(db: Executor, id: string) {
  const [row] = await select(db).where(eq(inventory.giftCardId, id))
  return row
}

/** A page, newest first, with one row more than the limit if there are more. */
export async function selectStock(
  context: Context,
  { cursor, limit, ...filter }: StockFilter & { cursor?: string | undefined; limit: number },
): Promise<StockRow[]> {
  const after = cursor === undefined ? undefined : lt(inventory.giftCardId, cursor)
  return await select(context.db)
    .where(and(matches(context, filter), after))
    .orderBy(desc(inventory.giftCardId))
    .limit(limit + 1)
}

function select(db: Executor) {
  return db
    .select(shown)
    .from(inventory)
    .innerJoin(giftCards, eq(giftCards.id, inventory.giftCardId))
    .innerJoin(users, eq(users.id, inventory.sellerId))
}

/** Count, cost and proceeds of every state, in cents. */
export async function sumStock(context: Context, filter: StockFilter) {
  const sum = (column: typeof inventory.cost | typeof inventory.proceeds) =>
    sql`coalesce(sum(${column}), 0)`.mapWith(Number)
  const rows = await context.db
    .select({
      state: inventory.state,
      count: sql`count(*)`.mapWith(Number),
      cost: sum(inventory.cost),
      proceeds: sum(inventory.proceeds),
    })
    .from(inventory)
    .innerJoin(giftCards, eq(giftCards.id, inventory.giftCardId))
    .where(matches(context, filter))
    .groupBy(inventory.state)
  return stockStates.map((state) => rows.find((row) => row.state === state) ?? emptySum(state))
}

const emptySum = (state: StockState) => ({ state, count: 0, cost: 0, proceeds: 0 })

function matches(context: Context, { state, brand, channel, q }: StockFilter): SQL | undefined {
  return and(
    state === undefined ? undefined : eq(inventory.state, state),
    brand === undefined ? undefined : eq(giftCards.brand, brand),
    channel === undefined ? undefined : eq(inventory.channel, channel),
    q
      ? or(
          sql`${inventory.giftCardId} in ${searchCards(context, q)}`,
          sql`lower(${giftCards.brandName}) like ${likePattern(q)}`,
        )
      : undefined,
  )
}
