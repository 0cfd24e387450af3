import { sql } from 'drizzle-orm'
import type { PaymentType } from '#domain/payment-methods.ts'
import { type AutomaticState, automaticStates, fileKindOf } from '#domain/payout.ts'
import { FRESH_BALANCE_MINUTES } from '#domain/policy.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { lockLatestPayout, type Payout } from '#server/features/books/payouts.ts'
import { askBalance, lockForPayout, returnToQueue } from '#server/features/submissions/payout-effects.ts'
import { system } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { create, freeze, release } from './batches.ts'
import { providerOf } from './provider-of.ts'

/**
 * Pays what a policy approved that pays at once. The balance of each card is asked again, and what still has it leaves in a batch by the
 * server. What fails a check stays due for a person.
 */

/** Questions about one card. An answer that came too late to count is asked for again. */
const MAX_QUESTIONS = 3
const AT_ONCE = 500

/** The job: asks about a new card, and pays every card whose question was answered. */
export async function payAtOnce(context: Context, { giftCardId }: { giftCardId: string }): Promise<void> {
  await transaction(context.db, (tx) => begin(tx, context, giftCardId))
  for (;;) {
    const answered = await listAnswered(context)
    if (answered.length === 0) return
    const good: Answered[] = []
    for (const each of answered) {
      if (each.answer === 'good') good.push(each)
      else await transaction(context.db, (tx) => endWithout(tx, context, each))
    }
    if (good.length > 0) await pay(context, good)
  }
}

/** Asks about a card that was just approved, if its payout is one that the server may pay. */
async function begin(tx: Transaction, context: Context, giftCardId: string): Promise<void> {
  await lockForPayout(tx, giftCardId)
  const payout = await lockLatestPayout(tx, giftCardId)
  if (payout?.state !== 'due' || payout.automatic || payout.amount === 0) return
  if (!providerOf(context, fileKindOf(payout.paymentType))) return
  if (context.site.payouts.alwaysTwoPersons) return leave(tx, payout, 'second_person_needed')
  await ask(tx, payout)
}

async function ask(tx: Transaction, payout: Payout): Promise<void> {
  if (!(await askBalance(tx, payout.giftCardId, { beforePayout: true })))
    return leave(tx, payout, 'no_answer')
  await note(tx, payout.id, 'asking')
}

interface Answered extends Record<string, unknown> {
  readonly id: string
  readonly giftCardId: string
  readonly paymentType: PaymentType
  /** `old`: it came too long after the question. */
  readonly answer: 'good' | 'less' | 'none' | 'old'
}

/** The payouts whose latest question was answered, oldest first. */
async function listAnswered({ db }: Context): Promise<Answered[]> {
  // A person took these meanwhile.
  await db.execute(sql`update payouts set automatic = null where automatic = 'asking' and state <> 'due'`)
  const { rows } = await db.execute<Answered>(sql`
    select payouts.id, payouts.gift_card_id as "giftCardId", payouts.payment_type as "paymentType",
      case when outcome in ('not_found', 'blocked') or asked.amount < denomination then 'less'
        when outcome <> 'ok' then 'none'
        when asked_at < now() - make_interval(mins => ${FRESH_BALANCE_MINUTES}) then 'old'
        else 'good' end as answer
    from payouts join gift_cards on gift_cards.id = payouts.gift_card_id
    join lateral (
      select outcome, amount, asked_at from balance_requests
      where balance_requests.gift_card_id = payouts.gift_card_id and before_payout order by id desc limit 1
    ) asked on outcome is not null
    where automatic = 'asking' and payouts.state = 'due'
    order by payouts.number limit ${AT_ONCE}`)
  return rows
}

/** The payout of an answer that is not good enough: asked again, back in the queue, or left to a person. */
async function endWithout(
  tx: Transaction,
  context: Context,
  { id, giftCardId, answer }: Answered,
): Promise<void> {
  const card = await lockForPayout(tx, giftCardId)
  const payout = await lockLatestPayout(tx, giftCardId)
  if (payout?.id !== id || payout.state !== 'due' || payout.automatic !== 'asking') return
  if (answer === 'less') {
    await note(tx, id, 'less')
    await returnToQueue(tx, context, card)
    return
  }
  const asked = sql`select from balance_requests where gift_card_id = ${giftCardId} and before_payout`
  const isOld = answer === 'old' && ((await tx.execute(asked)).rowCount ?? 0) < MAX_QUESTIONS
  await (isOld ? ask(tx, payout) : leave(tx, payout, 'no_answer'))
}

