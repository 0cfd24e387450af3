import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import { openStatuses } from '#domain/submission.ts'
import { databaseTime } from '#server/platform/database/clock.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import {
  administrators,
  giftCards,
  photos,
  statusHistory,
  transactions,
  users,
} from '#server/platform/database/schema.ts'

/** Beside a submission's own columns: its photos, in order. */
export const photoNames = sql<string[]>`(
  select coalesce(array_agg(${photos.name} order by ${photos.position}), '{}')
  from ${photos} where ${photos.giftCardId} = ${giftCards.id}
)`

/**
 * The sealed words that explain the current status: why it was rejected or failed, what staff asked. Spelled without
 * columns of the schema, whose table Drizzle leaves out where a query reads one table.
 */
export const statusReason = sql<Buffer | null>`(
  select sealed_reason from status_history
  where status_history.gift_card_id = gift_cards.id and status_history.version = gift_cards.version
    and gift_cards.status in ('under_review', 'rejected', 'failed')
)`

const notCleared = isNull(giftCards.clearedAt)

export type CardRow = typeof giftCards.$inferSelect
export type SellerCardRow = Awaited<ReturnType<typeof listSellerCards>>[number]
export type TransactionRow = Awaited<ReturnType<typeof listTransactions>>[number]
export type HistoryRow = Awaited<ReturnType<typeof listHistory>>[number]

// Writing. What is not a promise is sent when it is awaited, or together with others.

export async function insertCard(tx: Transaction, card: typeof giftCards.$inferInsert): Promise<void> {
  await tx.insert(giftCards).values(card)
}

export async function insertTransaction(
  tx: Transaction,
  row: typeof transactions.$inferInsert,
): Promise<void> {
  await tx.insert(transactions).values(row)
}

export function insertHistory(tx: Transaction, row: typeof statusHistory.$inferInsert) {
  return tx.insert(statusHistory).values(row)
}

/** Locks a submission until the transaction ends: whoever decides about it, decides alone. */
export async function lockCard(tx: Transaction, id: string, sellerId?: string) {
  const own = sellerId === undefined ? undefined : eq(giftCards.sellerId, sellerId)
  const [row] = await tx
    .select({ ...getTableColumns(giftCards), lockedAt: databaseTime })
    .from(giftCards)
    .where(and(eq(giftCards.id, id), notCleared, own))
    .for('update')
    .prepare(own ? 'lock_own_card' : 'lock_card')
    .execute()
  return row
}

/** What a decision about a locked submission looks at, and the time that it is dated by. */
export type LockedCard = Pick<CardRow, 'id' | 'sellerId' | 'brandName' | 'status' | 'version' | 'dataKey'> & {
  lockedAt: Date
}

/** What a move changes of a submission. */
export type Moved = Pick<CardRow, 'status' | 'version' | 'answered' | 'dataKey' | 'updatedAt' | 'releasedAt'>

/** Moves a locked submission on to its next version. */
export function updateStatus(tx: Transaction, { id, version }: LockedCard, moved: Moved) {
  return tx
    .update(giftCards)
    .set(moved)
    .where(and(eq(giftCards.id, id), eq(giftCards.version, version)))
}

export function setBuyer(tx: Transaction, giftCardId: string, buyerId: string | null) {
  return tx.update(transactions).set({ buyerId }).where(eq(transactions.giftCardId, giftCardId))
}

/** Counts a completed submission in (or, when it is reverted, out of) its seller's record. */
export function addTrades(tx: Transaction, userId: string, change: 1 | -1) {
  return tx
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
    .select({ card: giftCards, photoNames, statusReason })
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
    .select({ transaction: transactions, card: giftCards, statusReason })
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

/** The whole row, for those who look for others like it. */
export async function findCard(db: Executor, id: string): Promise<CardRow | undefined> {
  const [row] = await db
    .select()
    .from(giftCards)
    .where(and(eq(giftCards.id, id), notCleared))
  return row
}

/** Oldest first, with the name of who moved it and the photos that came with an answer. */
export async function listHistory(db: Executor, giftCardId: string) {
  return await db
    .select({
      entry: statusHistory,
      card: { id: giftCards.id, dataKey: giftCards.dataKey, secretsErasedAt: giftCards.secretsErasedAt },
      photoNames: sql<string[]>`(
        select coalesce(array_agg(${photos.name} order by ${photos.position}), '{}') from ${photos}
        where ${photos.giftCardId} = ${statusHistory.giftCardId} and ${photos.version} = ${statusHistory.version}
          and ${statusHistory.version} > 1
      )`,
      name: sql<string | null>`coalesce(${administrators.username}, ${users.username})`,
    })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .leftJoin(
      administrators,
      and(eq(statusHistory.byKind, 'staff'), eq(administrators.id, statusHistory.byId)),
    )
    .leftJoin(users, and(eq(statusHistory.byKind, 'seller'), eq(users.id, statusHistory.byId)))
    .where(eq(statusHistory.giftCardId, giftCardId))
    .orderBy(asc(statusHistory.version))
}

/** What the mail about a move says, and who it goes to. */
export async function findMoveForMail(db: Executor, giftCardId: string, version: number) {
  const [row] = await db
    .select({
      entry: statusHistory,
      card: giftCards,
      to: { email: users.email, firstName: users.firstName, verified: users.verified },
    })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(and(eq(statusHistory.giftCardId, giftCardId), eq(statusHistory.version, version)))
    .prepare('move_for_mail')
    .execute()
  return row
}
