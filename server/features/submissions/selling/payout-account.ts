import { and, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { newPaymentMethod, type PayoutAccount } from '#contract/payment-methods.ts'
import type { ChangedAccountAnswer } from '#contract/submissions.ts'
import { failureOf, isAboutName, mayKeepAccount } from '#domain/failure.ts'
import { isRoutingNumber } from '#domain/payment-methods.ts'
import type { ReasonCode } from '#domain/reasons.ts'
import { accountTakingStatuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { enqueueSecurityEmail, lockAccount } from '#server/features/accounts/sellers/account.ts'
import { record } from '#server/features/audit/actions.ts'
import {
  accountRefused,
  hasCameBack,
  isAccountDead,
  isAccountRefused,
  requireNotRefused,
} from '#server/features/books/dead-accounts.ts'
import {
  changeDueAccount,
  lockLatestPayout,
  lockPayouts,
  type Payout,
  renewPayout,
  returnReasonOf,
} from '#server/features/books/payouts.ts'
import {
  makeDefault,
  type OpenedPaymentMethod,
  openPaymentMethod,
  saveMethod,
} from '#server/features/payment-methods/actions.ts'
import type { Seller } from '#server/http/actor.ts'
import { parseWith } from '#server/http/errors.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { deadAccounts, giftCards, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import type { Translate } from '#words/translate.ts'
import { allowedMove, makeMove } from '../move.ts'
import { type CardRow, lockCards, statusReason } from '../queries.ts'
import { listedCode } from '../reasons.ts'
import { accountInfoOf, sealPayoutAccount } from '../secrets.ts'
import { readOwnSubmission } from './actions.ts'
import { cardsWithoutAccount } from './home.ts'
import { listSellerCards } from './queries.ts'

/**
 * Enters another account after the payout came back or failed because of its account, or while it is due and its account was
 * refused before or has a wrong routing number. The same amount is due again, and waits before it is sent. Before the approval nothing
 * waits. With `sameAccount`, also for the seller's other cards that were to be paid to the failed account. Cards that the rules refuse
 * are left out.
 */
export async function changePayoutAccount(
  context: Context,
  seller: Seller,
  id: string,
  { sameAccount, remember, ...sent }: PayoutAccount,
): Promise<ChangedAccountAnswer> {
  const entered = await readAccount(context, seller, sent)
  return transaction(context.db, async (tx) => {
    const others = sameAccount ? await listSameAccount(tx, seller, id) : []
    const cards = await lockCards(tx, [id, ...others.map((card) => card.id)], seller.id)
    if (!cards.some((card) => card.id === id)) throw notFound()
    await lockPayouts(
      tx,
      cards.map((card) => card.id),
    )
    const changed: ChangedAccount[] = []
    for (const card of cards) {
      try {
        changed.push(
          await changeAccountOf(tx, context, seller, card, { ...entered, isOther: card.id !== id }),
        )
      } catch (error) {
        // The rules are checked before anything is written.
        if (card.id === id || !(error instanceof Refusal)) throw error
      }
    }
    const lockedUser = await lockAccount(tx, seller.id)
    const isSaved = remember === true && !sent.paymentMethodId
    if (isSaved) {
      const fields = parseWith(newPaymentMethod, sent)
      await saveMethod(tx, context, seller, fields, context.words[seller.locale])
    }
    if (sent.paymentMethodId) await makeDefault(tx, seller.id, sent.paymentMethodId)
    const due = changed.filter(({ isDue }) => isDue)
    const until = due[0]?.waitsUntil?.toISOString()
    const notice = {
      kind: 'payoutAccountChanged',
      type: entered.account.paymentType,
      hint: changed[0]?.accountHint ?? '',
      holder: entered.account.paymentAccountName,
      ...totalOf(changed),
      waits: due.length > 0,
      ...(until && { until }),
      cards: (due.length > 0 ? due : changed).map(({ giftCardId, amount }) => ({ id: giftCardId, amount })),
      isSaved,
    } as const
    await enqueueSecurityEmail(tx, lockedUser, notice, seller.sid)
    await publish(tx, [
      { to: 'staff', message: { type: 'PAYOUT_UPDATE' } },
      ...changed.map(({ giftCardId }) => ({
        to: { userId: seller.id },
        message: { type: 'PAYOUT_UPDATE' as const, userId: seller.id, submissionId: giftCardId },
      })),
    ])
    return { ...(await readOwnSubmission(context, seller, id, tx)), accountChanged: totalOf(changed) }
  })
}

/** All cards of the seller that were to be paid to the failed account of this card, this one included. */
export async function readSameAccount({ db }: Context, seller: Seller, id: string) {
  const [own] = await listSellerCards(db, { sellerId: seller.id, id })
  if (!own) throw notFound()
  return totalOf(await listSameAccount(db, seller, id))
}

/** The other approved cards. */
export async function findSameAccount(db: Executor, { id, sellerId }: Pick<CardRow, 'id' | 'sellerId'>) {
  const cards = await listSameAccount(db, { id: sellerId }, id)
  return totalOf(cards.filter((card) => card.id !== id && card.isDue))
}

/** Nothing is owed yet for undecided cards, so beside approved ones they are only counted. */
function totalOf(cards: readonly { readonly amount: number; readonly isDue: boolean }[]) {
  const due = cards.filter(({ isDue }) => isDue)
  const summed = due.length > 0 ? due : cards
  return {
    count: summed.length,
    amount: summed.reduce((total, { amount }) => total + amount, 0),
    ...(summed.length < cards.length && { undecided: cards.length - summed.length }),
  }
}

async function listSameAccount(db: Executor, { id: sellerId }: Pick<Seller, 'id'>, id: string) {
  const { rows } = await db.execute<{ id: string; amount: string; isDue: boolean }>(sql`
    select gift_cards.id, waiting.amount, gift_cards.status not in ${accountTakingStatuses} as "isDue"
    from gift_cards
    join (
      ${cardsWithoutAccount(sellerId)}
      -- What would be paid to an account that sent money back.
      union
      select gift_cards.id, offer_expires_at, updated_at, payouts.amount from payouts
      join gift_cards on gift_cards.id = payouts.gift_card_id
      where payouts.seller_id = ${sellerId} and status = 'processing' and cleared_at is null
        and secrets_erased_at is null and payouts.state = 'due' and ${hasCameBack}
    ) waiting on waiting.id = gift_cards.id
    join gift_cards asked on asked.id = ${id} and asked.seller_id = ${sellerId}
    where gift_cards.id = asked.id
      or (gift_cards.payment_account_index = asked.payment_account_index and gift_cards.payment_type = asked.payment_type)`)
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
}

interface ChangedAccount {
  readonly giftCardId: string
  readonly accountHint: string
  /** Cents. */
  readonly amount: number
  /** Whether its payout is due to the new account. Before the approval there is none. */
  readonly isDue: boolean
  readonly waitsUntil?: Date
}

async function changeAccountOf(
  tx: Transaction,
  context: Context,
  seller: Seller,
  card: Awaited<ReturnType<typeof lockCards>>[number],
  { account, path, isOther }: Awaited<ReturnType<typeof readAccount>> & { isOther: boolean },
): Promise<ChangedAccount> {
  const { id, dataKey, status } = card
  const { paymentType, paymentAccountName } = account
  const payout = await lockLatestPayout(tx, id)
  const failedFor = await findAccountReason(tx, card)
  const isCorrected = accountTakingStatuses.includes(status) && (await cannotBePaid(tx, id, isAccountRefused))
  const mayChange = payout && (failedFor || (await needsAccount(tx, card, payout, isOther)))
  if (!isCorrected && !mayChange) {
    throw new Refusal('illegal_payout_move', 'refusals.payout_account_not_needed')
  }
  if (!dataKey) throw new Refusal('erased', 'refusals.erased')
  const sealed = sealPayoutAccount(context.keys, { id, dataKey }, account)
  if (payout && !isCorrected && isSameAccount(card, { ...sealed, paymentType })) {
    const holder = { before: card.paymentAccountName, now: paymentAccountName }
    if (!((failedFor && mayKeepAccount(failedFor, holder)) || (await wasAllowed(tx, payout)))) {
      const reason = (t: Translate) =>
        failedFor
          ? t(`reasons.text.${failedFor}`)
          : (returnReasonOf(t, payout) ?? t('payouts.returned.unexplained'))
      if (!isAboutName(failedFor)) throw invalid([accountRefused(path, reason)])
      const namePath = path === 'paymentMethodId' ? path : 'accountName'
      throw invalid([accountRefused(namePath, reason, 'account_name_refused')])
    }
  }
  const move = failedFor && (await allowedMove(tx, card, 'seller', changeAccount))
  await tx
    .update(giftCards)
    .set({ paymentType, paymentAccountName, ...sealed, updatedAt: card.lockedAt })
    .where(eq(giftCards.id, id))
  if (isCorrected) {
    await record(tx, {
      actor: seller,
      action: 'payout.account_changed',
      subject: { kind: 'submission', id },
      details: { giftCardId: id, from: card.paymentType, to: paymentType },
    })
    const { paymentAccountHint: accountHint } = sealed
    return { giftCardId: id, accountHint, amount: card.offerAmount ?? card.sellingPrice, isDue: false }
  }
  const payable = { ...card, ...sealed, paymentType }
  if (move) await makeMove(tx, context, payable, seller, move)
  const owed = move ? await lockLatestPayout(tx, id) : payout
  if (!owed) throw new Error(`submission ${id} is approved without a payout`)
  const changed =
    owed.state === 'due' ? await changeDueAccount(tx, payable, owed) : await renewPayout(tx, payable, owed)
  await record(tx, {
    actor: seller,
    action: 'payout.account_changed',
    subject: { kind: 'payout', id: changed.id },
    // A move is in the history by itself.
    details: { giftCardId: id, from: card.paymentType, to: paymentType, ...(move && { move: move.name }) },
  })
  const { accountHint, amount, batchableAt: waitsUntil } = changed
  return { giftCardId: id, accountHint, amount, isDue: true, waitsUntil }
}

const changeAccount = { to: 'processing', name: 'change_account' } as const

/** The reason about its account for which the payout of a locked submission failed. */
async function findAccountReason(tx: Transaction, { id, status }: CardRow): Promise<ReasonCode | null> {
  if (status !== 'failed') return null
  const [row] = await tx.select({ statusReason }).from(giftCards).where(eq(giftCards.id, id))
  const reasonCode = listedCode(row?.statusReason ?? null)
  return failureOf({ status, reasonCode }) === 'account' ? reasonCode : null
}

/** @param isOther whether an account that sent money back is enough, because the seller replaces it for another card */
async function needsAccount(
  tx: Transaction,
  { status }: CardRow,
  payout: Payout,
  isOther: boolean,
): Promise<boolean> {
  const { id, state, giftCardId } = payout
  if (status !== 'processing') return false
  if (state !== 'due') return state === 'returned'
  if (await cannotBePaid(tx, giftCardId, isAccountDead)) return true
  return isOther && (await tx.$count(payouts, and(eq(payouts.id, id), hasCameBack))) > 0
}

/** @param isDead whether its account was refused */
async function cannotBePaid(tx: Transaction, giftCardId: string, isDead: SQL): Promise<boolean> {
  const isUnpayable = or(isDead, giftCards.routingNumberSuspect)
  return (await tx.$count(giftCards, and(eq(giftCards.id, giftCardId), isUnpayable))) > 0
}

type KnownAccount = Pick<CardRow, 'paymentType' | 'paymentAccountIndex'>

/** A bank account is the same with every payment type. */
function isSameAccount(failed: KnownAccount, entered: KnownAccount): boolean {
  if (!failed.paymentAccountIndex || !entered.paymentAccountIndex?.equals(failed.paymentAccountIndex))
    return false
  return [entered.paymentType, 'bank_transfer'].includes(failed.paymentType)
}

/** Whether a payer has looked at the account for which this payout came back or failed, and allows it again. */
async function wasAllowed(tx: Transaction, { id }: Payout): Promise<boolean> {
  const { payoutId, liftedAt } = deadAccounts
  return (await tx.$count(deadAccounts, and(eq(payoutId, id), isNotNull(liftedAt)))) > 0
}

/** Stricter than a submission: what is sent here has come back once, so a routing number that no bank has is refused. */
async function readAccount(
  context: Context,
  seller: Seller,
  { paymentMethodId, ...sent }: Omit<PayoutAccount, 'sameAccount' | 'remember'>,
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

function newAccount(
  { site }: Context,
  sent: Omit<PayoutAccount, 'paymentMethodId' | 'sameAccount' | 'remember'>,
): OpenedPaymentMethod {
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
