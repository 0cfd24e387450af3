import type { HistoryAnswer, OwnSubmissionAnswer, TransactionAnswer } from '#contract/submissions.ts'
import type { Page } from '#contract/values.ts'
import { maskCardNumber, maskCards } from '#domain/card-number.ts'
import { MAX_PHOTOS } from '#domain/photo-files.ts'
import { adviceFor } from '#domain/resubmission.ts'
import { accountTakingStatuses, type MoveName, statusRules, withoutUndone } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { bankReason } from '#server/features/books/dead-accounts.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { unwrapKey, VaultError } from '#server/platform/vault/seal.ts'
import type { Translate } from '#words/translate.ts'
import { appealUntil, requireAppeal } from '../appeals.ts'
import { toSellerBalance } from '../balance-requests.ts'
import { findOpenRisk } from '../desk/risks.ts'
import { listHistory, toHistoryEntry, withPayoutEvents } from '../history.ts'
import { allowedMove, type MoveRequest, makeMove } from '../move.ts'
import {
  countPhotos,
  discardPhotos,
  insertPhotos,
  photoPaths,
  type ReceivedPhoto,
  storePhotos,
} from '../photos.ts'
import { type CardRow, lockCard, toOffer } from '../queries.ts'
import { listedCode, openReason, type SealingContext } from '../reasons.ts'
import { dataKeyContext, openSecrets } from '../secrets.ts'
import { toSellerPayout } from './payout.ts'
import * as queries from './queries.ts'

export async function listOwnTransactions(context: Context, { id: sellerId, locale }: Seller, page: Page) {
  const [rows, { total }] = await Promise.all([
    queries.listTransactions(context.db, { sellerId, ...page }),
    queries.sumEarnings(context.db, sellerId),
  ])
  return { rows: rows.map((row) => toTransaction(row, context, context.words[locale])), total }
}

export async function sumOwnEarnings({ db }: Context, { id }: Seller) {
  const { earned, total, pending } = await queries.sumEarnings(db, id)
  return { totalEarned: earned, totalTransactions: total, pendingCount: pending }
}

export async function listOwnSubmissions(
  context: Context,
  { id: sellerId, locale }: Seller,
  { open, saleId, ...page }: Page & { open: boolean; saleId?: string | undefined },
) {
  const [rows, total] = await Promise.all([
    queries.listSellerCards(context.db, { sellerId, open, saleId, ...page }),
    queries.countSellerCards(context.db, { sellerId, open, saleId }),
  ])
  return { rows: rows.map((row) => toSellerSubmission(row, context, context.words[locale])), total }
}

export async function readOwnSubmission(
  context: Context,
  { id: sellerId, locale }: Seller,
  id: string,
  db: Executor = context.db,
): Promise<OwnSubmissionAnswer> {
  const [row] = await queries.listSellerCards(db, { sellerId, id })
  if (!row) throw notFound()
  return toSellerSubmission(row, context, context.words[locale])
}

export async function readOwnHistory(
  context: Context,
  { id: sellerId, locale }: Seller,
  id: string,
): Promise<HistoryAnswer[]> {
  const [card] = await queries.listSellerCards(context.db, { sellerId, id })
  if (!card) throw notFound()
  const history = await listHistory(context.db, id)
  // A decision that was undone within seconds was never sent. Staff see it, and the audit log keeps it.
  const moves = withoutUndone(history, ({ entry }) => entry.move).map((row) =>
    toHistoryEntry(row, 'seller', context, context.words[locale]),
  )
  return withPayoutEvents(context.db, id, moves)
}

/** A move that needs no more than its request: withdraw, accept or decline. */
export async function moveOwn(
  context: Context,
  seller: Seller,
  id: string,
  request: MoveRequest & { readonly name: MoveName },
): Promise<OwnSubmissionAnswer> {
  return transaction(context.db, async (tx) => {
    const lockedCard = await lockCard(tx, id, seller.id)
    if (!lockedCard) throw notFound()
    const move = await allowedMove(tx, lockedCard, 'seller', request)
    // Another submission of the number may have been approved since the offer was made.
    if (move.name === 'accept' && (await findOpenRisk(tx, id))?.code === 'same_number_completed') {
      throw new Refusal('offer_changed', 'refusals.offer_bought')
    }
    await makeMove(tx, context, lockedCard, seller, move)
    return readOwnSubmission(context, seller, id, tx)
  })
}

interface Sent {
  readonly message?: string | undefined
  readonly photos: readonly ReceivedPhoto[]
}

/** Answers staff's question, which moves the submission back to `pending`. */
export async function answerQuestion(
  context: Context,
  seller: Seller,
  id: string,
  sent: Sent,
): Promise<OwnSubmissionAnswer> {
  if (sent.message === undefined && sent.photos.length === 0) {
    throw invalid([{ path: 'message', code: 'answer_required' }])
  }
  return sendBack(context, seller, id, sent, 'answer')
}

/** Appeals against a rejection, which moves the submission back to `pending`. */
export async function appeal(
  context: Context,
  seller: Seller,
  id: string,
  sent: Sent,
): Promise<OwnSubmissionAnswer> {
  return sendBack(context, seller, id, sent, 'appeal')
}

