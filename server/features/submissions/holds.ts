import { and, desc, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import type { HoldAnswer, HoldList } from '#contract/holds.ts'
import { may } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { notPermitted, type Staff } from '#server/http/actor.ts'
import { countRows } from '#server/http/paging.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { administrators, giftCards, holds, payouts, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { openRow, sealRow, VaultError } from '#server/platform/vault/seal.ts'
import { lockCard } from './queries.ts'
import { writtenFor } from './reasons.ts'

/** What a hold keeps: exactly one of the two. */
interface About {
  readonly userId?: string | undefined
  readonly submissionId?: string | undefined
}

/** Whether a hold keeps the submission, for queries of gift_cards. */
export const isOnHold = sql<boolean>`(
  exists (select 1 from holds where holds.gift_card_id = gift_cards.id and holds.lifted_at is null)
  or exists (select 1 from holds where holds.user_id = gift_cards.seller_id and holds.lifted_at is null)
)`

/**
 * The locked submissions that no hold keeps now. A query that waited for their locks does not see a hold that was placed
 * meanwhile.
 */
export async function withoutHeld<Card extends { readonly id: string }>(
  tx: Transaction,
  cards: readonly Card[],
): Promise<Card[]> {
  if (cards.length === 0) return []
  const ids = cards.map(({ id }) => id)
  const held = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(inArray(giftCards.id, ids), isOnHold))
  const kept = new Set(held.map(({ id }) => id))
  return cards.filter(({ id }) => !kept.has(id))
}

/**
 * Keeps a submission, or all of a seller, from being erased and from being paid. Both are locked, so that neither happens at the same
 * time: a batch that leaves has locked its sellers. People who may not lift holds may only stop a payout.
 */
export async function placeHold(
  context: Context,
  staff: Staff,
  { userId, submissionId, reason }: About & { reason: string },
): Promise<HoldAnswer> {
  return transaction(context.db, async (tx) => {
    const card = submissionId === undefined ? undefined : await lockCard(tx, submissionId)
    if (submissionId !== undefined && !card) throw notFound()
    if (!(await lockSeller(tx, card?.sellerId ?? userId)) && !card) throw notFound()
    if (!may(staff.role, 'lift_holds') && !(card && (await hasPayout(tx, card.id)))) throw notPermitted(staff)
    const id = uuidv7()
    const { dataKey, sealed } = sealRow(context.keys, { table: 'holds', row: id }, { sealed_reason: reason })
    const placed = await tx
      .insert(holds)
      .values({
        id,
        giftCardId: submissionId ?? null,
        userId: userId ?? null,
        dataKey,
        sealedReason: sealed.sealed_reason ?? Buffer.alloc(0),
        placedBy: staff.id,
      })
      .onConflictDoNothing()
      .returning({ id: holds.id })
    if (placed.length === 0) throw new Refusal('on_hold_already', 'refusals.on_hold_already')
    // Leaves out the reason: it may quote a number, which could never be erased from the audit log.
    await record(tx, { actor: staff, action: 'hold.placed', subject: subjectOf({ userId, submissionId }) })
    return readHold(tx, context, staff, id)
  })
}

async function hasPayout(tx: Transaction, giftCardId: string): Promise<boolean> {
  return (await tx.$count(payouts, eq(payouts.giftCardId, giftCardId))) > 0
}

async function lockSeller(tx: Transaction, id = '') {
  const [seller] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
    .for('update')
  return seller
}

export async function liftHold(context: Context, staff: Staff, about: About): Promise<HoldAnswer> {
  return transaction(context.db, async (tx) => {
    const { userId, submissionId } = about
    const isAbout =
      submissionId === undefined ? eq(holds.userId, userId ?? '') : eq(holds.giftCardId, submissionId)
    const [lifted] = await tx
      .update(holds)
      .set({ liftedBy: staff.id, liftedAt: sql`now()` })
      .where(and(isAbout, isNull(holds.liftedAt)))
      .returning({ id: holds.id })
    if (!lifted) throw notFound()
    await record(tx, { actor: staff, action: 'hold.lifted', subject: subjectOf(about) })
    return readHold(tx, context, staff, lifted.id)
  })
}

function subjectOf({ userId = '', submissionId }: About) {
  return submissionId === undefined
    ? ({ kind: 'seller', id: userId } as const)
    : ({ kind: 'submission', id: submissionId } as const)
}

/** A page of the open holds, newest first. A filter by submission also finds the holds on its seller. */
export async function listHolds(
  context: Context,
  staff: Staff,
  { userId, submissionId, on, cursor, limit }: HoldList,
) {
  const { db } = context
  const isAbout = and(
    isNull(holds.liftedAt),
    on && isNotNull(on === 'seller' ? holds.userId : holds.giftCardId),
    userId === undefined ? undefined : eq(holds.userId, userId),
    submissionId === undefined
      ? undefined
      : or(
          eq(holds.giftCardId, submissionId),
          sql`${holds.userId} = (select seller_id from gift_cards where id = ${submissionId})`,
        ),
  )
  const [rows, total] = await Promise.all([
    selectHolds(db, and(isAbout, cursor === undefined ? undefined : lt(holds.id, cursor))).limit(limit + 1),
    countRows(db, holds, isAbout),
  ])
  return { rows: rows.map((row) => toHold(row, context, staff)), total }
}

const placer = alias(administrators, 'placer')
const lifter = alias(administrators, 'lifter')

function selectHolds(db: Executor, where: SQL | undefined) {
  return db
    .select({
      hold: holds,
      username: users.username,
      placedBy: placer.username,
      liftedBy: lifter.username,
    })
    .from(holds)
    .leftJoin(giftCards, eq(giftCards.id, holds.giftCardId))
    .innerJoin(users, sql`${users.id} = coalesce(${holds.userId}, ${giftCards.sellerId})`)
    .innerJoin(placer, eq(placer.id, holds.placedBy))
    .leftJoin(lifter, eq(lifter.id, holds.liftedBy))
    .where(where)
    .orderBy(desc(holds.id))
}

async function readHold(tx: Transaction, context: Context, staff: Staff, id: string): Promise<HoldAnswer> {
  return toHold(onlyRow(await selectHolds(tx, eq(holds.id, id))), context, staff)
}

type HoldRow = Awaited<ReturnType<typeof selectHolds>>[number]

function toHold({ hold, ...names }: HoldRow, context: Context, staff: Staff): HoldAnswer {
  const reason = writtenFor(staff, reasonOf(hold, context))
  return { ...hold, ...names, submissionId: hold.giftCardId, reason }
}

/** A reason that cannot be opened says so: the hold must stay visible. */
function reasonOf({ id, dataKey, sealedReason }: HoldRow['hold'], { keys, log, words }: Context): string {
  try {
    const columns = { sealed_reason: sealedReason }
    return openRow(keys, { table: 'holds', row: id }, dataKey, columns).sealed_reason ?? ''
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, hold: id }, 'cannot open the reason of a hold')
    return words.en('reasons.unreadable')
  }
}

/** Deletes the lifted holds of submissions that are erased, because their reasons may quote numbers. */
export async function deleteHolds(tx: Transaction, submissionIds: readonly string[]): Promise<void> {
  await tx.delete(holds).where(inArray(holds.giftCardId, [...submissionIds]))
}
