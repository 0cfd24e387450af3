import { and, asc, desc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import { normalizeCardNumber } from '#domain/card-number.ts'
import { parseDollars } from '#domain/money.ts'
import { openStatuses, type Status } from '#domain/submission.ts'
import type { Executor, Transaction } from '#server/database/pool.ts'
import {
  administrators,
  giftCards,
  photos,
  statusHistory,
  transactions,
  users,
} from '#server/database/schema.ts'
import { likePattern } from '#server/database/search-text.ts'

/** Beside a submission's own columns: its photos, in order. */
const photoNames = sql<string[]>`(
  select coalesce(array_agg(${photos.name} order by ${photos.position}), '{}')
  from ${photos} where ${photos.giftCardId} = ${giftCards.id}
)`

/**
 * Another submission that may still be paid, or was, has the same card number. A rejected or withdrawn one
 * doesn't count: sending a card again after a blurry photo is what we ask for.
 */
const possibleDuplicate = sql<boolean>`exists (
  select 1 from gift_cards other
  where other.card_number_index = ${giftCards.cardNumberIndex}
    and other.id <> ${giftCards.id}
    and other.cleared_at is null
    and other.status in ('pending', 'under_review', 'processing', 'completed')
)`

/** Who is working on it, while the claim lasts. The times are read from JSON, so they are texts. */
const claimedBy = sql<{ id: string; username: string; since: string; until: string } | null>`(
  select json_build_object(
    'id', administrators.id, 'username', administrators.username, 'since', claims.since, 'until', claims.until
  )
  from claims join administrators on administrators.id = claims.administrator_id
  where claims.gift_card_id = ${giftCards.id} and claims.until > now()
)`

const seller = {
  id: users.id,
  username: users.username,
  email: users.email,
  phoneNumber: users.phoneNumber,
  createdAt: users.createdAt,
  verified: users.verified,
}

const notCleared = isNull(giftCards.clearedAt)

export type CardRow = typeof giftCards.$inferSelect
export type SellerCardRow = Awaited<ReturnType<typeof listSellerCards>>[number]
export type StaffCardRow = Awaited<ReturnType<typeof listStaffCards>>[number]
export type TransactionRow = Awaited<ReturnType<typeof listTransactions>>[number]
export type HistoryRow = Awaited<ReturnType<typeof listHistory>>[number]

// Writing

export async function insertCard(tx: Transaction, card: typeof giftCards.$inferInsert): Promise<void> {
  await tx.insert(giftCards).values(card)
}

export async function insertTransaction(
  tx: Transaction,
  row: typeof transactions.$inferInsert,
): Promise<void> {
  await tx.insert(transactions).values(row)
}

export async function insertPhotos(
  tx: Transaction,
  rows: readonly (typeof photos.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await tx.insert(photos).values([...rows])
}

export async function insertHistory(tx: Transaction, row: typeof statusHistory.$inferInsert): Promise<void> {
  await tx.insert(statusHistory).values(row)
}

/** Locks a submission until the transaction ends: whoever decides about it, decides alone. */
export async function lockCard(tx: Transaction, id: string, sellerId?: string): Promise<CardRow | undefined> {
  const [row] = await tx
    .select()
    .from(giftCards)
    .where(
      and(
        eq(giftCards.id, id),
        notCleared,
        sellerId === undefined ? undefined : eq(giftCards.sellerId, sellerId),
      ),
    )
    .for('update')
  return row
}

/** Moves a locked submission on to its next version. */
export async function updateStatus(
  tx: Transaction,
  { id, version }: CardRow,
  { status, statusReason, at }: { status: Status; statusReason: string | null; at: Date },
): Promise<void> {
  await tx
    .update(giftCards)
    .set({ status, statusReason, version: version + 1, updatedAt: at })
    .where(and(eq(giftCards.id, id), eq(giftCards.version, version)))
}

export async function setBuyer(tx: Transaction, giftCardId: string, buyerId: string | null): Promise<void> {
  await tx.update(transactions).set({ buyerId }).where(eq(transactions.giftCardId, giftCardId))
}

/** Counts a completed submission in (or, when it is reverted, out of) its seller's record. */
export async function addTrades(tx: Transaction, userId: string, change: 1 | -1): Promise<void> {
  await tx
    .update(users)
    .set({ tradeCount: sql`${users.tradeCount} + ${change}` })
    .where(eq(users.id, userId))
}

// Reading

export async function findByIdempotencyKey(db: Executor, sellerId: string, idempotencyKey: string) {
  const [row] = await db
    .select({ id: giftCards.id, fingerprint: giftCards.fingerprint })
    .from(giftCards)
    .where(and(eq(giftCards.sellerId, sellerId), eq(giftCards.idempotencyKey, idempotencyKey)))
  return row
}

export async function listSellerCards(
  db: Executor,
  filter: { sellerId: string; id?: string; open?: boolean } & Partial<Page>,
) {
  return await db
    .select({ card: giftCards, photoNames })
    .from(giftCards)
    .where(and(sellerFilter(filter), filter.cursor ? lt(giftCards.id, filter.cursor) : undefined))
    .orderBy(desc(giftCards.id))
    .limit((filter.limit ?? 1) + 1)
}

export async function countSellerCards(db: Executor, filter: { sellerId: string; open?: boolean }) {
  return await db.$count(giftCards, sellerFilter(filter))
}

function sellerFilter({
  sellerId,
  id,
  open,
}: {
  sellerId: string
  id?: string
  open?: boolean
}): SQL | undefined {
  return and(
    eq(giftCards.sellerId, sellerId),
    notCleared,
    id === undefined ? undefined : eq(giftCards.id, id),
    open ? inArray(giftCards.status, [...openStatuses]) : undefined,
  )
}

export async function listTransactions(
  db: Executor,
  { sellerId, id, cursor, limit = 1 }: { sellerId: string; id?: string } & Partial<Page>,
) {
  return await db
    .select({ transaction: transactions, card: giftCards })
    .from(transactions)
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .where(
      and(
        eq(transactions.sellerId, sellerId),
        notCleared,
        id === undefined ? undefined : eq(giftCards.id, id),
        cursor ? lt(transactions.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(limit + 1)
}

/** Sums over all of a seller's transactions, in cents. */
export async function sumEarnings(db: Executor, sellerId: string) {
  const [sums] = await db
    .select({
      earned: sql<string>`coalesce(sum(${transactions.amount}) filter (where ${giftCards.status} = 'completed'), 0)`,
      total: sql<string>`count(*)`,
      pending: sql<string>`count(*) filter (where ${giftCards.status} = 'pending')`,
    })
    .from(transactions)
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .where(and(eq(transactions.sellerId, sellerId), notCleared))
  return { earned: Number(sums?.earned), total: Number(sums?.total), pending: Number(sums?.pending) }
}

export interface StaffFilter {
  readonly id?: string | undefined
  readonly status?: Status | undefined
  readonly brand?: string | undefined
  /** Text to search for, as typed. */
  readonly q?: string | undefined
  /** The blind index of that text, were it a card number. */
  readonly numberIndex?: Buffer | undefined
}

export async function listStaffCards(db: Executor, filter: StaffFilter & Partial<Page>) {
  return await db
    .select({ card: giftCards, seller, photoNames, possibleDuplicate, claimedBy })
    .from(giftCards)
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(and(staffFilter(filter), filter.cursor ? lt(giftCards.id, filter.cursor) : undefined))
    .orderBy(desc(giftCards.id))
    .limit((filter.limit ?? 1) + 1)
}

export async function countStaffCards(db: Executor, filter: StaffFilter): Promise<number> {
  return await db.$count(giftCards, staffFilter(filter))
}

/** For staff's lists of submissions and of their transactions alike. */
export function staffFilter({ id, status, brand, q, numberIndex }: StaffFilter): SQL | undefined {
  return and(
    notCleared,
    id === undefined ? undefined : eq(giftCards.id, id),
    status && eq(giftCards.status, status),
    brand === undefined ? undefined : eq(giftCards.brand, brand),
    q ? search(q, numberIndex) : undefined,
  )
}

/** Id, brand, seller, amount, and the card's whole number or its last four. */
function search(q: string, numberIndex: Buffer | undefined): SQL | undefined {
  const pattern = likePattern(q)
  const cents = parseDollars(q.replace(/^\$/, '').replaceAll(',', ''))
  const ofSeller = sql`${giftCards.sellerId} in (
    select id from users where lower(username) like ${pattern} or lower(email) like ${pattern}
  )`
  return or(
    sql`${giftCards.id}::text like ${pattern}`,
    sql`${giftCards.brand} like ${pattern}`,
    sql`lower(${giftCards.brandName}) like ${pattern}`,
    ofSeller,
    eq(giftCards.cardNumberLastFour, normalizeCardNumber(q)),
    numberIndex && eq(giftCards.cardNumberIndex, numberIndex),
    cents === undefined ? undefined : eq(giftCards.denomination, cents),
    cents === undefined ? undefined : eq(giftCards.sellingPrice, cents),
  )
}

/** Oldest first, with the name of whoever moved it. */
export async function listHistory(db: Executor, giftCardId: string) {
  return await db
    .select({
      entry: statusHistory,
      name: sql<string | null>`coalesce(${administrators.username}, ${users.username})`,
    })
    .from(statusHistory)
    .leftJoin(
      administrators,
      and(eq(statusHistory.byKind, 'staff'), eq(administrators.id, statusHistory.byId)),
    )
    .leftJoin(users, and(eq(statusHistory.byKind, 'seller'), eq(users.id, statusHistory.byId)))
    .where(eq(statusHistory.giftCardId, giftCardId))
    .orderBy(asc(statusHistory.version))
}

export async function findPhoto(db: Executor, name: string) {
  const [row] = await db
    .select({
      photo: { name: photos.name, thumbnailName: photos.thumbnailName },
      card: { id: giftCards.id, dataKey: giftCards.dataKey, sellerId: giftCards.sellerId },
    })
    .from(photos)
    .innerJoin(giftCards, eq(giftCards.id, photos.giftCardId))
    .where(and(eq(photos.name, name), notCleared))
  return row
}

/** Which of these stored files a row holds. */
export async function findClaimedPhotos(
  db: Executor,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const list = [...names]
  const rows = await db
    .select({ name: photos.name, thumbnailName: photos.thumbnailName })
    .from(photos)
    .where(or(inArray(photos.name, list), inArray(photos.thumbnailName, list)))
  return new Set(rows.flatMap(({ name, thumbnailName }) => [name, thumbnailName]))
}

export async function countPhotos(db: Executor, giftCardId: string): Promise<number> {
  return await db.$count(photos, eq(photos.giftCardId, giftCardId))
}

/** What the mail about a move tells. */
export async function findMoveForMail(db: Executor, giftCardId: string, version: number) {
  const [row] = await db
    .select({ entry: statusHistory, card: giftCards, email: users.email, firstName: users.firstName })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(and(eq(statusHistory.giftCardId, giftCardId), eq(statusHistory.version, version)))
  return row
}
