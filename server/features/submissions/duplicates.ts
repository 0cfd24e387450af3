import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import {
  type DuplicateAnswer,
  type DuplicateReason,
  duplicateReasons,
  type SellerRecord,
} from '#contract/staff.ts'
import type { Context } from '#server/context.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, users } from '#server/platform/database/schema.ts'
import { photoPaths } from './photos.ts'
import { type CardRow, findCard, statusReason } from './queries.ts'
import { openReason } from './reasons.ts'

/** Photos that differ in at most this many of their 64 bits count as the same. */
const SIMILAR_BITS = 6
/** Maximum submissions found for each reason, newest first. */
const MAX_PER_REASON = 20
/** Maximum photos compared per quarter: empty backgrounds share theirs by chance. */
const MAX_PER_QUARTER = 200

/** Other submissions that may be of the same card or person, the strongest reason first, then the newest. */
export async function listDuplicates(context: Context, staff: Staff, id: string): Promise<DuplicateAnswer[]> {
  const card = await requireCard(context, id)
  const reasons = await findReasons(context.db, card)
  const ids = [...reasons.keys()]
  const byPhoto = ids.filter((other) => reasons.get(other)?.includes('photo'))
  const [rows, pairs] = await Promise.all([
    findDuplicates(context.db, ids),
    findPairs(context.db, id, byPhoto),
  ])
  return rows
    .map((row) =>
      toDuplicate(context, staff, card, row, reasons.get(row.card.id) ?? [], pairs.get(row.card.id)),
    )
    .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? 1 : -1))
}

/** How many submissions the seller has, by status. */
export async function readSellerRecord(context: Context, id: string): Promise<SellerRecord> {
  const { sellerId } = await requireCard(context, id)
  const { rows } = await context.db.execute<SellerRecord & Record<string, unknown>>(sql`
    select count(*)::integer as submissions,
      (count(*) filter (where unlisted_brand))::integer as unlisted,
      (count(*) filter (where status = 'completed'))::integer as completed,
      -- Only rejected submissions can be appealed.
      (count(*) filter (where status = 'rejected' or appealed_at is not null))::integer as rejected,
      (count(*) filter (where appealed_at is not null))::integer as appealed
    from gift_cards where seller_id = ${sellerId} and cleared_at is null`)
  return rows[0] ?? { submissions: 0, completed: 0, rejected: 0, appealed: 0, unlisted: 0 }
}

async function requireCard({ db }: Context, id: string): Promise<CardRow> {
  const card = await findCard(db, id)
  if (!card) throw notFound()
  return card
}

/** Submissions by id, with the reasons why each may be a duplicate. */
async function findReasons(db: Executor, card: CardRow): Promise<Map<string, DuplicateReason[]>> {
  const queries: Record<DuplicateReason, SQL | null> = {
    card_number:
      card.cardNumberIndex && sameColumn(card.id, sql`card_number_index = ${card.cardNumberIndex}`),
    photo: similarPhotos([card.id]),
    payment_account:
      card.paymentAccountIndex &&
      sameColumn(card.id, sql`payment_account_index = ${card.paymentAccountIndex}`),
  }
  const found = await Promise.all(duplicateReasons.map((reason) => findIds(db, queries[reason])))
  const reasons = new Map<string, DuplicateReason[]>()
  for (const [index, reason] of duplicateReasons.entries()) {
    for (const id of found[index] ?? []) reasons.set(id, [...(reasons.get(id) ?? []), reason])
  }
  return reasons
}

async function findIds(db: Executor, query: SQL | null): Promise<string[]> {
  if (!query) return []
  return (await db.execute<{ id: string }>(query)).rows.map((row) => row.id)
}

function sameColumn(id: string, condition: SQL): SQL {
  return sql`
    select id from gift_cards where ${condition} and id <> ${id} and cleared_at is null
    order by id desc limit ${MAX_PER_REASON}`
}

/**
 * Other submissions with a photo like one of these, newest first. Compares only photos that share a quarter of their bits, or
 * all but one bit of it. Four indexes find those, and every photo within seven bits is among them.
 */
export function similarPhotos(ids: readonly string[], limit = MAX_PER_REASON): SQL {
  const own = sql`any(${sql.param(ids)}::uuid[])`
  return sql`
    with own as (
      select likeness from photos where gift_card_id = ${own} and likeness is not null
    ), neighbor(flip) as (
      select 0 union all select 1 << bit from generate_series(0, 15) as bit
    )
    select distinct other.gift_card_id as id
    from own cross join neighbor
    cross join lateral (
      ${sql.join([48, 32, 16, 0].map(candidates), sql` union all `)}
    ) as other
    where not other.gift_card_id = ${own}
      and bit_count((other.likeness # own.likeness)::bit(64)) <= ${SIMILAR_BITS}
    order by id desc limit ${limit}`
}

interface Pair extends Record<string, unknown> {
  readonly id: string
  readonly own: string
  readonly other: string
  readonly bits: number
}

/** The names of the two most similar photos with each of these submissions, and in how many bits they differ. */
async function findPairs(db: Executor, id: string, others: readonly string[]): Promise<Map<string, Pair>> {
  if (others.length === 0) return new Map()
  const { rows } = await db.execute<Pair>(sql`
    select distinct on (other.gift_card_id) other.gift_card_id as id, own.name as own, other.name as other,
      bit_count((other.likeness # own.likeness)::bit(64))::integer as bits
    from photos own cross join photos other
    where own.gift_card_id = ${id} and other.gift_card_id = any(${sql.param(others)}::uuid[])
      and own.likeness is not null and other.likeness is not null
    order by other.gift_card_id, bits`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Photos that share one quarter. The expression has to be written exactly as in the index. */
function candidates(shift: number): SQL {
  const quarter = shift === 0 ? 'likeness & 65535' : `(likeness >> ${shift}) & 65535`
  return sql`(
    select gift_card_id, likeness from photos
    where ${sql.raw(`(${quarter})`)} = ((own.likeness >> ${sql.raw(String(shift))}) & 65535) # flip
      and likeness is not null
    order by gift_card_id desc limit ${sql.raw(String(MAX_PER_QUARTER))}
  )`
}

type DuplicateRow = Awaited<ReturnType<typeof findDuplicates>>[number]

async function findDuplicates(db: Executor, ids: readonly string[]) {
  if (ids.length === 0) return []
  return await db
    .select({ card: giftCards, statusReason, username: users.username })
    .from(giftCards)
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(inArray(giftCards.id, [...ids]))
}

function toDuplicate(
  context: Context,
  staff: Staff,
  card: CardRow,
  { card: other, statusReason, username }: DuplicateRow,
  reasons: DuplicateReason[],
  pair: Pair | undefined,
): DuplicateAnswer {
  const [own] = pair ? photoPaths([pair.own], staff, card) : []
  const [others] = pair ? photoPaths([pair.other], staff, other) : []
  return {
    ...other,
    statusReason: openReason(context, context.words.en, staff, other, other.version, statusReason),
    reasons,
    photos:
      pair && own && others ? { own, other: others, percent: Math.round((1 - pair.bits / 64) * 100) } : null,
    user: { id: other.sellerId, username },
    sameSeller: other.sellerId === card.sellerId,
  }
}

function rank({ reasons, sameSeller }: DuplicateAnswer): number {
  const [strongest = 'payment_account'] = reasons
  // It is normal that a seller uses the same payout account each time.
  return duplicateReasons.indexOf(strongest) + (strongest === 'payment_account' && sameSeller ? 1 : 0)
}
