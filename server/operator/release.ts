import { type Command, InvalidArgumentError } from 'commander'
import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { record } from '#server/features/audit/actions.ts'
import { changeStock } from '#server/features/inventory/actions.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { giftCards, inventory } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { Run, Tools } from './tools.ts'

type Target = { readonly id: string } | { readonly completedBefore: Date }

/** The secrets of a completed submission are kept until its card leaves the stock. This marks cards as used. */
export function addReleaseCommand(program: Command, run: Run): void {
  const release = program
    .command('release')
    .description(
      'mark the cards of completed submissions as used; their secrets are erased ERASE_AFTER_DAYS later',
    )
    .argument('[ID]', 'one submission', parseId)
    .option(
      '--completed-before <DAY>',
      'all that were completed before this day (UTC), like 2026-12-31',
      parseDay,
    )
    .action(async (id: string | undefined, { completedBefore }: { completedBefore?: Date }) => {
      const target = id ? { id } : completedBefore && { completedBefore }
      if (!target || (id && completedBefore))
        return release.error('error: give either an ID or --completed-before')
      return await run((tools) => releaseAndReport(tools, target))
    })
}

function parseId(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It must be the ID of a submission.')
  return text
}

function parseDay(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${text}T`)
  if (!isDay) throw new InvalidArgumentError('It must be a day like 2026-12-31.')
  // Tomorrow would include every card that was ever completed.
  if (day.getTime() > Date.now())
    throw new InvalidArgumentError('It must not be in the future: choose today (UTC) or an earlier day.')
  return day
}

async function releaseAndReport({ db, eraseAfterDays, say }: Tools, target: Target): Promise<void> {
  const released = await releaseAll(db, target)
  if (released === 0) return say('Nothing was released.')
  const what = released === 1 ? '1 completed submission was' : `${released} completed submissions were`
  say(
    `${what} released: used, no longer in stock. Numbers, payout accounts and photos are erased in ${eraseAfterDays} days.`,
  )
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

const system = { kind: 'system' } as const

async function releaseBatch(db: Database, target: Target): Promise<number> {
  return await transaction(db, async (tx) => {
    const ids = await lockReleasable(tx, { ...target, limit: BATCH_SIZE })
    for (const id of ids) {
      await changeStock(tx, system, id, { state: 'used' })
      const subject = { kind: 'submission', id } as const
      await record(tx, { actor: system, action: 'submission.released', subject })
    }
    return ids.length
  })
}

/** Completed submissions that still have secrets, and whose card is in stock. */
const releasable = and(
  eq(giftCards.status, 'completed'),
  isNotNull(giftCards.dataKey),
  isNull(giftCards.releasedAt),
)

/** Locks one completed submission whose card is in stock, or the next ones completed before a day. @returns their ids */
export async function lockReleasable(
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
  return locked.map((row) => row.id)
}

async function whyNot(db: Database, id: string): Promise<OperatorError> {
  const { status, releasedAt } = giftCards
  const [card] = await db
    .select({ status, releasedAt, state: inventory.state })
    .from(giftCards)
    .leftJoin(inventory, eq(inventory.giftCardId, giftCards.id))
    .where(eq(giftCards.id, id))
  if (!card) return new OperatorError(`There is no submission ${id}.`)
  if (card.status !== 'completed')
    return new OperatorError(`${id} is ${card.status}: only a completed submission can be released.`)
  if (card.releasedAt) {
    const day = card.releasedAt.toISOString().slice(0, 10)
    return new OperatorError(`${id} was already released on ${day}: its card is ${card.state}.`)
  }
  return new OperatorError(`The secrets of ${id} are already erased.`)
}
