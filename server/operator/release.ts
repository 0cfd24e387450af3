import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { record } from '#server/features/audit/actions.ts'
import { OperatorError, UsageError } from '#server/platform/config/operator-error.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/** `npm run admin -- release`: a completed card's secrets are kept until the operator releases it. */
export const releaseUsage = [
  'npm run admin -- release ID               a completed submission that is no longer needed; erased ERASE_AFTER_DAYS later',
  'npm run admin -- release --completed-before 2026-12-31   all that were completed before that day (UTC)',
]

interface Tools {
  readonly db: Database
  readonly eraseAfterDays: number
  readonly say: (line: string) => void
}

/** @throws {UsageError} for wrong arguments, {OperatorError} for a submission that cannot be released */
export async function runReleaseCommand(
  { db, eraseAfterDays, say }: Tools,
  words: readonly string[],
): Promise<void> {
  const released = await releaseAll(db, parseWords(words))
  if (released === 0) return say('Nothing was released.')
  const what = released === 1 ? '1 completed submission was' : `${released} completed submissions were`
  say(`${what} released. Numbers, payout accounts and photos are erased in ${eraseAfterDays} days.`)
}

type Target = { readonly id: string } | { readonly completedBefore: Date }

function parseWords([first = '', day = '', ...rest]: readonly string[]): Target {
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

const BATCH_SIZE = 100

async function releaseAll(db: Database, target: Target): Promise<number> {
  let released = 0
  for (;;) {
    const count = await releaseBatch(db, target)
    if (count === 0 && 'id' in target) throw await whyNot(db, target.id)
    released += count
    if (count < BATCH_SIZE) return released
  }
}

async function releaseBatch(db: Database, target: Target): Promise<number> {
  return await transaction(db, async (tx) => {
    const ids = await releaseCards(tx, { ...target, limit: BATCH_SIZE })
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

/** Completed submissions that still have secrets and were not released yet. */
const releasable = and(
  eq(giftCards.status, 'completed'),
  isNotNull(giftCards.dataKey),
  isNull(giftCards.releasedAt),
)

/** Releases one completed submission, or the next ones completed before a day. @returns their ids */
export async function releaseCards(
  tx: Transaction,
  { id, completedBefore, limit }: { id?: string; completedBefore?: Date; limit: number },
): Promise<string[]> {
  const locked = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(
      and(
        releasable,
        id === undefined ? undefined : eq(giftCards.id, id),
        completedBefore && lt(giftCards.updatedAt, completedBefore),
      ),
    )
    .orderBy(giftCards.updatedAt)
    .limit(limit)
    .for('update')
  const ids = locked.map((row) => row.id)
  await tx.update(giftCards).set({ releasedAt: sql`now()` }).where(inArray(giftCards.id, ids))
  return ids
}

async function whyNot(db: Database, id: string): Promise<OperatorError> {
  const { status, releasedAt } = giftCards
  const [card] = await db.select({ status, releasedAt }).from(giftCards).where(eq(giftCards.id, id))
  if (!card) return new OperatorError(`There is no submission ${id}.`)
  if (card.status !== 'completed')
    return new OperatorError(`${id} is ${card.status}: only a completed submission can be released.`)
  if (card.releasedAt)
    return new OperatorError(`${id} was already released on ${card.releasedAt.toISOString().slice(0, 10)}.`)
  return new OperatorError(`The secrets of ${id} are already erased.`)
}
