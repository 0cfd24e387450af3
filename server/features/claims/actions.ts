import { and, asc, eq, gt, isNull, notExists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type ClaimAnswer, claim as claimShape } from '#contract/staff-submissions.ts'
import { mayMoveFrom } from '#domain/queue.ts'
import type { Role } from '#domain/roles.ts'
import { movesFrom } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { notPermitted, type Staff } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import { databaseTime } from '#server/platform/database/clock.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, claims, giftCards, sessions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import { ago } from '#words/ago.ts'

/** How long a claim lasts. Screens renew it well before. */
const CLAIM_SECONDS = 60
/** How long an assigned claim lasts, unless the submission moves. */
const ASSIGNED_SECONDS = 24 * 3600

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
    const card = await lockAgainstClearing(tx, giftCardId)
    if (!card) throw notFound()
    const { status } = card
    // Nobody can move a withdrawn one, so anybody may claim it.
    if (movesFrom(status, 'staff').length > 0 && !mayMoveFrom(staff.role, status)) throw notPermitted(staff)
    const before = await findClaim(tx, giftCardId)
    const from = takeOver ? sql`true` : sql`${isOwn(staff)} or ${expired}`
    const row = await upsertClaim(tx, staff, giftCardId, from)
    if (!row) throw claimedByOther(await findClaim(tx, giftCardId))
    const claim = await toClaim(tx, row, staff.username)
    await pushClaim(tx, giftCardId, claim)
    if (before && before.claim.administratorId !== staff.id) {
      await recordTakeOver(tx, staff, giftCardId, before.username)
    }
    return claim
  })
}

/**
 * Claims a submission for a colleague and notifies them, or ends the claim (null). It may be unclaimed, yours, or theirs. Throws
 * 409 while somebody else has it, and a refusal at `assignee` if their role cannot move it.
 */
export async function assignSubmission(
  { db }: Context,
  staff: Staff,
  giftCardId: string,
  assignee: string | null,
): Promise<{ claimedBy: ClaimAnswer | null }> {
  return transaction(db, async (tx) => {
    const card = await lockAgainstClearing(tx, giftCardId)
    if (!card) throw notFound()
    if (!mayMoveFrom(staff.role, card.status)) throw notPermitted(staff)
    const colleague =
      assignee && (await lockColleague(tx, assignee, (role) => mayMoveFrom(role, card.status)))
    const before = await findClaim(tx, giftCardId)
    const isFree =
      !before ||
      [staff.id, assignee].includes(before.claim.administratorId) ||
      before.claim.assignedBy === staff.id
    if (!isFree) throw claimedByOther(before)
    const subject = { kind: 'submission', id: giftCardId } as const
    if (!colleague) {
      await tx.delete(claims).where(eq(claims.giftCardId, giftCardId))
      await pushClaim(tx, giftCardId, null)
      if (before) {
        await record(tx, {
          actor: staff,
          action: 'submission.assigned',
          subject,
          details: { assignee: null },
        })
      }
      return { claimedBy: null }
    }
    const seen = before?.claim.administratorId
    const replaceable = seen ? sql`${expired} or ${claims.administratorId} = ${seen}` : expired
    const assigned = { id: colleague.id, by: staff.id, version: card.version }
    const row = await upsertClaim(tx, assigned, giftCardId, replaceable)
    if (!row) throw claimedByOther(await findClaim(tx, giftCardId))
    const claimedBy = await toClaim(tx, row, colleague.username)
    await pushClaim(tx, giftCardId, claimedBy)
    await record(tx, {
      actor: staff,
      action: 'submission.assigned',
      subject,
      details: { assignee: colleague.username },
    })
    await pushAssigned(tx, 'staff', staff, colleague.id, card.brandName)
    return { claimedBy }
  })
}

/** Notifies an administrator that a colleague gave them work. Nobody notifies themselves. */
export async function pushAssigned(
  tx: Transaction,
  to: 'staff' | 'chat staff',
  { id, username: by }: Staff,
  assigneeId: string,
  about: string,
): Promise<void> {
  if (id === assigneeId) return
  await publish(tx, [{ to, message: { type: 'ASSIGNED', assigneeId, by, about } }])
}

/** Claims a submission that nobody has claimed, you included. @returns whether it was free */
export async function claimIfFree(tx: Transaction, staff: Staff, giftCardId: string): Promise<boolean> {
  const row = await upsertClaim(tx, staff, giftCardId, expired)
  if (row) await pushClaim(tx, giftCardId, await toClaim(tx, row, staff.username))
  return row !== undefined
}

/** Refuses while another administrator has claimed the submission, which the caller has locked. */
export async function requireUnclaimed(tx: Transaction, staff: Staff, giftCardId: string): Promise<void> {
  const found = await findClaim(tx, giftCardId)
  if (found && found.claim.administratorId !== staff.id) throw claimedByOther(found)
}

/** Releases your claim, unless a colleague assigned it. Succeeds if you have none. */
export async function releaseSubmission({ db }: Context, staff: Staff, giftCardId: string): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await lockAgainstClearing(tx, giftCardId))) throw notFound()
    if (!(await deleteClaim(tx, giftCardId, staff.id))) return
    await pushClaim(tx, giftCardId, null)
  })
}

/**
 * Releases all claims of an administrator, unless they are still signed in somewhere.
 * @param assigned whether to release assigned work too
 */
