import { listEntries } from '#server/features/audit/actions.ts'
import { type Anchor, verifyAuditLog } from '#server/features/audit/verify.ts'
import { UsageError } from '#server/platform/config/operator-error.ts'
import type { Database } from '#server/platform/database/pool.ts'

type Say = (line: string) => void

/** What the operator looks up in the audit log: `npm run admin -- audit …`. */
export const auditUsage = [
  'npm run admin -- audit list [COUNT]       the newest entries of the audit log, 50 or COUNT',
  'npm run admin -- audit verify [HEAD]      look for changes; HEAD is what an earlier run has printed',
]

/**
 * @returns whether all is well; `verify` answers false when the log was changed
 * @throws {UsageError} for what is no command
 */
export async function runAuditCommand(
  db: Database,
  [word, argument, ...rest]: readonly string[],
  say: Say,
): Promise<boolean> {
  if (rest.length === 0 && word === 'list') return list(db, readCount(argument), say)
  if (rest.length === 0 && word === 'verify') return verify(db, readAnchor(argument), say)
  throw new UsageError('audit takes `list [COUNT]` or `verify [HEAD]`')
}

function readCount(text = '50'): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('COUNT is a whole number from 1 to 999999')
  return Number(text)
}

function readAnchor(text: string | undefined): Anchor | undefined {
  if (text === undefined) return undefined
  const [, entries, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (!entries || !hash) throw new UsageError('HEAD is what `audit verify` has printed, like 123:0a1b…')
  return { entries: Number(entries), hash }
}

async function list(db: Database, limit: number, say: Say): Promise<true> {
  const { rows } = await listEntries({ db }, { limit })
  if (rows.length === 0) say('The audit log is empty.')
  for (const { id, at, actor, actorKind, action, subject, details } of rows.slice(0, limit).reverse()) {
    const more = Object.keys(details).length > 0 ? [JSON.stringify(details)] : []
    say(printable([id, at, actor ?? actorKind, action, subject ?? '', ...more].join('  ')))
  }
  return true
}

/** What strangers typed stands in the log: nothing of it may steer the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?')
}

async function verify(db: Database, known: Anchor | undefined, say: Say): Promise<boolean> {
  const verdict = await verifyAuditLog(db, known)
  if (!verdict.intact) {
    say(`The audit log was changed: entry ${verdict.entry} ${verdict.problem}.`)
    return false
  }
  const { entries, hash } = verdict.head
  say(`The audit log is intact: ${entries} ${entries === 1 ? 'entry' : 'entries'}.`)
  say(`Its head, to be kept outside of the database and given to a later check: ${entries}:${hash}`)
  return true
}
