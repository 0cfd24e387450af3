import { listEntries } from '#server/audit/actions.ts'
import { type Anchor, verifyAuditLog } from '#server/audit/verify.ts'
import type { Context } from '#server/context.ts'
import { OperatorError } from '#server/operator-error.ts'
import { keysUsage } from '#server/vault/command.ts'
import * as administrators from './actions.ts'

type Tools = Pick<Context, 'db' | 'passwords'>
export type Say = (line: string) => void

/** What the operator typed is no command; the message says what may be typed. */
export class UsageError extends OperatorError {
  override name = 'UsageError'
}

export const usage = [
  'npm run admin -- list                     administrators, and who of them is disabled',
  'npm run admin -- create USERNAME          a new administrator, with a password shown once',
  'npm run admin -- disable USERNAME         keep out at once, and end every session',
  'npm run admin -- enable USERNAME          let in again',
  'npm run admin -- reset-password USERNAME  a new password, shown once; ends every session',
  'npm run admin -- reset-totp USERNAME      switch the second factor off',
  'npm run admin -- audit list [COUNT]       the newest entries of the audit log, 50 or COUNT',
  'npm run admin -- audit verify [HEAD]      look for changes; HEAD is what an earlier run has printed',
  'npm run admin -- backup FILE              database and photos into FILE, the keys into FILE.keys',
  'npm run admin -- restore FILE             a backup into an empty DATA_DIR',
  keysUsage,
].join('\n')

/** Where every line about a wrong command leads. */
const HELP = '`npm run admin -- help` shows what there is.'

/** Whether the operator only wants to know what there is. */
export function asksForHelp([word]: readonly string[]): boolean {
  return word === undefined || ['help', '--help', '-h'].includes(word)
}

/**
 * Runs one command of the operator.
 * @returns whether all is well; `audit verify` answers false when the log was changed
 */
export async function runCommand(tools: Tools, [word = '', ...rest]: readonly string[], say: Say) {
  const [argument] = rest
  if (word === 'audit') return auditCommand(tools, rest, say)
  if (word === 'list' && rest.length === 0) return list(tools, say)
  if (word === 'list') throw new UsageError(`list takes nothing more. ${HELP}`)
  const command = Object.hasOwn(ofOne, word) ? ofOne[word] : undefined
  if (!command) throw new UsageError(`There is no command ${printable(word)}. ${HELP}`)
  if (argument === undefined || rest.length !== 1) {
    throw new UsageError(`${word} takes one USERNAME, as in: npm run admin -- ${word} ana`)
  }
  await command(tools, argument, say)
  return true
}

/** The commands that are about one administrator. */
const ofOne: Readonly<Record<string, (tools: Tools, username: string, say: Say) => Promise<void>>> = {
  async create(tools, username, say) {
    const password = await administrators.createAdministrator(tools, username)
    say(`The administrator ${username} was created.`)
    say(`Password (shown this once): ${password}`)
  },
  async disable(tools, username, say) {
    await administrators.disableAdministrator(tools, username)
    say(`The administrator ${username} is disabled and signed out everywhere.`)
  },
  async enable(tools, username, say) {
    await administrators.enableAdministrator(tools, username)
    say(`The administrator ${username} may sign in again.`)
  },
  async 'reset-password'(tools, username, say) {
    const password = await administrators.resetPassword(tools, username)
    say(`The administrator ${username} has a new password and is signed out everywhere.`)
    say(`Password (shown this once): ${password}`)
  },
  async 'reset-totp'(tools, username, say) {
    await administrators.resetSecondFactor(tools, username)
    say(`The administrator ${username} is no longer asked for a code.`)
  },
}

async function list(tools: Tools, say: Say): Promise<true> {
  const all = await administrators.listAdministrators(tools)
  if (all.length === 0) say('There is no administrator yet: the server makes the first one when it starts.')
  for (const { username, createdAt, disabledAt, secondFactor } of all) {
    const notes = [
      `since ${createdAt.toISOString().slice(0, 10)}`,
      secondFactor ? 'with a second factor' : 'password only',
      ...(disabledAt ? [`disabled ${disabledAt.toISOString().slice(0, 10)}`] : []),
    ]
    say(`${username}: ${notes.join(', ')}`)
  }
  return true
}

async function auditCommand(tools: Tools, [word, argument, ...rest]: readonly string[], say: Say) {
  if (rest.length === 0 && word === 'list') return auditList(tools, readCount(argument), say)
  if (rest.length === 0 && word === 'verify') return auditVerify(tools, readAnchor(argument), say)
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

async function auditList(tools: Tools, limit: number, say: Say): Promise<true> {
  const { rows } = await listEntries(tools, { limit })
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

async function auditVerify({ db }: Tools, known: Anchor | undefined, say: Say): Promise<boolean> {
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
