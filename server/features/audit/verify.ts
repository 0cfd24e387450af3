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
  /** How many entries an upgrade had sealed by then. Unknown if an earlier version printed the anchor. */
  readonly sealed?: number | undefined
}

export type Verdict =
  | {
      readonly intact: true
      readonly head: Anchor
      /** Sealed entries that lost a part before the seal, so nothing proves the rest of them. */
      readonly unproven: number
      /** Names and texts that were removed from entries, each explained by a later entry. */
      readonly removed: number
    }
  | { readonly intact: false; readonly entry: number; readonly problem: string }

const problems = {
  edited: 'does not match its hash',
  missing: 'is missing',
  moved: 'does not follow the previous entry',
  removed: 'lacks a name or a text, and no later deletion of a seller removed it',
  seal: 'seals earlier entries, and one of those was changed',
  head: 'is not the last one that was written: the end of the log was changed',
  anchor: 'is different from when its hash was saved',
}

/**
 * Checks the chain from the first entry to the last, in one snapshot. Finds the first entry that was edited, removed,
 * inserted or moved, and a missing end. Someone who can write the whole database can also write a new chain and head;
 * only an earlier head that was saved elsewhere (`known`) detects that. A personal part may be missing if a later entry says that
 * the deletion of a seller removed it; what is left of the entry is checked all the same.
 */
export async function verifyAuditLog(db: Database, known?: Anchor): Promise<Verdict> {
  return transaction(
    db,
    async (tx) => {
      const seal = await readSeal(tx)
      const redactions = await readRedactions(tx, seal)
      let last: Link = { id: 0, hash: Buffer.alloc(32) }
      let earlier: Buffer = Buffer.alloc(32)
      let removed = 0
      let isAnchored = known === undefined || known.entries === 0
      for (;;) {
        const rows = await readChain(tx, seal, last.id)
        for (const row of rows) {
          const problem =
            checkPlace(row, last) ?? checkParts(row, redactions) ?? checkHash(row, seal, redactions)
          if (problem) return broken(problem === 'missing' ? last.id + 1 : row.id, problem)
          if (row.id < seal.id) earlier = sha256(earlier, row.text)
          if (row.id === seal.id && !isSealOf(seal, earlier)) return broken(row.id, 'seal')
          last = row
          removed += removedParts(row).length
          if (known?.entries !== row.id) continue
          if (known.hash !== row.hash.toString('hex')) return broken(row.id, 'anchor')
          isAnchored = true
        }
        if (rows.length < BATCH_SIZE) break
      }
      const [head] = await tx.select({ entries: auditHead.entries, hash: auditHead.hash }).from(auditHead)
      if (head?.entries !== last.id || !head.hash.equals(last.hash)) return broken(last.id, 'head')
      if (!isAnchored) return broken(known?.entries ?? 0, 'missing')
      const sealed = Math.max(seal.id - 1, 0)
      if (known?.sealed !== undefined && known.sealed !== sealed) return broken(known.entries, 'anchor')
      const proof = { entries: last.id, hash: last.hash.toString('hex'), sealed }
      return { intact: true, head: proof, unproven: seal.unproven.size, removed }
    },
    'isolation level repeatable read, read only',
  )
}

type Link = Pick<ChainRow, 'id' | 'hash'>

interface ChainRow extends Record<string, unknown> {
  readonly id: number
  /** What the hash is computed from, together with the previous hash. */
  readonly text: string
  /** The same for a sealed entry, whose hash covers its personal parts. */
  readonly earlier_text: string | null
  readonly previous_hash: Buffer
  readonly hash: Buffer
  /** By personal part, in hex. */
  readonly commitments: Readonly<Record<string, string>>
  /** What each commitment is computed from, for the parts that are still there. */
  readonly opened: Readonly<Record<string, string>>
  /** The parts that have a salt. */
  readonly salted: readonly string[]
}

/** The next entries, oldest first. The texts are built here, without the database's own functions, as a second opinion. */
async function readChain(db: Executor, seal: Seal, after: number): Promise<ChainRow[]> {
  const start = sql`
    id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_kind, actor_id`
  const { rows } = await db.execute<ChainRow>(sql`
    select id::float8 as id, previous_hash, hash, commitments,
      jsonb_build_array(
        ${start}, case when commitments ? 'actor_name' then null else actor_name end, action, subject_kind, subject_id,
        case when commitments = '{}' then details else details - array(select jsonb_object_keys(commitments)) end, commitments
      )::text as text,
      case when id < ${seal.id} then
        jsonb_build_array(${start}, actor_name, action, subject_kind, subject_id, details)::text
      end as earlier_text,
      case when commitments = '{}' then '{}' else (
        select coalesce(jsonb_object_agg(key, jsonb_build_array(salts->key, value)::text), '{}')
        from jsonb_each(details || jsonb_strip_nulls(jsonb_build_object('actor_name', actor_name)))
        where commitments ? key
      ) end as opened,
      case when salts = '{}' then '{}'::text[] else array(select jsonb_object_keys(salts)) end as salted
    from audit_log where id > ${after} order by id limit ${BATCH_SIZE}`)
  return rows
}

