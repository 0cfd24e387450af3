import { and, eq, gt, isNull, notExists, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type ClaimAnswer, claim as claimShape } from '#contract/staff-submissions.ts'
import { mayMoveFrom } from '#domain/queue.ts'
import { movesFrom, type Status } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { notPermitted, type Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { databaseTime } from '#server/platform/database/clock.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, claims, giftCards, sessions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import { ago } from '#words/ago.ts'

/** How long a claim lasts. Screens renew it well before. */
const CLAIM_SECONDS = 60

/**
 * Claims a submission, or renews the claim. A claim prevents no move: it only shows who is working on the submission. Only
 * the payment of a worksheet is refused to others. Throws 409 while another administrator has it, unless `takeOver` is set,
 * and 403 if the role cannot move it.
 */
export async function claimSubmission(
  { db }: Context,
  staff: Staff,
  giftCardId: string,
  takeOver: boolean,
): Promise<ClaimAnswer> {
  return transaction(db, async (tx) => {
    const status = await lockAgainstClearing(tx, giftCardId)
    if (!status) throw notFound()
    // Nobody can move a withdrawn one, so anybody may claim it.
    if (movesFrom(status, 'staff').length > 0 && !mayMoveFrom(staff.role, status)) throw notPermitted(staff)
    const before = await findClaim(tx, giftCardId)
    const from = takeOver ? sql`true` : sql`${isOwn(staff)} or ${expired}`
    const row = await upsertClaim(tx, staff, giftCardId, from)
    if (!row) throw claimedByOther(await findClaim(tx, giftCardId))
    const claim = toClaim(row, staff.username)
    await pushClaim(tx, giftCardId, claim)
    if (before && before.claim.administratorId !== staff.id) {
      await recordTakeOver(tx, staff, giftCardId, before.username)
    }
    return claim
  })
}

/** Claims a submission that nobody has claimed, you included. @returns whether it was free */
export async function claimIfFree(tx: Transaction, staff: Staff, giftCardId: string): Promise<boolean> {
  const row = await upsertClaim(tx, staff, giftCardId, expired)
  if (row) await pushClaim(tx, giftCardId, toClaim(row, staff.username))
  return row !== undefined
}

/** Refuses while another administrator has claimed the submission, which the caller has locked. */
export async function requireUnclaimed(tx: Transaction, staff: Staff, giftCardId: string): Promise<void> {
  const found = await findClaim(tx, giftCardId)
  if (found && found.claim.administratorId !== staff.id) throw claimedByOther(found)
}

/** Releases your claim. Succeeds if you have none. */
export async function releaseSubmission({ db }: Context, staff: Staff, giftCardId: string): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await lockAgainstClearing(tx, giftCardId))) throw notFound()
    if (!(await deleteClaim(tx, giftCardId, staff.id))) return
    await pushClaim(tx, giftCardId, null)
  })
}

/** Releases all claims of an administrator, unless they are still signed in somewhere. */
export async function releaseClaimsOf(tx: Transaction, administratorId: string): Promise<void> {
  for (const id of await deleteClaimsIfSignedOut(tx, administratorId)) {
    await pushClaim(tx, id, null)
  }
}

function claimedByOther(found: Awaited<ReturnType<typeof findClaim>>): Refusal {
  // It may have expired between the two queries.
  if (!found) return new Refusal('claimed', 'refusals.claimed')
  const passed = found.readAt.getTime() - found.claim.since.getTime()
  return new Refusal('claimed', 'refusals.claimed_by', {
    params: (t) => ({ name: found.username, since: ago(t, passed) }),
  })
}

function recordTakeOver(tx: Transaction, actor: Staff, id: string, from: string): Promise<void> {
  return record(tx, {
    actor,
    action: 'submission.taken_over',
    subject: { kind: 'submission', id },
    details: { from },
  })
}

function toClaim(row: typeof claims.$inferSelect, username: string): ClaimAnswer {
  return { ...row, id: row.administratorId, username }
}

function pushClaim(tx: Transaction, submissionId: string, claim: ClaimAnswer | null): Promise<void> {
  const claimedBy = claim && z.encode(claimShape, claim)
  return publish(tx, [{ to: 'staff', message: { type: 'CLAIM_UPDATE', submissionId, claimedBy } }])
}

/** Keeps a submission from being cleared until the transaction ends. @returns its status, or undefined if there is none */
async function lockAgainstClearing(tx: Transaction, id: string): Promise<Status | undefined> {
  const [row] = await tx
    .select({ status: giftCards.status })
    .from(giftCards)
    .where(and(eq(giftCards.id, id), isNull(giftCards.clearedAt)))
    .for('key share')
  return row?.status
}

const expired = sql`${claims.until} <= now()`

const isOwn = (staff: Staff) => sql`${claims.administratorId} = ${staff.id}`

/**
 * Claims or renews in one statement, so that only one of two administrators who open a submission at once gets it.
 * @param replaceable which existing claim it replaces
 * @returns undefined when another claim exists
 */
async function upsertClaim(tx: Transaction, staff: Staff, giftCardId: string, replaceable: SQL) {
  const until = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`
  const [row] = await tx
    .insert(claims)
    .values({ giftCardId, administratorId: staff.id, since: sql`now()`, until })
    .onConflictDoUpdate({
      target: claims.giftCardId,
      set: {
        administratorId: staff.id,
        since: sql`case when ${isOwn(staff)} and not ${expired} then ${claims.since} else now() end`,
        until,
      },
      setWhere: replaceable,
    })
    .returning()
  return row
}

/** The current claim on a submission, its administrator's username and the database's time. */
async function findClaim(db: Executor, giftCardId: string) {
  const [row] = await db
    .select({ claim: claims, username: administrators.username, readAt: databaseTime })
    .from(claims)
    .innerJoin(administrators, eq(administrators.id, claims.administratorId))
    .where(and(eq(claims.giftCardId, giftCardId), sql`${claims.until} > now()`))
  return row
}

/** @returns the submissions that this administrator had claimed; none while they are still signed in somewhere */
async function deleteClaimsIfSignedOut(tx: Transaction, administratorId: string): Promise<string[]> {
  const present = tx
    .select({ one: sql`1` })
    .from(sessions)
    .where(and(eq(sessions.administratorId, administratorId), gt(sessions.expire, sql`now()`)))
  const rows = await tx
    .delete(claims)
    .where(and(eq(claims.administratorId, administratorId), sql`not ${expired}`, notExists(present)))
    .returning({ giftCardId: claims.giftCardId })
  return rows.map(({ giftCardId }) => giftCardId)
}

/** @returns whether this administrator had a claim */
async function deleteClaim(tx: Transaction, giftCardId: string, administratorId: string): Promise<boolean> {
  const rows = await tx
    .delete(claims)
    .where(and(eq(claims.giftCardId, giftCardId), eq(claims.administratorId, administratorId)))
    .returning({ giftCardId: claims.giftCardId })
  return rows.length > 0
}
