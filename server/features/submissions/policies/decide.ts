import crypto from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import {
  exceededPolicyLimit,
  failedCondition,
  type PolicyOutcome,
  type PolicyReason,
} from '#domain/policy.ts'
import type { Context } from '#server/context.ts'
import { system } from '#server/http/actor.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { policyDecisions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { askBalance } from '../balance-requests.ts'
import { allowedMove, makeMove } from '../move.ts'
import { type CardRow, type LockedCard, lockCard } from '../queries.ts'
import { arePoliciesStopped } from './actions.ts'
import { type DecisionFacts, readPolicyFacts } from './facts.ts'
import { listDuePolicies, lockPolicies, type PolicyRow, readApprovedToday } from './queries.ts'

const MINUTE_MS = 60_000

/**
 * Lets the policies decide that have waited for this moment. Nothing is decided about a card that somebody has moved: it may be pending
 * again because of an appeal, an answer or an undo.
 */
export async function decideByPolicy(
  context: Context,
  { giftCardId }: { giftCardId: string },
): Promise<void> {
  await transaction(context.db, async (tx) => {
    const card = await lockCard(tx, giftCardId)
    if (card?.status !== 'pending' || card.version > 1) return
    let due = await listDuePolicies(tx, card)
    if (due.length === 0) return
    if (due.some(({ mode }) => mode === 'on')) {
      // One decision at a time, so that all of them keep the limits of the day, and none is by an earlier version.
      await lockPolicies(tx)
      due = await listDuePolicies(tx, card)
    }
    const facts = await readPolicyFacts(tx, card)
    const needsBalance = await decideAll(tx, context, card, { facts, due })
    if (needsBalance.length > 0 && !(await askBalance(tx, card.id))) {
      for (const policy of needsBalance) await record(tx, card, policy, leaveToPerson('fresh_balance'))
    }
    // The desk reads what they said.
    const message = { type: 'BALANCE_UPDATE', userId: card.sellerId, submissionId: card.id } as const
    await publish(tx, [{ to: 'staff', message }])
  })
}

type Card = CardRow & LockedCard

/** Records what each policy says. The first one that approves moves the card. @returns the policies that need a newer balance */
async function decideAll(
  tx: Transaction,
  context: Context,
  card: Card,
  { facts, due }: { facts: DecisionFacts; due: readonly PolicyRow[] },
): Promise<PolicyRow[]> {
  const needsBalance: PolicyRow[] = []
  let isDecided = false
  for (const policy of due) {
    if (policy.mode === 'on' && isDecided) continue
    const verdict = await decide(tx, card, facts, policy)
    if (verdict === 'ask') {
      needsBalance.push(policy)
      continue
    }
    await record(tx, card, policy, verdict)
    isDecided ||= verdict.draw !== undefined
    if (verdict.outcome !== 'approved') continue
    const move = await allowedMove(tx, card, 'system', { to: 'processing' })
    await makeMove(tx, context, card, system, move, { policy })
    if (policy.paysAtOnce) await enqueue(tx, 'payAtOnce', card.id, { giftCardId: card.id })
  }
  return isDecided ? [] : needsBalance
}

async function record(tx: Transaction, card: Card, policy: PolicyRow, verdict: Verdict): Promise<void> {
  await tx.insert(policyDecisions).values({
    id: uuidv7({ msecs: card.lockedAt.getTime() }),
    giftCardId: card.id,
    policyId: policy.id,
    policyVersion: policy.version,
    mode: policy.mode === 'on' ? 'on' : 'shadow',
    price: card.sellingPrice,
    ...verdict,
  })
}

interface Verdict {
  readonly outcome: PolicyOutcome
  readonly reason?: PolicyReason
  /** Drawn if nothing else stopped the card: it is approved, or the person's sample. */
  readonly draw?: number
}

const leaveToPerson = (reason: PolicyReason): Verdict => ({ outcome: 'person', reason })

/** What a policy says. `ask`: everything holds but the age of the balance, so the connector is asked again, once. */
async function decide(
  tx: Transaction,
  card: Card,
  facts: DecisionFacts,
  policy: PolicyRow,
): Promise<Verdict | 'ask'> {
  const failed = failedCondition(facts, policy)
  if (failed && failed !== 'fresh_balance') return leaveToPerson(failed)
  const isOn = policy.mode === 'on'
  if (isOn && (await arePoliciesStopped(tx))) return leaveToPerson('stopped')
  const today = await readApprovedToday(tx, card.sellerId, policy)
  const exceeded = exceededPolicyLimit(policy, card.sellingPrice, today)
  if (exceeded) return leaveToPerson(exceeded)
  if (failed) return mayAskAgain(card, facts, policy) ? 'ask' : leaveToPerson(failed)
  // In shadow mode a person decides anyway.
  if (!isOn) return { outcome: 'would_approve' }
  const draw = crypto.randomInt(100)
  return draw < policy.samplePercent ? { ...leaveToPerson('sample'), draw } : { outcome: 'approved', draw }
}

/** Whether the card has waited, and the connector was not asked again since the end of the wait. */
function mayAskAgain({ createdAt }: Card, { askedAt }: DecisionFacts, { waitMinutes }: PolicyRow): boolean {
  const dueAt = createdAt.getTime() + waitMinutes * MINUTE_MS
  return waitMinutes > 0 && (askedAt?.getTime() ?? 0) < dueAt
}
