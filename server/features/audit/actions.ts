import { and, desc, eq, getTableColumns, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import {
  type AuditAction,
  type AuditDetail,
  type AuditEntryAnswer,
  type AuditFilter,
  revealedActions,
} from '#contract/audit.ts'
import type { SeenPart } from '#contract/submissions.ts'
import type { Status } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import type { Staff } from '#server/http/actor.ts'
import { countRows } from '#server/http/paging.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { executePrepared, sameText } from '#server/platform/database/queries.ts'
import { auditLog, type users } from '#server/platform/database/schema.ts'
import { publish } from '#server/platform/live/publish.ts'

export type AuditActor =
  | { readonly kind: 'staff' | 'seller'; readonly id: string; readonly username: string }
  | { readonly kind: 'visitor' | 'system' }

type SubjectKind =
  | 'administrator'
  | 'brand'
  | 'hold'
  | 'inventory'
  | 'job'
  | 'key'
  | 'month'
  | 'payout'
  | 'payout_batch'
  | 'payouts'
  | 'policies'
  | 'policy'
  | 'report'
  | 'review'
  | 'seller'
  | 'store'
  | 'submission'
  | 'submissions'
  | 'system'
  | 'thread'
  | 'token'
  | 'transactions'
  | 'webhook'

export interface AuditEntry {
  readonly actor: AuditActor
  readonly action: AuditAction
  readonly subject: { readonly kind: SubjectKind; readonly id: string }
  /** Never a card number, PIN, bank number or password. */
  readonly details?: AuditDetails
}

export type AuditDetails = Readonly<Partial<Record<AuditDetail | Status, unknown>>>

/**
 * Appends to the audit log in the transaction of the recorded change. On commit, the database chains the entry to the
 * previous one. The id is random, because the sequence of an unlogged table cannot be read on a standby that was promoted: "bad
 * magic number in sequence" (PostgreSQL 15.18).
 */
export async function record(tx: Transaction, ...entries: readonly AuditEntry[]): Promise<void> {
  await executePrepared(
    tx,
    'record',
    sql`
    insert into audit_pending (id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, details)
    select hashtextextended(gen_random_uuid()::text, 0), "actorKind", "actorId", "actorName", action, "subjectKind", "subjectId", details
    from jsonb_to_recordset(${JSON.stringify(entries.map(toPending))}::jsonb) as given (
      "actorKind" text, "actorId" uuid, "actorName" text, action text, "subjectKind" text, "subjectId" text, details jsonb
    )`,
  )
}

function toPending({ actor, action, subject, details = {} }: AuditEntry) {
  const known = 'id' in actor ? actor : undefined
  return {
    actorKind: actor.kind,
    actorId: known?.id ?? null,
    actorName: known?.username ?? null,
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    details,
  }
}

/** What each action shows to staff, or to the operator's own service, unless its entry names it in `what`. */
export const revealActions = {
  'submission.revealed': ['card_number', 'pin', 'account'],
  'submission.balance_asked': ['card_number', 'pin'],
  'chat.message_revealed': ['card_number'],
  'chat.photo_downloaded': ['photo'],
  'chat.photo_viewed': ['photo'],
  'submission.photo_viewed': ['photo'],
  'submission.photo_downloaded': ['photo'],
  'payout.revealed': ['account'],
  'payout_batch.exported': ['account'],
} as const satisfies Partial<Record<AuditAction, readonly SeenPart[]>>

interface Reveal extends AuditEntry {
  readonly actor: Staff
  readonly action: keyof typeof revealActions
}

/**
 * Records that staff saw something encrypted, and in which role: a seller reads both under "Who looked".
 * @param card what it belongs to, if its seller should see the entry at once
 */
export async function recordReveal(
  tx: Transaction,
  reveal: Reveal,
  card?: { readonly id: string; readonly sellerId: string },
): Promise<void> {
  await record(tx, { ...reveal, details: { ...reveal.details, role: reveal.actor.role } })
  if (!card) return
  const { id: submissionId, sellerId: userId } = card
  await publish(tx, [{ to: { userId }, message: { type: 'REVEALED', userId, submissionId } }])
}

/** Whether this person did the same to the same subject in the last hours. */
export async function wasRecorded(
  db: Executor,
  { actor, action, subject }: Pick<AuditEntry, 'action' | 'subject'> & { readonly actor: Staff },
  hours: number,
): Promise<boolean> {
  const [entry] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectId, subject.id),
        eq(auditLog.action, action),
        eq(auditLog.actorId, actor.id),
        gte(auditLog.at, sql`now() - ${hours} * interval '1 hour'`),
      ),
    )
    .limit(1)
  return entry !== undefined
}