export async function releaseClaimsOf(
  tx: Transaction,
  administratorId: string,
  { assigned = false } = {},
): Promise<void> {
  for (const id of await deleteClaimsIfSignedOut(tx, administratorId, assigned)) {
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

async function toClaim(tx: Transaction, row: ClaimRow, username: string): Promise<ClaimAnswer> {
  const found = row.assignedBy ? await findClaim(tx, row.giftCardId) : undefined
  return { ...row, id: row.administratorId, username, assignedBy: found?.assignedBy ?? null }
}

type ClaimRow = typeof claims.$inferSelect

function pushClaim(tx: Transaction, submissionId: string, claim: ClaimAnswer | null): Promise<void> {
  const claimedBy = claim && z.encode(claimShape, claim)
  return publish(tx, [{ to: 'staff', message: { type: 'CLAIM_UPDATE', submissionId, claimedBy } }])
}

/** Keeps a submission from being cleared until the transaction ends. */
async function lockAgainstClearing(tx: Transaction, id: string) {
  const { status, version, brandName } = giftCards
  const [row] = await tx
    .select({ status, version, brandName })
    .from(giftCards)
    .where(and(eq(giftCards.id, id), isNull(giftCards.clearedAt)))
    .for('key share')
  return row
}

/** Whether a claim counts. An assigned one ends with the next move. */
export const isCurrentClaim = sql`(${claims.until} > now() and (${claims.version} is null
  or ${claims.version} = (select card.version from gift_cards card where card.id = ${claims.giftCardId})))`

const expired = sql`not ${isCurrentClaim}`

const assigners = alias(administrators, 'assigners')

const isOwn = ({ id }: { readonly id: string }) => sql`${claims.administratorId} = ${id}`

/**
 * Claims or renews in one statement, so that only one of two administrators who open a submission at once gets it.
 * @param replaceable which existing claim it replaces
 * @returns undefined when another claim exists
 */
async function upsertClaim(tx: Transaction, claimer: Claimer, giftCardId: string, replaceable: SQL) {
  const seconds = claimer.by ? ASSIGNED_SECONDS : CLAIM_SECONDS
  const until = sql`now() + make_interval(secs => ${seconds})`
  const assignment = { assignedBy: claimer.by ?? null, version: claimer.version ?? null }
  const isRenewed = sql`${isOwn(claimer)} and ${isCurrentClaim}`
  const renewed = {
    since: sql`case when ${isRenewed} then ${claims.since} else now() end`,
    until: sql`case when ${isRenewed} then greatest(${claims.until}, ${until}) else ${until} end`,
    assignedBy: sql`case when ${isRenewed} then ${claims.assignedBy} end`,
    version: sql`case when ${isRenewed} then ${claims.version} end`,
  }
  const [row] = await tx
    .insert(claims)
    .values({ giftCardId, administratorId: claimer.id, since: sql`now()`, until, ...assignment })
    .onConflictDoUpdate({
      target: claims.giftCardId,
      set: {
        administratorId: claimer.id,
        ...(claimer.by ? { since: sql`now()`, until, ...assignment } : renewed),
      },
      setWhere: replaceable,
    })
    .returning()
  return row
}

/** Who gets a claim, and, if a colleague assigns it, that colleague and the version that it counts for. */
interface Claimer {
  readonly id: string
  readonly by?: string
  readonly version?: number
}

/** The current claim on a submission, the usernames of its administrator and its assigner, and the database's time. */
async function findClaim(db: Executor, giftCardId: string) {
  const [row] = await db
    .select({
      claim: claims,
      username: administrators.username,
      assignedBy: assigners.username,
      readAt: databaseTime,
    })
    .from(claims)
    .innerJoin(administrators, eq(administrators.id, claims.administratorId))
    .leftJoin(assigners, eq(assigners.id, claims.assignedBy))
    .where(and(eq(claims.giftCardId, giftCardId), isCurrentClaim))
  return row
}

/** @returns the submissions that this administrator had claimed; none while they are still signed in somewhere */
async function deleteClaimsIfSignedOut(
  tx: Transaction,
  administratorId: string,
  assigned: boolean,
): Promise<string[]> {
  const present = tx
    .select({ one: sql`1` })
    .from(sessions)
    .where(and(eq(sessions.administratorId, administratorId), gt(sessions.expire, sql`now()`)))
  const rows = await tx
    .delete(claims)
    .where(
      and(
        eq(claims.administratorId, administratorId),
        isCurrentClaim,
        assigned ? undefined : isNull(claims.assignedBy),
        notExists(present),
      ),
    )
    .returning({ giftCardId: claims.giftCardId })
  return rows.map(({ giftCardId }) => giftCardId)
}

/** @returns whether this administrator had a claim that no colleague assigned */
async function deleteClaim(tx: Transaction, giftCardId: string, administratorId: string): Promise<boolean> {
  const rows = await tx
    .delete(claims)
    .where(
      and(
        eq(claims.giftCardId, giftCardId),
        eq(claims.administratorId, administratorId),
        isNull(claims.assignedBy),
      ),
    )
    .returning({ giftCardId: claims.giftCardId })
  return rows.length > 0
}

const colleague = { id: administrators.id, username: administrators.username, role: administrators.role }

/** The administrators who may get work, by name. */
export async function listColleagues({ db }: Context) {
  return await db
    .select(colleague)
    .from(administrators)
    .where(isNull(administrators.disabledAt))
    .orderBy(asc(administrators.username))
}

/** Locks an administrator against being disabled or changing role. Refuses one who is disabled or whose role lacks the right. */
export async function lockColleague(tx: Transaction, assignee: string, mayTake: (role: Role) => boolean) {
  const [found] = await tx
    .select(colleague)
    .from(administrators)
    .where(and(eq(administrators.id, assignee), isNull(administrators.disabledAt)))
    .for('share')
  if (found && mayTake(found.role)) return found
  throw invalid([{ path: 'assignedTo', code: 'assignee_unavailable' }])
}
