import type { Transaction } from '#server/database/pool.ts'
import { auditLog } from '#server/database/schema.ts'

export type AuditActor =
  | { readonly kind: 'staff' | 'seller'; readonly id: string; readonly username: string }
  | { readonly kind: 'visitor' | 'system' }

/** What is written to the audit log; one list, so that a filter can offer it. */
export type AuditAction =
  | 'admin.created'
  | 'admin.signed_in'
  | 'admin.sign_in_refused'
  | 'submission.moved'
  | 'submission.revealed'

export interface AuditEntry {
  readonly actor: AuditActor
  readonly action: AuditAction
  readonly subject: { readonly kind: 'administrator' | 'submission'; readonly id: string }
  /** Never a card number, PIN, bank number or password. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Appends to the audit log, in the transaction of the thing that it tells of. */
export async function record(
  tx: Transaction,
  { actor, action, subject, details = {} }: AuditEntry,
): Promise<void> {
  const known = 'id' in actor ? actor : undefined
  await tx.insert(auditLog).values({
    actorKind: actor.kind,
    actorId: known?.id ?? null,
    actorName: known?.username ?? null,
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    details,
  })
}