/** These concern every payout, so smaller batches are refused too. */
const FOR_ALL: readonly string[] = ['payouts_stopped', 'second_person_needed']

/** Pays these in one batch. If it is refused, its halves are tried, so that one payout does not keep others from being paid. */
async function pay(context: Context, found: readonly Answered[]): Promise<void> {
  try {
    await transaction(context.db, (tx) => payInBatch(tx, context, found))
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof VaultError)) throw error
    const code = error instanceof Refusal ? error.code : 'failed'
    const middle = Math.ceil(found.length / 2)
    if (found.length > 1 && !FOR_ALL.includes(code)) {
      await pay(context, found.slice(0, middle))
      await pay(context, found.slice(middle))
      return
    }
    const why = automaticStates.find((state) => state === code) ?? 'failed'
    await transaction(context.db, async (tx) => {
      for (const each of found) await leave(tx, each, why)
    })
  }
}

async function payInBatch(tx: Transaction, context: Context, found: readonly Answered[]): Promise<void> {
  const stillMeant = await leaveOthers(tx, found)
  if (stillMeant.length === 0) return
  const paymentType = [...new Set(stillMeant.map((each) => each.paymentType))]
  const payoutIds = stillMeant.map(({ id }) => id)
  const { id } = await create(tx, context, system, { paymentType, payoutIds })
  await freeze(tx, context, system, id)
  await release(tx, context, system, id)
  await tx.execute(sql`update payouts set automatic = 'batched' where batch_id = ${id}`)
}

/**
 * Leaves payouts to a person whose policy was turned off, or whose card has a lower check since. Until the transaction ends, policies
 * cannot be stopped and the cards get no other check. @returns the others
 */
async function leaveOthers(tx: Transaction, found: readonly Answered[]): Promise<Answered[]> {
  const [stop] = (
    await tx.execute<{ at: Date | null }>(sql`select policies_stopped_at as at from installation for share`)
  ).rows
  const { rows } = await tx.execute<{ id: string; isOn: boolean; isFull: boolean }>(sql`
    select payouts.id, exists (
        select from policy_decisions join policies on policies.id = policy_id
        where policy_decisions.gift_card_id = gift_cards.id and outcome = 'approved' and policies.mode = 'on' and pays_at_once
          and policies.version = (select max(version) from policies newest where newest.id = policy_id)
      ) as "isOn",
      denomination <= (
        select amount from balance_checks where balance_checks.gift_card_id = gift_cards.id order by id desc limit 1
      ) as "isFull"
    from payouts join gift_cards on gift_cards.id = payouts.gift_card_id
    where payouts.id = any(${sql.param(found.map(({ id }) => id))}::uuid[])
    order by gift_cards.id for key share of gift_cards`)
  const why = new Map(
    rows.map(({ id, isOn, isFull }): [string, AutomaticState | undefined] => [
      id,
      stop?.at ? 'policies_stopped' : !isOn ? 'policy_off' : isFull ? undefined : 'no_answer',
    ]),
  )
  for (const each of found) {
    const reason = why.get(each.id)
    if (reason) await leave(tx, each, reason)
  }
  return found.filter(({ id }) => !why.get(id))
}

/** Leaves a payout to a person, who sees why, unless another server has paid it or a person took it. */
async function leave(
  tx: Transaction,
  { id, giftCardId }: Pick<Payout, 'id' | 'giftCardId'>,
  why: AutomaticState,
): Promise<void> {
  if (!(await note(tx, id, why))) return
  const subject = { kind: 'payout', id } as const
  const details = { giftCardId, code: why }
  await record(tx, { actor: system, action: 'payout.left_to_person', subject, details })
}

/** Says where a due payout is that is not left to a person yet. @returns false if it is no longer such a payout */
async function note(tx: Transaction, id: string, automatic: AutomaticState): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    update payouts set automatic = ${automatic}
    where id = ${id} and state = 'due' and coalesce(automatic, 'asking') = 'asking'`)
  if (rowCount) await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
  return Boolean(rowCount)
}
