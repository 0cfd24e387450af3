import { and, desc, eq, sql } from 'drizzle-orm'
import type { SeenPart, SellerReveal } from '#contract/submissions.ts'
import type { Context } from '#server/context.ts'
import { revealActions } from '#server/features/audit/actions.ts'
import type { Seller } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import { administrators, auditLog } from '#server/platform/database/schema.ts'
import { listSellerCards } from './queries.ts'

const MAX_REVEALS = 200

/**
 * The role in which somebody looked. Entries of earlier versions do not name it: it is the one that they lost at the next change,
 * or still have.
 */
const roleThen = sql<SellerReveal['role']>`coalesce(
  ${auditLog.details}->>'role',
  (
    select (array_agg(changed.details->'role'->>'from' order by changed.id))[1] from audit_log as changed
    where changed.action = 'admin.role_changed' and changed.subject_id = ${administrators.username}
      and changed.id > ${auditLog.id}
  ),
  ${administrators.role}
)`

/** When staff looked at the secrets of a submission, or a service was asked with them, from the audit log. */
export async function readOwnReveals({ db }: Context, { id: sellerId }: Seller, id: string) {
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
      role: roleThen,
    })
    .from(auditLog)
    .leftJoin(administrators, eq(administrators.id, auditLog.actorId))
    .where(
      and(
        sql`${auditLog.subjectId} in (${subjects})`,
        sql`${auditLog.action} = any(${sql.param(Object.keys(revealActions))})`,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(MAX_REVEALS)
  return rows.map(({ at, action, details, role }) => ({
    at,
    role,
    what: (details.what as SeenPart[] | undefined) ?? [
      ...revealActions[action as keyof typeof revealActions],
    ],
  }))
}
