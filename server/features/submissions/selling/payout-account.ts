import { and, eq, isNotNull, or } from 'drizzle-orm'
import { newPaymentMethod, type PayoutAccount } from '#contract/payment-methods.ts'
import type { OwnSubmissionAnswer } from '#contract/submissions.ts'
import { isRoutingNumber } from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { enqueueSecurityEmail, lockAccount } from '#server/features/accounts/sellers/account.ts'
import { record } from '#server/features/audit/actions.ts'
import { accountRefused, isAccountDead, requireNotRefused } from '#server/features/books/dead-accounts.ts'
import {
  changeDueAccount,
  lockLatestPayout,
  type Payout,
  renewPayout,
  returnReasonOf,
} from '#server/features/books/payouts.ts'
import { type OpenedPaymentMethod, openPaymentMethod } from '#server/features/payment-methods/actions.ts'
import type { Seller } from '#server/http/actor.ts'
import { parseWith } from '#server/http/errors.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { deadAccounts, giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import { type CardRow, lockCard } from '../queries.ts'
import { accountInfoOf, sealPayoutAccount } from '../secrets.ts'
import { readOwnSubmission } from './actions.ts'

/**
 * Enters another account after the payout came back, or while it is due and its account was refused before or has a wrong routing
 * number. The same amount is due again, and waits before it is sent.
 */
export async function changePayoutAccount(
  context: Context,
  seller: Seller,
  id: string,
  sent: PayoutAccount,
): Promise<OwnSubmissionAnswer> {
  const { account, path } = await readAccount(context, seller, sent)
  const { paymentType, paymentAccountName } = account
  return transaction(context.db, async (tx) => {
    const card = await lockCard(tx, id, seller.id)
    if (!card) throw notFound()
    const payout = await lockLatestPayout(tx, id)
    if (card.status !== 'processing' || !payout || !(await needsAccount(tx, payout))) {
      throw new Refusal('illegal_payout_move', 'refusals.payout_account_not_needed')
    }
    const { dataKey } = card
    if (!dataKey) throw new Refusal('erased', 'refusals.erased')
    const sealed = sealPayoutAccount(context.keys, { id, dataKey }, account)
    if (isSameAccount(card, { ...sealed, paymentType }) && !(await wasAllowed(tx, payout))) {
      throw invalid([
        accountRefused(path, (t) => returnReasonOf(t, payout) ?? t('payouts.returned.unexplained')),
      ])
    }
    await tx
      .update(giftCards)
      .set({ paymentType, paymentAccountName, ...sealed, updatedAt: card.lockedAt })
      .where(eq(giftCards.id, id))
    const payable = { ...card, ...sealed, paymentType }
    const { id: payoutId } =
      payout.state === 'due'
        ? await changeDueAccount(tx, payable, payout)
        : await renewPayout(tx, payable, payout)
    await record(tx, {
      actor: seller,
      action: 'payout.account_changed',
      subject: { kind: 'payout', id: payoutId },
      details: { giftCardId: id, from: card.paymentType, to: paymentType },
    })
    const lockedUser = await lockAccount(tx, seller.id)
    await enqueueSecurityEmail(tx, lockedUser, {
      kind: 'payoutAccountChanged',
      type: paymentType,
      hint: sealed.paymentAccountHint,
    })
    await publish(tx, [
      { to: 'staff', message: { type: 'PAYOUT_UPDATE' } },
      { to: { userId: seller.id }, message: { type: 'PAYOUT_UPDATE', userId: seller.id, submissionId: id } },
    ])
    return readOwnSubmission(context, seller, id, tx)
  })
}

async function needsAccount(tx: Transaction, { state, giftCardId }: Payout): Promise<boolean> {
  if (state !== 'due') return state === 'returned'
  const cannotBePaid = or(isAccountDead, giftCards.routingNumberSuspect)
  return (await tx.$count(giftCards, and(eq(giftCards.id, giftCardId), cannotBePaid))) > 0
}

type KnownAccount = Pick<CardRow, 'paymentType' | 'paymentAccountIndex'>

/** A bank account is the same with every payment type. */
function isSameAccount(failed: KnownAccount, entered: KnownAccount): boolean {
  if (!failed.paymentAccountIndex || !entered.paymentAccountIndex?.equals(failed.paymentAccountIndex))
    return false
  return [entered.paymentType, 'bank_transfer'].includes(failed.paymentType)
}

/** Whether a payer has looked at the account that refused this payout, and allows it again. */
async function wasAllowed(tx: Transaction, { id }: Payout): Promise<boolean> {
  const { payoutId, liftedAt } = deadAccounts
  return (await tx.$count(deadAccounts, and(eq(payoutId, id), isNotNull(liftedAt)))) > 0
}

/** Stricter than a submission: what is sent here has come back once, so a routing number that no bank has is refused. */
async function readAccount(
  context: Context,
  seller: Seller,
  { paymentMethodId, ...sent }: PayoutAccount,
): Promise<{ account: OpenedPaymentMethod; path: string }> {
  const account = paymentMethodId
    ? await openPaymentMethod(context, seller, paymentMethodId)
    : newAccount(context, sent)
  if (account.paymentRoutingNumber && !isRoutingNumber(account.paymentRoutingNumber)) {
    throw invalid([
      { path: paymentMethodId ? 'paymentMethodId' : 'routingNumber', code: 'routing_number_wrong' },
    ])
  }
  const typedPath = account.paymentRoutingNumber ? 'accountNumber' : 'accountInfo'
  const path = paymentMethodId ? 'paymentMethodId' : typedPath
  const { paymentType: type } = account
  await requireNotRefused(context.db, context.keys, seller.id, { type, info: accountInfoOf(account), path })
  return { account, path }
}

function newAccount({ site }: Context, sent: Omit<PayoutAccount, 'paymentMethodId'>): OpenedPaymentMethod {
  const fields = parseWith(newPaymentMethod, sent)
  const { type, accountName, accountInfo, routingNumber, accountNumber, accountType = 'checking' } = fields
  if (!site.payoutMethods.includes(type)) {
    throw invalid([{ path: 'type', code: 'payment_method_type_required' }])
  }
  return {
    paymentType: type,
    paymentAccountName: accountName,
    ...(type === 'bank_transfer' && routingNumber && accountNumber
      ? {
          paymentRoutingNumber: routingNumber,
          paymentAccountNumber: accountNumber,
          paymentAccountType: accountType,
        }
      : { paymentAccountInfo: accountInfo ?? '' }),
  }
}