/** Moves a submission back to `pending` with a message and photos. */
async function sendBack(
  context: Context,
  seller: Seller,
  id: string,
  { message, photos }: Sent,
  name: 'answer' | 'appeal',
): Promise<OwnSubmissionAnswer> {
  const { db, keys } = context
  const dataKey = await transaction(db, async (tx) => {
    const { lockedCard } = await lockForPhotos(tx, seller, id, { name, photoCount: photos.length })
    return unwrapKey(keys, lockedCard.dataKey, dataKeyContext(id))
  })
  // Outside the transactions, so that a slow storage holds no lock and no database connection.
  const stored = await storePhotos(context, dataKey, { giftCardId: id }, photos).finally(() =>
    dataKey.fill(0),
  )
  try {
    return await transaction(db, async (tx) => {
      const { lockedCard, move, position } = await lockForPhotos(tx, seller, id, {
        name,
        photoCount: photos.length,
      })
      await insertPhotos(
        tx,
        stored.map((photo, index) => ({
          ...photo,
          position: position + index,
          version: lockedCard.version + 1,
        })),
      )
      await makeMove(tx, context, lockedCard, seller, move, { text: message })
      return readOwnSubmission(context, seller, id, tx)
    })
  } catch (error) {
    await discardPhotos(context, stored)
    throw error
  }
}

/** Throws unless the seller may make this move now with this many more photos. @returns also the position of the first one */
async function lockForPhotos(
  tx: Transaction,
  seller: Seller,
  id: string,
  { name, photoCount }: { name: 'answer' | 'appeal'; photoCount: number },
) {
  const lockedCard = await lockCard(tx, id, seller.id)
  if (!lockedCard) throw notFound()
  const move = await allowedMove(tx, lockedCard, 'seller', { to: 'pending', name })
  if (name === 'appeal') await requireAppeal(tx, lockedCard)
  const { dataKey } = lockedCard
  if (!dataKey) throw notFound()
  const position = await countPhotos(tx, id)
  if (position + photoCount > MAX_PHOTOS * 3) {
    throw invalid([{ path: 'images', code: 'enough_photos' }])
  }
  return { lockedCard: { ...lockedCard, dataKey }, move, position }
}

export function toSellerSubmission(
  {
    card,
    photoNames,
    balanceRequest,
    isCheckedAutomatically,
    resubmissionOf,
    accountRefusal,
    ...rest
  }: queries.SellerCardRow,
  context: SealingContext,
  t: Translate,
): OwnSubmissionAnswer {
  return {
    ...card,
    status: statusRules[card.status].sellerStatus,
    ...toProgress({ card, ...rest }, context, t),
    balanceCheck: toSellerBalance(card, balanceRequest),
    checkedAutomatically: isCheckedAutomatically || undefined,
    notes: card.submissionNotes && maskCards(card.submissionNotes),
    cardNumber: maskCardNumber(card.cardNumberLastFour),
    pinGiven: card.securityCode !== null,
    account: card.paymentAccountHint,
    resubmissionOf,
    accountRefusal:
      accountRefusal && accountTakingStatuses.includes(card.status) && card.secretsErasedAt === null
        ? bankReason(t, accountRefusal)
        : null,
    paymentAccountType: card.paymentType === 'bank_transfer' ? card.paymentAccountType : null,
    images: photoPaths(photoNames, 'seller', card),
  }
}

/** Sellers see their payout account unmasked, except for bank account numbers. */
export function toTransaction(
  { transaction, card, ...rest }: queries.TransactionRow,
  context: SealingContext,
  t: Translate,
): TransactionAnswer {
  return {
    ...card,
    ...transaction,
    type: 'sell',
    giftCard: { ...card, cardNumber: maskCardNumber(card.cardNumberLastFour) },
    paymentAccountInfo: accountOf(card, context),
    account: card.paymentAccountHint,
    ...toProgress({ card, ...rest }, context, t),
  }
}

/** Why the card has its status, what the seller can do now, how it ended, and where the money is. */
function toProgress(
  row: Omit<
    queries.SellerCardRow,
    'photoNames' | 'balanceRequest' | 'isCheckedAutomatically' | 'resubmissionOf' | 'accountRefusal'
  >,
  context: SealingContext,
  t: Translate,
) {
  const { card, statusReason, ending, resubmission, balance, toReview, payout } = row
  const reason = openReason(context, t, 'seller', card, card.version, statusReason)
  const offer = toOffer(card, reason)
  const reasonCode = listedCode(statusReason)
  return {
    statusReason: reason,
    reasonCode,
    offer: offer && { ...offer, balance },
    appealed: card.appealedAt !== null,
    appealUntil: resubmission ? null : appealUntil(card),
    resubmittable: isResubmittable(row),
    numbersKept: keepsNumbers(row),
    resubmission: resubmission?.isCleared ? null : resubmission,
    ending,
    toReview,
    payout: toSellerPayout(payout, card, { reason, reasonCode }, t),
  }
}

type Resubmittable = Pick<queries.SellerCardRow, 'card' | 'statusReason' | 'resubmission'>

const isResubmittable = ({ card, resubmission }: Resubmittable) => card.status === 'rejected' && !resubmission

/** Whether a resubmission can take over the numbers: they are not erased, and were not why the card was rejected. */
export const keepsNumbers = (row: Resubmittable): boolean =>
  isResubmittable(row) && row.card.dataKey !== null && !adviceFor(listedCode(row.statusReason)).asksForNumbers

/** Whether a resubmission needs another photo: the photos were why the card was rejected. */
export const needsNewPhoto = (row: Resubmittable): boolean =>
  isResubmittable(row) && adviceFor(listedCode(row.statusReason)).asksForPhoto === true

/** Masked for bank accounts, after erasure, and when it cannot be opened, so that one bad row does not hide the others. */
function accountOf(card: CardRow, { keys, log }: SealingContext): string {
  if (card.paymentType === 'bank_transfer') return card.paymentAccountHint
  try {
    return openSecrets(keys, card, ['paymentAccountInfo']).paymentAccountInfo ?? card.paymentAccountHint
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, submission: card.id }, 'cannot open the payout account of a submission')
    return card.paymentAccountHint
  }
}
