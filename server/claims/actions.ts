import type { Claim } from '#contract/staff-submissions.ts'
import { ago } from '#domain/ago.ts'
import { record } from '#server/audit/actions.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/database/pool.ts'
import { transaction } from '#server/database/transaction.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { publish } from '#server/live/publish.ts'
import * as queries from './queries.ts'

/** How long a claim lasts without being kept; screens call again well before. */
const SECONDS = 60

/**
 * Claims a submission, or goes on with the claim. Nobody is kept from a move by it: it tells the others that
 * somebody is at it. Throws 409 when that is somebody else, unless the claim is taken over knowingly.
 */
export async function claimSubmission(
  { db }: Context,
  staff: Staff,
  giftCardId: string,
  takeOver: boolean,
): Promise<Claim> {
  return transaction(db, async (tx) => {
    if (!(await queries.holdCard(tx, giftCardId))) throw notFound()
    const before = await queries.findClaim(tx, giftCardId)
    const row = await queries.upsertClaim(tx, {
      giftCardId,
      administratorId: staff.id,
      takeOver,
      seconds: SECONDS,
    })
    if (!row) throw claimedByOther(await queries.findClaim(tx, giftCardId))
    const claim = toClaim(row, staff.username)
    await publish(tx, [{ to: 'staff', message: update(giftCardId, claim) }])
    if (before && before.claim.administratorId !== staff.id) {
      await recordTakeOver(tx, staff, giftCardId, before.username)
    }
    return claim
  })
}

/** Gives one's own claim back; somebody else's stays. */
export async function releaseSubmission({ db }: Context, staff: Staff, giftCardId: string): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await queries.holdCard(tx, giftCardId))) throw notFound()
    if (!(await queries.deleteClaim(tx, giftCardId, staff.id))) return
    await publish(tx, [{ to: 'staff', message: update(giftCardId, null) }])
  })
}

/** Gives back whatever somebody had who has just signed out everywhere. */
export async function releaseClaimsOf(tx: Transaction, administratorId: string): Promise<void> {
  for (const id of await queries.deleteClaimsOfAbsent(tx, administratorId)) {
    await publish(tx, [{ to: 'staff', message: update(id, null) }])
  }
}

function claimedByOther(found: Awaited<ReturnType<typeof queries.findClaim>>): Refusal {
  // It may have run out between the two looks.
  if (!found) return new Refusal('claimed', 'Somebody else is working on this submission')
  const since = ago(found.readAt.getTime() - found.claim.since.getTime())
  return new Refusal('claimed', `${found.username} is working on this submission, opened ${since}`)
}

function recordTakeOver(tx: Transaction, actor: Staff, id: string, from: string): Promise<void> {
  return record(tx, {
    actor,
    action: 'submission.taken_over',
    subject: { kind: 'submission', id },
    details: { from },
  })
}

function toClaim(row: queries.ClaimRow, username: string): Claim {
  return {
    id: row.administratorId,
    username,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
  }
}

function update(submissionId: string, claimedBy: Claim | null) {
  return { type: 'CLAIM_UPDATE' as const, submissionId, claimedBy }
}