/** What an upgrade wrote about the entries of earlier versions, whose hashes cover their personal parts. */
interface Seal {
  /** The number of its entry, or 0 if there were no earlier entries. */
  readonly id: number
  readonly sha256: unknown
  /** Entries that did not match their hashes at that time. */
  readonly unproven: ReadonlySet<unknown>
}

/** Only the first seal counts, so a forged one later changes nothing. */
async function readSeal(db: Executor): Promise<Seal> {
  const { rows } = await db.execute<{ id: number; details: Record<string, unknown> }>(sql`
    select id::float8 as id, details from audit_log where action = 'audit.sealed' order by audit_log.id limit 1`)
  const { sha256, unproven } = rows[0]?.details ?? {}
  return { id: rows[0]?.id ?? 0, sha256, unproven: new Set(Array.isArray(unproven) ? unproven : []) }
}

function isSealOf({ sha256: sealed }: Seal, earlier: Buffer): boolean {
  return sealed === earlier.toString('hex')
}

/** The deletions that explain a missing part: the number of the last one, by part and entry, or by entry before the seal. */
interface Redactions {
  readonly byPart: ReadonlyMap<string, number>
  readonly sealed: ReadonlyMap<string, number>
}

async function readRedactions(db: Executor, seal: Seal): Promise<Redactions> {
  const deletions = sql`
    select id, jsonb_typeof(details->'redacted') as type, details->'redacted' as redacted
    from audit_log where action = 'seller.deleted'`
  const byPart = await db.execute<Listed>(sql`
    select part || ' ' || entry as entry, max(id)::float8 as by
    from (${deletions}) as deletions, jsonb_each(case type when 'object' then redacted end) as parts (part, entries),
      jsonb_array_elements_text(case jsonb_typeof(entries) when 'array' then entries end) as entry
    where id > ${seal.id} group by 1`)
  const sealed = await db.execute<Listed>(sql`
    select entry, max(id)::float8 as by
    from (${deletions}) as deletions, jsonb_array_elements_text(case type when 'array' then redacted end) as entry
    where id < ${seal.id} group by entry`)
  return { byPart: toMap(byPart.rows), sealed: toMap(sealed.rows) }
}

interface Listed extends Record<string, unknown> {
  readonly entry: string
  readonly by: number
}

const toMap = (rows: readonly Listed[]) => new Map(rows.map(({ entry, by }) => [entry, by]))

type Problem = keyof typeof problems

function checkPlace(row: ChainRow, last: Link): Problem | undefined {
  if (row.id !== last.id + 1) return 'missing'
  return row.previous_hash.equals(last.hash) ? undefined : 'moved'
}

/** A part that is there matches its commitment. One that is missing left no salt, and a later entry explains it. */
function checkParts(row: ChainRow, { byPart }: Redactions): Problem | undefined {
  const { id, commitments, opened, salted } = row
  if (salted.some((part) => opened[part] === undefined)) return 'edited'
  for (const [part, text] of Object.entries(opened)) {
    if (sha256(text).toString('hex') !== commitments[part]) return 'edited'
  }
  const isExplained = (part: string) => (byPart.get(`${part} ${id}`) ?? 0) > id
  return removedParts(row).every(isExplained) ? undefined : 'removed'
}

function removedParts({ commitments, opened }: ChainRow): string[] {
  return Object.keys(commitments).filter((part) => opened[part] === undefined)
}

/** The hash of a sealed entry can be checked until it loses a part. After that, only the seal proves what is left. */
function checkHash(row: ChainRow, seal: Seal, { sealed }: Redactions): Problem | undefined {
  const isMatch = (text: string) => sha256(row.previous_hash, text).equals(row.hash)
  if (row.id >= seal.id) return isMatch(row.text) ? undefined : 'edited'
  if (seal.unproven.has(row.id)) return (sealed.get(String(row.id)) ?? 0) > row.id ? undefined : 'edited'
  return removedParts(row).length > 0 || isMatch(row.earlier_text ?? '') ? undefined : 'edited'
}

function sha256(...parts: readonly (Buffer | string)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function broken(entry: number, problem: Problem): Verdict {
  return { intact: false, entry, problem: problems[problem] }
}
