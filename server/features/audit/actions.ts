import type { AuditAction, AuditFilter, AuditEntry as WireEntry } from '#contract/audit.ts'
import type { Context } from '#server/context.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { auditPending } from '#server/platform/database/schema.ts'
import * as queries from './queries.ts'

export type AuditActor =
  | { readonly kind: 'staff' | 'seller'; readonly id: string; readonly username: string }
  | { readonly kind: 'visitor' | 'system' }

export type SubjectKind =
  | 'administrator'
  | 'brand'
  | 'key'
  | 'store'
  | 'submission'
  | 'submissions'
  | 'transactions'

export interface AuditEntry {
  readonly actor: AuditActor
  readonly action: AuditAction
  readonly subject: { readonly kind: SubjectKind; readonly id: string }
  /** Never a card number, PIN, bank number or password. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Appends to the audit log, in the transaction of the thing that it tells of: when that commits, the database chains
 * the entry to the one before.
 */
export async function record(
  tx: Transaction,
  { actor, action, subject, details = {} }: AuditEntry,
): Promise<void> {
  const known = 'id' in actor ? actor : undefined
  await tx.insert(auditPending).values({
    actorKind: actor.kind,
    actorId: known?.id ?? null,
    actorName: known?.username ?? null,
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    details,
  })
}

/** Whether the same entry was written within the last minutes. */
export function wasRecorded(db: Executor, entry: AuditEntry, minutes: number): Promise<boolean> {
  return queries.hasRecentEntry(db, entry, minutes)
}

/** A page of the log, newest first, and how many entries there are. */
export async function listEntries({ db }: Pick<Context, 'db'>, filter: AuditFilter) {
  const [rows, total] = await Promise.all([queries.listEntries(db, filter), queries.countEntries(db, filter)])
  return { rows: rows.map(toEntry), total }
}

function toEntry(row: queries.AuditRow): WireEntry {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    actorKind: row.actorKind,
    actor: row.actorName,
    action: row.action,
    subjectKind: row.subjectKind,
    subject: row.subjectId,
    details: row.details,
    hash: row.hash.toString('hex'),
  }
}
