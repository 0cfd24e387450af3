import { and, desc, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { AuditFilter } from '#contract/audit.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { sameText } from '#server/platform/database/queries.ts'
import { auditHead, auditLog } from '#server/platform/database/schema.ts'
import type { AuditEntry } from './actions.ts'

export type AuditRow = typeof auditLog.$inferSelect

/** Newest first, one more than the limit when more follow. */
export async function listEntries(db: Executor, filter: AuditFilter): Promise<AuditRow[]> {
  return await db
    .select()
    .from(auditLog)
    .where(and(condition(filter), filter.cursor === undefined ? undefined : lt(auditLog.id, filter.cursor)))
    .orderBy(desc(auditLog.id))
    .limit(filter.limit + 1)
}

export async function countEntries(db: Executor, filter: AuditFilter): Promise<number> {
  const wanted = condition(filter)
  // The head counts them all.
  return wanted ? await db.$count(auditLog, wanted) : ((await readHead(db))?.entries ?? 0)
}

function condition({ actor, action, subject, from, to }: AuditFilter): SQL | undefined {
  return and(
    actor ? sameText(auditLog.actorName, actor) : undefined,
    action ? eq(auditLog.action, action) : undefined,
    subject ? eq(auditLog.subjectId, subject) : undefined,
    from ? gte(auditLog.at, new Date(from)) : undefined,
    to ? lt(auditLog.at, new Date(to)) : undefined,
  )
}

export async function hasRecentEntry(
  db: Executor,
  { actor, action, subject, details = {} }: AuditEntry,
  minutes: number,
): Promise<boolean> {
  const [row] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectId, subject.id),
        eq(auditLog.action, action),
        'id' in actor ? eq(auditLog.actorId, actor.id) : isNull(auditLog.actorId),
        eq(auditLog.details, details),
        gte(auditLog.at, sql`now() - ${minutes} * interval '1 minute'`),
      ),
    )
    .limit(1)
  return row !== undefined
}

export async function readHead(db: Executor) {
  const [head] = await db.select({ entries: auditHead.entries, hash: auditHead.hash }).from(auditHead)
  return head
}

/** An entry with the text that its hash is made over. */
export interface ChainRow extends Record<string, unknown> {
  readonly id: number
  readonly text: string
  readonly previous_hash: Buffer
  readonly hash: Buffer
}

/** The next entries, oldest first. What is hashed is written here anew and not by the database's own function. */
export async function readChain(db: Executor, after: number, limit: number): Promise<ChainRow[]> {
  const { rows } = await db.execute<ChainRow>(sql`
    select id::float8 as id, previous_hash, hash, jsonb_build_array(
      id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_kind, actor_id,
      actor_name, action, subject_kind, subject_id, details
    )::text as text
    from audit_log where id > ${after} order by id limit ${limit}`)
  return rows
}
