import { createHash } from 'node:crypto'
import type { Database } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { type ChainRow, readChain, readHead } from './queries.ts'

/** Entries that are read at once. */
const PAGE = 1000

/** The last entry at some moment: its number and hash. Noted elsewhere, it tells later what happened before it. */
export interface Anchor {
  readonly entries: number
  /** In hex. */
  readonly hash: string
}

export type Verdict =
  | { readonly intact: true; readonly head: Anchor }
  | { readonly intact: false; readonly entry: number; readonly problem: string }

const problems = {
  edited: 'does not have the content that its hash was made over',
  missing: 'is missing',
  moved: 'does not follow the one before it',
  head: 'is not the last one that was written: the end of the log was changed',
  anchor: 'is not what it was when it was noted',
}

/**
 * Follows the chain from the first entry to the last, in one snapshot, and says where it breaks first: an entry
 * that was edited, removed, put in or moved, and an end that was cut off, whoever did it and however.
 *
 * Whoever may write everything in the database can also write a whole new chain with its head. Only an earlier
 * head that was noted outside of the database (`known`) finds that.
 */
export async function verifyAuditLog(db: Database, known?: Anchor): Promise<Verdict> {
  return transaction(
    db,
    async (tx) => {
      let last: Pick<ChainRow, 'id' | 'hash'> = { id: 0, hash: Buffer.alloc(32) }
      let anchored = known === undefined || known.entries === 0
      for (;;) {
        const rows = await readChain(tx, last.id, PAGE)
        for (const row of rows) {
          const problem = findProblem(row, last)
          if (problem) return { intact: false, ...problem }
          last = row
          if (known?.entries !== row.id) continue
          if (known.hash !== row.hash.toString('hex')) return broken(row.id, 'anchor')
          anchored = true
        }
        if (rows.length < PAGE) break
      }
      const head = await readHead(tx)
      if (head?.entries !== last.id || !head.hash.equals(last.hash)) return broken(last.id, 'head')
      if (!anchored) return broken(known?.entries ?? 0, 'missing')
      return { intact: true, head: { entries: last.id, hash: last.hash.toString('hex') } }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

function findProblem(row: ChainRow, last: Pick<ChainRow, 'id' | 'hash'>) {
  if (row.id !== last.id + 1) return { entry: last.id + 1, problem: problems.missing }
  if (!row.previous_hash.equals(last.hash)) return { entry: row.id, problem: problems.moved }
  const hash = createHash('sha256').update(row.previous_hash).update(row.text).digest()
  if (!hash.equals(row.hash)) return { entry: row.id, problem: problems.edited }
  return undefined
}

function broken(entry: number, problem: keyof typeof problems): Verdict {
  return { intact: false, entry, problem: problems[problem] }
}