/** A page of the log, newest first, with one more row than the limit if more follow, and the total. */
export async function listEntries({ db }: Pick<Context, 'db'>, filter: AuditFilter) {
  const { cursor, limit } = filter
  const matches = condition(filter)
  const [rows, total] = await Promise.all([
    db
      .select({ ...getTableColumns(auditLog), batchNumber })
      .from(auditLog)
      .where(and(matches, cursor === undefined ? undefined : lt(auditLog.id, cursor)))
      .orderBy(desc(auditLog.id))
      .limit(limit + 1),
    countRows(db, auditLog, matches),
  ])
  return { rows: rows.map(toEntry), total }
}

const batchNumber = sql<number | null>`(
  case when audit_log.subject_kind = 'payout_batch' and length(audit_log.subject_id) = 36 then (
    select number::int from payout_batches where payout_batches.id = audit_log.subject_id::uuid
  ) end
)`

/** Whether an entry is a decision on a submission that was not undone: its next entry about a move would undo it. */
export const isDecision = sql`(
  audit_log.action = 'submission.moved' and audit_log.details->>'from' in ('pending', 'under_review')
  and audit_log.details->>'to' not in ('pending', 'under_review')
  and 'submission.undone' is distinct from (
    select later.action from audit_log later
    where later.subject_id = audit_log.subject_id and later.id > audit_log.id
      and later.action in ('submission.moved', 'submission.undone')
    order by later.id limit 1
  )
)`

function actionIs(action: AuditFilter['action']): SQL | undefined {
  if (action === 'decided') return isDecision
  return action === 'revealed'
    ? inArray(auditLog.action, revealedActions)
    : action && eq(auditLog.action, action)
}

function condition({ actor, action, ahead, subject, from, to }: AuditFilter): SQL | undefined {
  return and(
    actor ? sameText(auditLog.actorName, actor) : undefined,
    actionIs(action),
    ahead ? ne(auditLog.action, 'submission.photo_loaded_ahead') : undefined,
    subject ? eq(auditLog.subjectId, subject) : undefined,
    from ? gte(auditLog.at, new Date(from)) : undefined,
    to ? lt(auditLog.at, new Date(to)) : undefined,
  )
}

function toEntry(row: typeof auditLog.$inferSelect & { batchNumber: number | null }): AuditEntryAnswer {
  const { id, actorName: actor, subjectId: subject, hash } = row
  return { ...row, id: String(id), actor, subject, hash: hash.toString('hex') }
}

/** Details that may be about a seller, as texts that staff typed. `audit_personal_parts` in the database has the same list. */
export const personalDetails = ['q', 'reason'] as const

/** The entries that lost a part, by the name of the part. */
export type Redacted = Partial<Record<'actor_name' | (typeof personalDetails)[number], number[]>>

/**
 * Removes a seller's name from their entries, and what staff typed about them: reasons, and searches that named them. The caller
 * records the result, because only a later entry explains a missing part.
 */
export async function redact(tx: Transaction, { id, username }: Named): Promise<Redacted> {
  const entriesOf = async (update: SQL) => {
    const { rows } = await tx.execute<{ id: number }>(sql`${update} returning audit_log.id::float8 as id`)
    return rows.map((row) => row.id).sort((a, b) => a - b)
  }
  const redacted = {
    actor_name: await entriesOf(sql`
      update audit_log set actor_name = null
      where lower(actor_name) = lower(${username}) and actor_kind = 'seller' and actor_id = ${id}`),
    reason: await entriesOf(sql`
      update audit_log set details = details - 'reason'
      where details ? 'reason' and subject_id in (
        select ${id} union select id::text from gift_cards where seller_id = ${id}
        union select id::text from payouts where seller_id = ${id}
      )`),
    // Earlier entries do not say whom the search found. The account must be older, or anyone could make one to remove a search.
    q: await entriesOf(sql`
      update audit_log set details = details - 'q' from users
      where users.id = ${id} and action in ('transactions.exported', 'report.exported') and details ? 'q'
        and case when details ? 'sellers' then details->'sellers' ? ${id} else created_at < at end
        and ${isNamedBy(sql`details->>'q'`)}`),
  }
  return Object.fromEntries(Object.entries(redacted).filter(([, entries]) => entries.length > 0))
}

type Named = Pick<typeof users.$inferSelect, 'id' | 'username'>

/** Whether a search contains a name or the email address of a row of `users`, or is part of one. */
export function isNamedBy(search: SQL): SQL {
  return sql`exists (
    select from unnest(array[username, email, last_name, first_name || ' ' || last_name]) as names (name), lower(${search}) as typed
    where trim(name) <> '' and (position(lower(name) in typed) > 0 or position(typed in lower(name)) > 0)
  )`
}
