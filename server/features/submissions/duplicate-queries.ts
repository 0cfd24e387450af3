import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, users } from '#server/platform/database/schema.ts'
import { type CardRow, statusReason } from './queries.ts'

/** Two photos that differ in no more of their 64 bits show the same thing. */
const SIMILAR_BITS = 6
/** Of each reason no more are looked at, newest first: nobody reads a hundred. */
const PER_REASON = 20
/** Photos that share a quarter by chance, as empty backgrounds do, are not searched without end. */
const PER_QUARTER = 200

/** The newest other submissions that share the card number. */
export function findSameNumber(db: Executor, { id, cardNumberIndex }: CardRow) {
  return findIds(db, id, cardNumberIndex && sql`card_number_index = ${cardNumberIndex}`)
}

/** The newest other submissions that are to be paid to the same account. */
export function findSameAccount(db: Executor, { id, paymentAccountIndex }: CardRow) {
  return findIds(db, id, paymentAccountIndex && sql`payment_account_index = ${paymentAccountIndex}`)
}

async function findIds(db: Executor, id: string, condition: SQL | null): Promise<string[]> {
  if (!condition) return []
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from gift_cards where ${condition} and id <> ${id} and cleared_at is null
    order by id desc limit ${PER_REASON}`)
  return rows.map((row) => row.id)
}

/** The newest other submissions with a similar photo. */
export async function findSimilarPhoto(db: Executor, { id }: CardRow): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(similarPhotos(id))
  return rows.map((row) => row.id)
}

/**
 * Only photos are compared that are equal in one quarter of the
 * bits, or all but one bit of it, which four indexes find; every photo within seven bits is among them.
 */
export function similarPhotos(id: string): SQL {
  return sql`
    with own as (
      select likeness from photos where gift_card_id = ${id} and likeness is not null
    ), neighbour(flip) as (
      select 0 union all select 1 << bit from generate_series(0, 15) as bit
    )
    select distinct other.gift_card_id as id
    from own cross join neighbour
    cross join lateral (
      ${sql.join([48, 32, 16, 0].map(candidates), sql` union all `)}
    ) as other
    where other.gift_card_id <> ${id}
      and bit_count((other.likeness # own.likeness)::bit(64)) <= ${SIMILAR_BITS}
    order by id desc limit ${PER_REASON}`
}

/** Written as the indexes have it. */
function candidates(shift: number): SQL {
  const quarter = shift === 0 ? 'likeness & 65535' : `(likeness >> ${shift}) & 65535`
  return sql`(
    select gift_card_id, likeness from photos
    where ${sql.raw(`(${quarter})`)} = ((own.likeness >> ${sql.raw(String(shift))}) & 65535) # flip
      and likeness is not null
    order by gift_card_id desc limit ${sql.raw(String(PER_QUARTER))}
  )`
}

export async function findDuplicateRows(db: Executor, ids: readonly string[]) {
  if (ids.length === 0) return []
  return await db
    .select({ card: giftCards, statusReason, username: users.username })
    .from(giftCards)
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(inArray(giftCards.id, [...ids]))
}

/** What became of everything that a seller has submitted; reads that seller's rows only. */
export async function sumSellerRecord(db: Executor, sellerId: string) {
  const { rows } = await db.execute<{
    submissions: number
    completed: number
    rejected: number
    unlisted: number
  }>(sql`
    select count(*)::integer as submissions,
      (count(*) filter (where unlisted_brand))::integer as unlisted,
      (count(*) filter (where status = 'completed'))::integer as completed,
      (count(*) filter (where status = 'rejected'))::integer as rejected
    from gift_cards where seller_id = ${sellerId} and cleared_at is null`)
  return rows[0] ?? { submissions: 0, completed: 0, rejected: 0, unlisted: 0 }
}
