import { sql } from 'drizzle-orm'
import {
  type CashProblem,
  cashProblemOf,
  type ProviderName,
  sentByProvider,
} from '#domain/payout-provider.ts'
import type { Context } from '#server/context.ts'
import { readDayLimit } from '#server/features/books/limits.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import type { PayoutProvider } from '#server/platform/payout-provider/payout-provider.ts'
import { sumDue } from '../queries.ts'
import { countPaidLate } from './paid-late.ts'

/** For a call to the provider while somebody waits. */
const TIMEOUT_MS = 5_000

export type CashContext = Pick<Context, 'payoutProvider' | 'site' | 'log'> & { readonly db: Executor }

/** The money with which payouts leave: the provider's, and the limit of the day. */
export async function readCash(context: CashContext) {
  const { db, site, payoutProvider: provider } = context
  const [today, cash] = await Promise.all([
    readDayLimit(db, site.payouts.limits ?? {}),
    provider && readProviderCash(context, provider),
  ])
  return {
    provider: provider?.name ?? null,
    balance: cash?.balance?.amount ?? null,
    balanceAt: cash?.balance?.at ?? null,
    toSend: cash?.toSend ?? 0,
    problem: cash?.problem ?? null,
    today,
  }
}

async function readProviderCash(context: CashContext, provider: PayoutProvider) {
  const [balance, due, waiting] = await Promise.all([
    readBalance(context, provider),
    sumDue(context),
    sumWaiting(context.db, provider.name),
  ])
  const ready = due.filter(({ sentBy }) => sentBy === provider.name)
  const toSend = ready.reduce((sum, { readyTotal }) => sum + readyTotal, waiting)
  const problem: CashProblem | null = cashProblemOf({ balance, toSend }, Date.now())
  return { balance, toSend, problem }
}

async function readBalance({ log }: CashContext, provider: PayoutProvider) {
  return provider.readBalance(AbortSignal.timeout(TIMEOUT_MS)).catch((err) => {
    log.warn({ err, part: 'payout provider' }, 'the balance could not be read')
    return null
  })
}

/** What is in batches that the provider has not begun to pay. */
async function sumWaiting(db: Executor, provider: ProviderName): Promise<number> {
  const { rows } = await db.execute<{ total: string }>(sql`
    select coalesce(sum(total), 0) as total from payout_batches
    where file_kind = ${sentByProvider[provider]} and (state in ('open', 'frozen')
      or state = 'released' and provider is not null and provider_state not in ('denied', 'canceled'))`)
  return Number(onlyRow(rows).total)
}

/** Minutes after which a batch whose request was begun should be with the provider. */
const SENT_WITHIN = 15

/** How many of the provider's batches need somebody. */
export async function countFailing(db: Executor) {
  const paidLate = await countPaidLate(db)
  const { rows } = await db.execute<{ sending: number; refused: number; unclear: number }>(sql`
    select count(*) filter (where state = 'released' and provider_state = 'sending'
        and released_at < now() - make_interval(mins => ${SENT_WITHIN}))::int as sending,
      count(*) filter (where provider_problem in ('sign_in', 'not_permitted', 'other_account'))::int as refused,
      count(*) filter (where provider_problem in ('refused', 'differs', 'too_old', 'held'))::int as unclear
    from payout_batches where provider is not null and state in ('released', 'exported', 'settled')`)
  return { ...onlyRow(rows), paidLate }
}
