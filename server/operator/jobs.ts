import { type Command, InvalidArgumentError } from 'commander'
import { validate as isUuid } from 'uuid'
import { maskCardLike } from '#domain/card-number.ts'
import { maskAccountInfo } from '#domain/payment-methods.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { listGivenUp, retryGivenUp } from '#server/platform/jobs/jobs.ts'
import type { Run, Tools } from './tools.ts'

const SHOWN = 100

/** Mails that were given up after many tries. */
export function addJobCommands(program: Command, run: Run): void {
  const jobs = program.command('jobs').description('list and retry mails that failed for good')
  jobs
    .command('list')
    .description('list them with the reason')
    .action(() => run(list))
  jobs
    .command('retry')
    .description('try again')
    .argument('ID', 'from `jobs list`, or all', parseId)
    .action((id: string) => run((tools) => retry(tools, id)))
}

function parseId(text: string): string {
  if (text === 'all' || isUuid(text)) return text
  throw new InvalidArgumentError('It must be the first word of a line of `jobs list`, or all.')
}

async function list({ db, show }: Tools): Promise<void> {
  const { jobs, total } = await listGivenUp(db, SHOWN)
  const found = jobs.map(({ id, kind, payload, failedAt, attempts, lastError }) => ({
    id,
    failedAt,
    kind,
    about: recipientOf(payload),
    attempts,
    reason: printable(maskCardLike(lastError ?? '')),
  }))
  const lines = found.map(({ id, failedAt, kind, about, attempts, reason }) =>
    printable([id, failedAt.toISOString(), kind, about, `${attempts} tries`, reason].join('  ')),
  )
  const more = total > SHOWN ? [`and ${total - SHOWN} more`] : []
  show({ total, jobs: found }, total === 0 ? ['No mail was given up.'] : [...lines, ...more])
}

async function retry({ db, say }: Tools, id: string): Promise<void> {
  const count = await transaction(db, (tx) => retryGivenUp(tx, id === 'all' ? undefined : id))
  if (count === 0 && id !== 'all') throw new OperatorError(`No job ${id} was given up`)
  say(count === 1 ? '1 mail will be sent again.' : `${count} mails will be sent again.`)
}

/** The mail's recipient, masked. */
function recipientOf({ to, email, giftCardId }: Record<string, unknown>): string {
  const address = to ?? email
  if (typeof address === 'string') return `to ${maskAccountInfo(address)}`
  return giftCardId === undefined ? '' : `about submission ${giftCardId}`
}

/** One line without control characters or addresses, which mail servers repeat in their errors. */
function printable(text: string): string {
  const masked = text.replace(/[^\s<>:"@]+@[^\s<>:"@]+/g, (address) => maskAccountInfo(address))
  return masked.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trimEnd()
}
