import type {
  Earnings,
  HistoryEntry,
  SellerSubmission,
  Transaction as WireTransaction,
} from '#contract/submissions.ts'
import type { Page } from '#contract/values.ts'
import { maskCardNumber } from '#domain/card-number.ts'
import { toDecimal } from '#domain/money.ts'
import { MAX_PHOTOS } from '#domain/photo-files.ts'
import { statusRules } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid, notFound } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { unwrapKey, VaultError } from '#server/platform/vault/seal.ts'
import type { Translate } from '#words/translate.ts'
import { listHistory, toHistoryEntry } from '../history.ts'
import { allowedMove, makeMove } from '../move.ts'
import {
  countPhotos,
  discardPhotos,
  insertPhotos,
  photoPaths,
  type ReceivedPhoto,
  storePhotos,
} from '../photos.ts'
import { type CardRow, lockCard } from '../queries.ts'
import { openReason, type SealingContext } from '../reasons.ts'
import { dataKeyContext, openSecrets } from '../secrets.ts'
import * as queries from './queries.ts'

export async function listOwnTransactions(context: Context, { id: sellerId, locale }: Seller, page: Page) {
  const [rows, { total }] = await Promise.all([
    queries.listTransactions(context.db, { sellerId, ...page }),
    queries.sumEarnings(context.db, sellerId),
  ])
  return { rows: rows.map((row) => toTransaction(row, context, context.words[locale])), total }
}

export async function sumOwnEarnings({ db }: Context, { id }: Seller): Promise<Earnings> {
  const { earned, total, pending } = await queries.sumEarnings(db, id)
  return { totalEarned: toDecimal(earned), totalTransactions: total, pendingCount: pending }
}

export async function listOwnSubmissions(
  context: Context,
  { id: sellerId, locale }: Seller,
  { open, ...page }: Page & { open: boolean },
) {
  const [rows, total] = await Promise.all([
    queries.listSellerCards(context.db, { sellerId, open, ...page }),
    queries.countSellerCards(context.db, { sellerId, open }),
  ])
  return { rows: rows.map((row) => toSellerSubmission(row, context, context.words[locale])), total }
}

export async function readOwnHistory(
  context: Context,
  { id: sellerId, locale }: Seller,
  id: string,
): Promise<HistoryEntry[]> {
  const [card] = await queries.listSellerCards(context.db, { sellerId, id })
  if (!card) throw notFound()
  const history = await listHistory(context.db, id)
  return history.map((row) => toHistoryEntry(row, 'seller', context, context.words[locale]))
}

export async function withdraw(context: Context, seller: Seller, id: string): Promise<SellerSubmission> {
  return transaction(context.db, async (tx) => {
    const lockedCard = await lockCard(tx, id, seller.id)
    if (!lockedCard) throw notFound()
    const move = await allowedMove(tx, lockedCard, 'seller', {
      to: 'cancelled',
    })
    await makeMove(tx, context, lockedCard, seller, move, undefined)
    return readOwnSubmission(tx, context, seller, id)
  })
}

/** Answers staff's question, which moves the submission back to `pending`. */
export async function answerQuestion(
  context: Context,
  seller: Seller,
  id: string,
  { message, photos }: { message?: string | undefined; photos: readonly ReceivedPhoto[] },
): Promise<SellerSubmission> {
  if (message === undefined && photos.length === 0) {
    throw invalid([{ path: 'message', code: 'answer_required' }])
  }
  const { db, keys } = context
  const dataKey = await transaction(db, async (tx) => {
    const { lockedCard } = await lockAnswerable(tx, seller, id, photos.length)
    return unwrapKey(keys, lockedCard.dataKey, dataKeyContext(id))
  })
  // Outside the transactions, so that a slow storage holds no lock and no database connection.
  const stored = await storePhotos(context, dataKey, id, photos).finally(() => dataKey.fill(0))
  try {
    return await transaction(db, async (tx) => {
      const { lockedCard, move, position } = await lockAnswerable(tx, seller, id, photos.length)
      await insertPhotos(
        tx,
        stored.map((photo, index) => ({
          ...photo,
          position: position + index,
          version: lockedCard.version + 1,
        })),
      )
      await makeMove(tx, context, lockedCard, seller, move, message)
      return readOwnSubmission(tx, context, seller, id)
    })
  } catch (error) {
    await discardPhotos(context, stored)
    throw error
  }
}

/** Throws unless the seller may answer now with this many more photos. @returns also the position of the first one */
async function lockAnswerable(tx: Transaction, seller: Seller, id: string, photoCount: number) {
  const lockedCard = await lockCard(tx, id, seller.id)
  if (!lockedCard?.dataKey) throw notFound()
  const { dataKey } = lockedCard
  const move = await allowedMove(tx, lockedCard, 'seller', { to: 'pending' })
  const position = await countPhotos(tx, id)
  if (position + photoCount > MAX_PHOTOS * 3) {
    throw invalid([{ path: 'images', code: 'enough_photos' }])
  }
  return { lockedCard: { ...lockedCard, dataKey }, move, position }
}

async function readOwnSubmission(
  db: Executor,
  context: Context,
  { id: sellerId, locale }: Seller,
  id: string,
): Promise<SellerSubmission> {
  const [row] = await queries.listSellerCards(db, { sellerId, id })
  if (!row) throw notFound()
  return toSellerSubmission(row, context, context.words[locale])
}

export function toSellerSubmission(
  { card, photoNames, statusReason }: queries.SellerCardRow,
  context: SealingContext,
  t: Translate,
): SellerSubmission {
  return {
    id: card.id,
    sellerId: card.sellerId,
    brand: card.brand,
    brandName: card.brandName,
    denomination: toDecimal(card.denomination),
    sellingPrice: toDecimal(card.sellingPrice),
    discountPercentage: toDecimal(card.discountPercentage),
    available: card.available,
    verified: card.verified,
    status: statusRules[card.status].sellerStatus,
    statusReason: openReason(context, t, card, card.version, statusReason),
    notes: card.submissionNotes,
    cardNumber: maskCardNumber(card.cardNumberLastFour),
    images: photoPaths(photoNames, 'seller'),
    createdAt: card.createdAt.toISOString(),
    updatedAt: card.updatedAt.toISOString(),
  }
}

/** Sellers see their payout account unmasked, except for bank account numbers. */
export function toTransaction(
  { transaction, card, statusReason }: queries.TransactionRow,
  context: SealingContext,
  t: Translate,
): WireTransaction {
  return {
    id: transaction.id,
    giftCardId: card.id,
    sellerId: transaction.sellerId,
    buyerId: transaction.buyerId,
    type: 'sell',
    giftCard: {
      brand: card.brand,
      brandName: card.brandName,
      denomination: toDecimal(card.denomination),
    },
    amount: toDecimal(transaction.amount),
    paymentType: card.paymentType,
    paymentAccountName: card.paymentAccountName,
    paymentAccountInfo: accountOf(card, context),
    status: card.status,
    statusReason: openReason(context, t, card, card.version, statusReason),
    createdAt: transaction.createdAt.toISOString(),
    updatedAt: card.updatedAt.toISOString(),
  }
}

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
