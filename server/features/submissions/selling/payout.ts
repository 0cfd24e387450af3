import { sql } from 'drizzle-orm'
import type { SellerPayout, SellerPayoutAnswer } from '#contract/submissions.ts'
import { isAboutName } from '#domain/failure.ts'
import { fileKindOf, type PayoutState } from '#domain/payout.ts'
import type { ReasonCode } from '#domain/reasons.ts'
import { shortReferenceOf } from '#domain/reference.ts'
import { bankReason, type DeadAccount, deadAccount } from '#server/features/books/dead-accounts.ts'
import { type Payout, returnReasonOf } from '#server/features/books/payouts.ts'
import { jsonObject } from '#server/platform/database/queries.ts'
import type { Translate } from '#words/translate.ts'
import { type CardRow, failedForAccount, statusList } from '../queries.ts'

/** The payout that a seller sees of a submission that is approved, or failed because of its account: the newest one. */
export const latestPayout = jsonObject<LatestPayout>(
  sql`(
    select json_build_object(
      'id', payouts.id, 'state', payouts.state, 'amount', amount, 'deducted', deducted,
      'paymentType', payouts.payment_type, 'accountHint', account_hint, 'reference', reference,
      'batchableAt', batchable_at, 'waits', batchable_at > now(), 'sentAt', sent_at, 'paidAt', paid_at,
      'entryCount', entry_count, 'entryTotal', entry_total,
      'leadId', (select lead.id from payouts lead where lead.number = payouts.entry_number),
      'returnCode', return_code, 'returnReason', return_reason, 'expectedOn', expected_on,
      'providerState', payouts.provider_state,
      'deadAccount', case payouts.state when 'due' then ${deadAccount()} end)
    from payouts left join payout_batches on payout_batches.id = batch_id
    where payouts.gift_card_id = gift_cards.id and (
      payouts.state <> 'void' and gift_cards.status in (${statusList(['processing', 'completed'])})
      or (payouts.state <> 'void' or not by_hand) and ${failedForAccount}
    )
    order by payouts.number desc limit 1
  )`,
  'batchableAt',
  'sentAt',
  'paidAt',
)

type LatestPayout = Pick<
  Payout,
  | 'id'
  | 'state'
  | 'amount'
  | 'deducted'
  | 'paymentType'
  | 'accountHint'
  | 'reference'
  | 'returnCode'
  | 'returnReason'
  | 'batchableAt'
  | 'sentAt'
  | 'paidAt'
  | 'entryCount'
  | 'entryTotal'
  | 'providerState'
> & {
  /** The first payout of its entry, whose reference the payment has. */
  readonly leadId: string | null
  readonly waits: boolean
  readonly expectedOn: string | null
  /** Of a due payout. */
  readonly deadAccount: Pick<DeadAccount, 'code' | 'reason'> | null
}

export const shownStates = {
  due: 'due',
  batched: 'due',
  released: 'due',
  exported: 'sent',
  paid: 'paid',
  returned: 'returned',
  void: 'failed',
} as const satisfies Record<PayoutState, SellerPayout['state']>

/** @param failure why the submission failed, if it did */
export function toSellerPayout(
  payout: LatestPayout | null,
  {
    status,
    secretsErasedAt,
    routingNumberSuspect,
  }: Pick<CardRow, 'status' | 'secretsErasedAt' | 'routingNumberSuspect'>,
  failure: { reason: string | null; reasonCode: ReasonCode | null },
  t: Translate,
): SellerPayoutAnswer | null {
  if (!payout) return null
  // The payouts of a worksheet are sent one by one after its download.
  const isListed = payout.state === 'exported' && fileKindOf(payout.paymentType) === 'worksheet'
  const { deadAccount } = payout
  const isRoutingWrong = payout.state === 'due' && routingNumberSuspect
  const isFailed = status === 'failed'
  const state = isFailed ? 'failed' : isListed ? 'due' : shownStates[payout.state]
  return {
    ...payout,
    state,
    account: payout.accountHint,
    reference: payout.reference ?? shortReferenceOf(payout.leadId ?? payout.id),
    isConfirmed: payout.reference !== null,
    together: togetherOf(payout, state),
    sentAt: isListed ? null : payout.sentAt,
    expectedOn: state === 'sent' ? payout.expectedOn : null,
    returnReason: deadAccount
      ? bankReason(t, deadAccount)
      : isFailed
        ? // Quoted beside others, which have no period.
          (failure.reason?.replace(/\.$/, '') ?? null)
        : returnReasonOf(t, payout),
    needsAccount:
      (isFailed || state === 'returned' || deadAccount !== null || isRoutingWrong) &&
      secretsErasedAt === null,
    mayCorrectName: isFailed && isAboutName(failure.reasonCode),
    isUnclaimed: payout.providerState === 'unclaimed',
    waitsUntil: state === 'due' && payout.waits ? payout.batchableAt : null,
  }
}

/** Once it was sent. */
function togetherOf({ entryCount, entryTotal }: LatestPayout, state: SellerPayout['state']) {
  if (state === 'due' || state === 'failed' || entryCount === null || entryTotal === null) return null
  return { others: entryCount - 1, amount: entryTotal }
}
