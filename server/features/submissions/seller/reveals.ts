import { and, desc, eq, sql } from 'drizzle-orm'
import type { AuditAction } from '#contract/audit.ts'
import type { SeenPart, SellerReveal } from '#contract/submissions.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import { administrators, auditLog } from '#server/platform/database/schema.ts'
import { listSellerCards } from './queries.ts'

const MAX_REVEALS = 200

/** What each action showed. `submission.revealed` names it in its details; earlier entries showed everything. */
const shown = {
  'submission.revealed': ['card_number', 'pin', 'account'],
  'submission.photo_viewed': ['photo'],
  'submission.photo_downloaded': ['photo'],
  'payout.revealed': ['account'],
  'payout_batch.exported': ['account'],
} as const satisfies Partial<Record<AuditAction, readonly SeenPart[]>>

/** When staff looked at the secrets of a submission, from the audit log. The role is the one that the person has now. */
export async function readOwnReveals(
  { db }: Context,
  { id: sellerId }: Seller,
  id: string,
): Promise<SellerReveal[]> {
  const [card] = await listSellerCards(db, { sellerId, id })
  if (!card) throw notFound()
  const subjects = sql`
    select ${id} union select id::text from payouts where gift_card_id = ${id}
    union select batch_id::text from payouts where gift_card_id = ${id}`
  const rows = await db
    .select({
      at: auditLog.at,
      action: auditLog.action,
      details: auditLog.details,
      role: administrators.role,
    })
    .from(auditLog)
    .innerJoin(administrators, eq(administrators.id, auditLog.actorId))
    .where(
      and(
        sql`${auditLog.subjectId} in (${subjects})`,
        sql`${auditLog.action} = any(${sql.param(Object.keys(shown))})`,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(MAX_REVEALS)
  return rows.map(({ at, action, details, role }) => ({
    at: at.toISOString(),
    role,
    what: (details.what as SeenPart[] | undefined) ?? [...shown[action as keyof typeof shown]],
  }))
}
