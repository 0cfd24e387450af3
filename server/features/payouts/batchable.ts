import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { BALANCE_CHECK_HOURS } from '#domain/balance.ts'
import { CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import { referenceOf } from '#domain/reference.ts'
import { bankReason, deadAccount } from '#server/features/books/dead-accounts.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { giftCards, payouts, users } from '#server/platform/database/schema.ts'
import type { Translate } from '#words/translate.ts'
import { findPayout, groupPayouts, isOfGroups, type Site } from './queries.ts'

/** Whether payouts may be in a batch, and leave in its file. */

/** Throws `Refusal` with the first payout that cannot be in a batch. */
export async function requireBatchable(tx: Transaction, site: Site, where: SQL): Promise<void> {
  const found = await findProblem(tx, site, where)
  if (found) throw new Refusal('payout_not_batchable', found.key, { params: found.params })
}

/** Throws `Refusal` with the first payout that has to be taken out of an unreleased batch. */
export async function requireAllBatchable(tx: Transaction, site: Site, batchId: string): Promise<void> {
  const found = await findProblem(tx, site, eq(payouts.batchId, batchId))
  if (!found) return
  const { number, key, params } = found
  throw new Refusal('payout_not_batchable', 'refusals.take_out_first', {
    params: (t) => ({ number, problem: t(key, params(t)) }),
  })
}

/** The number of payouts for which `requireAllBatchable` refuses a batch. */
export async function countProblems(db: Executor, site: Site, batchId: string): Promise<number> {
  const groups = await groupPayouts(db, site, eq(payouts.batchId, batchId))
  return groups.reduce((sum, { problem, count }) => sum + (problem ? count : 0), 0)
}

async function findProblem(tx: Transaction, site: Site, where: SQL) {
  const refused = (await groupPayouts(tx, site, where)).filter(({ problem }) => problem !== undefined)
  const [first] = refused.sort((one, other) => one.first - other.first)
  if (!first?.problem) return undefined
  const { number, giftCardId, username, deadAccount } = await findByNumber(tx, site, first.first)
  return {
    number,
    key: `refusals.batch_problem_${first.problem}` as const,
    params: (t: Translate) => ({
      reference: referenceOf(giftCardId),
      username,
      hours: CHANGED_ACCOUNT_HOURS,
      checkHours: BALANCE_CHECK_HOURS,
      ...(deadAccount && { bankReason: bankReason(t, deadAccount) }),
    }),
  }
}

async function findByNumber(tx: Transaction, site: Site, number: number) {
  const [found] = await tx.select({ id: payouts.id }).from(payouts).where(eq(payouts.number, number))
  const payout = found && (await findPayout(tx, site, found.id))
  if (!payout) throw notFound()
  return payout
}

/** Nobody in the batch can be held until the transaction ends. */
export async function lockSellers(tx: Transaction, batchId: string): Promise<void> {
  await tx.execute(sql`
    select count(*) from (
      select from users where id in (select seller_id from payouts where batch_id = ${batchId}) order by id for key share
    ) as locked`)
}

/** Payouts that a refusal names. */
const MAX_NAMED = 5

/** Throws `Refusal` with the payouts that keep the file of a released batch from leaving. */
export async function requireMayLeave(tx: Transaction, site: Site, batchId: string): Promise<void> {
  const isInBatch = eq(payouts.batchId, batchId)
  const groups = await groupPayouts(tx, site, isInBatch)
  const problem = groups.find((group) => group.releasedProblem)?.releasedProblem
  if (!problem) return
  const stopped = groups.filter((group) => group.releasedProblem === problem)
  const named = await tx
    .select({ giftCardId: payouts.giftCardId, username: users.username, deadAccount: deadAccount() })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(and(isInBatch, isOfGroups(site, stopped)))
    .orderBy(asc(payouts.number))
    .limit(MAX_NAMED)
  const count = stopped.reduce((sum, group) => sum + group.count, 0)
  throw new Refusal('payout_not_batchable', `refusals.released_problem_${problem}`, {
    params: (t) => {
      const list = named.map(({ giftCardId, username, deadAccount: dead }) => {
        const who = problem === 'account_dead' && dead ? `${username}: ${bankReason(t, dead)}` : username
        return `${referenceOf(giftCardId)} (${who})`
      })
      return { count, list: list.join(', '), more: count - named.length }
    },
  })
}
