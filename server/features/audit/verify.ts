import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database, Executor } from '#server/platform/database/pool.ts'
import { auditHead } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/** Entries read at a time. */
const BATCH_SIZE = 1000

/** The last entry at some moment. Saved outside the database, it proves later that earlier entries are unchanged. */
export interface Anchor {
  /** The number of the entry. */
  readonly entries: number
  /** In hex. */
  readonly hash: string
}

export type Verdict =
  | { readonly intact: true; readonly head: Anchor }
  | { readonly intact: false; readonly entry: number; readonly problem: string }

const problems = {
  edited: 'does not match its hash',
  missing: 'is missing',
  moved: 'does not follow the previous entry',
  head: 'is not the last one that was written: the end of the log was changed',
  anchor: 'is different from when its hash was saved',
}

/**
 * Checks the chain from the first entry to the last, in one snapshot. Finds the first entry that was edited, removed,
 * inserted or moved, and a missing end. Someone who can write the whole database can also write a new chain and head;
 * only an earlier head that was saved elsewhere (`known`) detects that. The contents of entries that a later entry lists as
 * redacted are not checked, only their place.
 */
export async function verifyAuditLog(db: Database, known?: Anchor): Promise<Verdict> {
  return transaction(
    db,
    async (tx) => {
      let last: Link = { id: 0, hash: Buffer.alloc(32) }
      const redacted = await readRedacted(tx)
      let isAnchored = known === undefined || known.entries === 0
      for (;;) {
        const rows = await readChain(tx, last.id)
        for (const row of rows) {
          const verdict = checkRow(row, last, redacted)
          if (verdict) return verdict
          last = row
          if (known?.entries !== row.id) continue
          if (known.hash !== row.hash.toString('hex')) return broken(row.id, 'anchor')
          isAnchored = true
        }
        if (rows.length < BATCH_SIZE) break
      }
      const [head] = await tx.select({ entries: auditHead.entries, hash: auditHead.hash }).from(auditHead)
      if (head?.entries !== last.id || !head.hash.equals(last.hash)) return broken(last.id, 'head')
      if (!isAnchored) return broken(known?.entries ?? 0, 'missing')
      return { intact: true, head: { entries: last.id, hash: last.hash.toString('hex') } }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

type Link = Pick<ChainRow, 'id' | 'hash'>

interface ChainRow extends Record<string, unknown> {
  readonly id: number
  /** What the hash is computed from, together with the previous hash. */
  readonly text: string
  readonly previous_hash: Buffer
  readonly hash: Buffer
}

/** The next entries, oldest first. The text is built here, without the database's own function, as a second opinion. */
async function readChain(db: Executor, after: number): Promise<ChainRow[]> {
  const { rows } = await db.execute<ChainRow>(sql`
    select id::float8 as id, previous_hash, hash, jsonb_build_array(
      id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_kind, actor_id,
      actor_name, action, subject_kind, subject_id, details
    )::text as text
    from audit_log where id > ${after} order by id limit ${BATCH_SIZE}`)
  return rows
}

/** Entries that lost a name or a text when a seller was deleted, with the number of the later entry that says so. */
async function readRedacted(db: Executor): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.execute<{ id: number; by: number }>(sql`
    select redacted::float8 as id, max(id)::float8 as by
    from audit_log, jsonb_array_elements_text(details->'redacted') as redacted
    where action = 'seller.deleted' group by redacted`)
  return new Map(rows.map(({ id, by }) => [id, by]))
}

function checkRow(row: ChainRow, last: Link, redacted: ReadonlyMap<number, number>): Verdict | undefined {
  if (row.id !== last.id + 1) return broken(last.id + 1, 'missing')
  if (!row.previous_hash.equals(last.hash)) return broken(row.id, 'moved')
  if ((redacted.get(row.id) ?? 0) > row.id) return undefined
  const hash = createHash('sha256').update(row.previous_hash).update(row.text).digest()
  return hash.equals(row.hash) ? undefined : broken(row.id, 'edited')
}

function broken(entry: number, problem: keyof typeof problems): Verdict {
  return { intact: false, entry, problem: problems[problem] }
}
