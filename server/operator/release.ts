import { validate as isUuid } from 'uuid'
import { record } from '#server/features/audit/actions.ts'
import { findForRelease, releaseCards } from '#server/features/submissions/erase-queries.ts'
import { OperatorError, UsageError } from '#server/platform/config/operator-error.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/** A bought card is kept until the operator releases it: `npm run admin -- release …`. */
export const releaseUsage = [
  'npm run admin -- release ID               a completed submission that is no longer needed; erased ERASE_AFTER_DAYS later',
  'npm run admin -- release --completed-before 2026-12-31   all that were completed before that day (UTC)',
]

interface Tools {
  readonly db: Database
  readonly eraseAfterDays: number
  readonly say: (line: string) => void
}

/** @throws {UsageError} for what is no command, {OperatorError} for a submission that cannot be released */
export async function runReleaseCommand(
  { db, eraseAfterDays, say }: Tools,
  words: readonly string[],
): Promise<void> {
  const released = await releaseAll(db, readWords(words))
  if (released === 0) return say('Nothing was released.')
  const what = released === 1 ? '1 completed submission was' : `${released} completed submissions were`
  say(`${what} released. Numbers, payout accounts and photos are erased in ${eraseAfterDays} days.`)
}

type Asked = { readonly id: string } | { readonly completedBefore: Date }

function readWords([first = '', day = '', ...rest]: readonly string[]): Asked {
  if (rest.length === 0 && first === '--completed-before') {
    const completedBefore = new Date(`${day}T00:00:00Z`)
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(completedBefore.getTime()))
      throw new UsageError('--completed-before takes a day like 2026-12-31')
    return { completedBefore }
  }
  if (rest.length > 0 || day || !isUuid(first))
    throw new UsageError('release takes the ID of a submission, or --completed-before and a day')
  return { id: first }
}

const BATCH = 100

async function releaseAll(db: Database, asked: Asked): Promise<number> {
  let released = 0
  for (;;) {
    const count = await releaseBatch(db, asked)
    if (count === 0 && 'id' in asked) throw await whyNot(db, asked.id)
    released += count
    if (count < BATCH) return released
  }
}

async function releaseBatch(db: Database, asked: Asked): Promise<number> {
  return await transaction(db, async (tx) => {
    const ids = await releaseCards(tx, { ...asked, limit: BATCH })
    for (const id of ids) {
      await record(tx, {
        actor: { kind: 'system' },
        action: 'submission.released',
        subject: { kind: 'submission', id },
      })
    }
    return ids.length
  })
}

async function whyNot(db: Database, id: string): Promise<OperatorError> {
  const card = await findForRelease(db, id)
  if (!card) return new OperatorError(`There is no submission ${id}.`)
  if (card.status !== 'completed')
    return new OperatorError(`${id} is ${card.status}: only a completed submission is released.`)
  if (card.releasedAt)
    return new OperatorError(`${id} was released on ${card.releasedAt.toISOString().slice(0, 10)} already.`)
  return new OperatorError(`The secrets of ${id} are erased already.`)
}
