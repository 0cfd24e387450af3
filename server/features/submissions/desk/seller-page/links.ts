import { inArray, type SQL, sql } from 'drizzle-orm'
import type { SellerLink } from '#contract/sellers.ts'
import { type DuplicateReason, duplicateReasons } from '#contract/staff.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { users } from '#server/platform/database/schema.ts'
import { similarPhotos } from '../../duplicates.ts'

/** Submissions of the seller that are compared by number and payout account, newest first. */
const MAX_COMPARED = 200
/** The same by photo, which costs more. */
const MAX_COMPARED_BY_PHOTO = 10
/** Submissions found for each number and payout account. */
const MAX_PER_VALUE = 20
/** Submissions found by photo, the seller's own included. */
const MAX_BY_PHOTO = 200
const MAX_LINKS = 20

/** Other sellers who may be the same person: strongest reason first, then the newest submission. */
export async function findLinks(db: Executor, sellerId: string): Promise<SellerLink[]> {
  const queries: Record<DuplicateReason, SQL> = {
    card_number: sameValue('card_number_index', sellerId),
    photo: await samePhoto(db, sellerId),
    payment_account: sameValue('payment_account_index', sellerId),
  }
  const found = new Map<string, { reasons: DuplicateReason[]; submissionId: string }>()
  for (const reason of duplicateReasons) {
    const { rows } = await db.execute<{ id: string; seller_id: string }>(queries[reason])
    for (const { id, seller_id } of rows) {
      const known = found.get(seller_id)
      if (!known) found.set(seller_id, { reasons: [reason], submissionId: id })
      else {
        if (!known.reasons.includes(reason)) known.reasons.push(reason)
        if (id > known.submissionId) known.submissionId = id
      }
    }
  }
  const strongest = [...found]
    .sort(([, one], [, other]) => rank(one) - rank(other) || (one.submissionId < other.submissionId ? 1 : -1))
    .slice(0, MAX_LINKS)
  return await withUsers(db, strongest)
}

function rank({ reasons: [strongest = 'payment_account'] }: { reasons: readonly DuplicateReason[] }): number {
  return duplicateReasons.indexOf(strongest)
}

function sameValue(column: 'card_number_index' | 'payment_account_index', sellerId: string): SQL {
  const index = sql.identifier(column)
  return sql`
    select other.id, other.seller_id from (
      select distinct newest.value from (
        select ${index} as value from gift_cards where seller_id = ${sellerId} and cleared_at is null
        order by id desc limit ${MAX_COMPARED}
      ) newest where newest.value is not null
    ) own
    cross join lateral (
      select id, seller_id from gift_cards
      where ${index} = own.value and seller_id <> ${sellerId} and cleared_at is null
      order by id desc limit ${MAX_PER_VALUE}
    ) other`
}

async function samePhoto(db: Executor, sellerId: string): Promise<SQL> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from gift_cards where seller_id = ${sellerId} and cleared_at is null
    order by id desc limit ${MAX_COMPARED_BY_PHOTO}`)
  const ids = rows.map(({ id }) => id)
  return sql`
    select gift_cards.id, seller_id from (${similarPhotos(ids, MAX_BY_PHOTO)}) alike
    join gift_cards on gift_cards.id = alike.id
    where seller_id <> ${sellerId} and cleared_at is null`
}

type Found = readonly [sellerId: string, { reasons: DuplicateReason[]; submissionId: string }]

async function withUsers(db: Executor, found: readonly Found[]): Promise<SellerLink[]> {
  if (found.length === 0) return []
  const ids = found.map(([sellerId]) => sellerId)
  const rows = await db
    .select({ id: users.id, username: users.username, state: users.state })
    .from(users)
    .where(inArray(users.id, ids))
  return found.flatMap(([sellerId, link]) => {
    const user = rows.find(({ id }) => id === sellerId)
    return user ? [{ user, ...link }] : []
  })
}
