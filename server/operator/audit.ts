import { type Command, InvalidArgumentError } from 'commander'
import { listEntries } from '#server/features/audit/actions.ts'
import { type Anchor, verifyAuditLog } from '#server/features/audit/verify.ts'
import type { Run, Tools } from './tools.ts'

export function addAuditCommands(program: Command, run: Run): void {
  const audit = program.command('audit').description('read and check the audit log')
  audit
    .command('list')
    .description('show the newest entries')
    .argument('[COUNT]', 'number of entries', parseCount, 50)
    .action((count: number) => run((tools) => list(tools, count)))
  audit
    .command('verify')
    .description('check whether the log was changed')
    .argument('[HEAD]', 'what an earlier check printed', parseAnchor)
    .action((known: Anchor | undefined) => run((tools) => verify(tools, known)))
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 999999.')
  return Number(text)
}

function parseAnchor(text: string): Anchor {
  const [, entries, hash, sealed] = /^(\d{1,15}):([0-9a-f]{64})(?::(\d{1,15}))?$/.exec(text) ?? []
  if (!entries || !hash)
    throw new InvalidArgumentError('It must be what `audit verify` printed, like 123:0a1b…:0')
  return { entries: Number(entries), hash, sealed: sealed === undefined ? undefined : Number(sealed) }
}

async function list({ db, show }: Tools, limit: number): Promise<void> {
  const { rows } = await listEntries({ db }, { limit })
  const entries = rows.slice(0, limit).reverse()
  const lines = entries.map(({ id, at, actor, actorKind, action, subject, details }) => {
    const more = Object.keys(details).length > 0 ? [JSON.stringify(details)] : []
    return printable([id, at.toISOString(), actor ?? actorKind, action, subject ?? '', ...more].join('  '))
  })
  show(entries, lines.length > 0 ? lines : ['The audit log is empty.'])
}

/** Strangers typed parts of the log, so remove characters that control a terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?')
}

/** Returns false if the log was changed. */
async function verify({ db, show }: Tools, known: Anchor | undefined): Promise<boolean> {
  const verdict = await verifyAuditLog(db, known)
  if (!verdict.intact) {
    show(verdict, [`The audit log was changed: entry ${verdict.entry} ${verdict.problem}.`])
    return false
  }
  const { head, removed, unproven } = verdict
  const { entries, hash, sealed = 0 } = head
  const anchor = `${entries}:${hash}:${sealed}`
  show({ ...verdict, head: anchor }, [
    `The audit log is intact: ${entries} ${entries === 1 ? 'entry' : 'entries'}.`,
    ...(removed > 0 ? [`Names and texts that the deletion of sellers removed: ${removed}.`] : []),
    ...(sealed > 0 ? [`Entry ${sealed + 1} seals the entries of an earlier version: 1 to ${sealed}.`] : []),
    ...(unproven > 0
      ? [`Sealed entries that lost a name or a text before, and cannot be proven: ${unproven}.`]
      : []),
    `Its head, to keep outside the database and pass to a later check: ${anchor}`,
  ])
  return true
}
