import { maskCardLike } from '#domain/card-number.ts'
import { maskAccountInfo } from '#domain/payment-methods.ts'
import { OperatorError, UsageError } from '#server/platform/config/operator-error.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { listGivenUp, retryGivenUp } from '#server/platform/jobs/jobs.ts'

type Say = (line: string) => void

/** What the operator does about mails that were given up: `npm run admin -- jobs …`. */
export const jobsUsage = [
  'npm run admin -- jobs list                mails that were given up, and why',
  'npm run admin -- jobs retry ID            try one of them again; all: every one',
]

const SHOWN = 100

/** @throws {UsageError} for what is no command, {OperatorError} for a job that was not given up */
export async function runJobsCommand(
  db: Database,
  [word, id, ...rest]: readonly string[],
  say: Say,
): Promise<true> {
  if (word === 'list' && id === undefined) return list(db, say)
  if (word === 'retry' && id !== undefined && rest.length === 0) return retry(db, id, say)
  throw new UsageError('jobs takes `list`, `retry ID` or `retry all`')
}

async function list(db: Database, say: Say): Promise<true> {
  const { jobs, total } = await listGivenUp(db, SHOWN)
  if (total === 0) say('No mail was given up.')
  for (const { id, kind, payload, failedAt, attempts, lastError } of jobs) {
    const reason = maskCardLike(lastError ?? '')
    const facts = [id, failedAt.toISOString(), kind, recipientOf(payload), `${attempts} tries`, reason]
    say(printable(facts.join('  ')))
  }
  if (total > SHOWN) say(`and ${total - SHOWN} more`)
  return true
}

async function retry(db: Database, id: string, say: Say): Promise<true> {
  if (id !== 'all' && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new UsageError('ID is what `jobs list` prints first on a line, or all')
  const count = await transaction(db, (tx) => retryGivenUp(tx, id === 'all' ? undefined : id))
  if (count === 0 && id !== 'all') throw new OperatorError(`No job ${id} was given up`)
  say(count === 1 ? '1 mail is tried again.' : `${count} mails are tried again.`)
  return true
}

/** The mail's recipient, masked. */
function recipientOf({ to, email, giftCardId }: Record<string, unknown>): string {
  const address = to ?? email
  if (typeof address === 'string') return `to ${maskAccountInfo(address)}`
  return giftCardId === undefined ? '' : `about submission ${giftCardId}`
}

/** One line, in which nothing steers the terminal. Mail servers repeat addresses in their errors. */
function printable(text: string): string {
  const masked = text.replace(/[^\s<>:"@]+@[^\s<>:"@]+/g, (address) => maskAccountInfo(address))
  return masked.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trimEnd()
}
