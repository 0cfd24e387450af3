import type { Earnings, HistoryEntry, SellerSubmission } from '#contract/submissions.ts'
import type { Page } from '#contract/values.ts'
import { toDecimal } from '#domain/money.ts'
import { MAX_PHOTOS } from '#domain/photo-files.ts'
import type { Context } from '#server/context.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { invalid, notFound } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { unwrapKey } from '#server/platform/vault/seal.ts'
import { allowedMove, makeMove } from './move.ts'
import * as photoQueries from './photo-queries.ts'
import { discardPhotos, nameInPath, openPhoto, type PhotoSize, storePhotos } from './photos.ts'
import * as queries from './queries.ts'
import { dataKeyContext } from './secrets.ts'
import type { ReceivedPhoto } from './upload.ts'
import { toHistoryEntry, toSellerSubmission } from './views.ts'

export { submitGiftCard } from './submit.ts'

/** A page of rows: one more than the limit when more follow, and how many there are in all. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export async function listOwnTransactions({ db }: Context, { id: sellerId }: Seller, page: Page) {
  const [rows, { total }] = await Promise.all([
    queries.listTransactions(db, { sellerId, ...page }),
    queries.sumEarnings(db, sellerId),
  ])
  return { rows, total }
}

export async function sumOwnEarnings({ db }: Context, { id }: Seller): Promise<Earnings> {
  const { earned, total, pending } = await queries.sumEarnings(db, id)
  return { totalEarned: toDecimal(earned), totalTransactions: total, pendingCount: pending }
}

export async function listOwnSubmissions(
  context: Context,
  { id: sellerId }: Seller,
  { open, ...page }: Page & { open: boolean },
): Promise<Rows<SellerSubmission>> {
  const [rows, total] = await Promise.all([
    queries.listSellerCards(context.db, { sellerId, open, ...page }),
    queries.countSellerCards(context.db, { sellerId, open }),
  ])
  return { rows: rows.map((row) => toSellerSubmission(row, context)), total }
}

export async function readOwnHistory(
  context: Context,
  { id: sellerId }: Seller,
  id: string,
): Promise<HistoryEntry[]> {
  const [card] = await queries.listSellerCards(context.db, { sellerId, id })
  if (!card) throw notFound()
  return (await queries.listHistory(context.db, id)).map((row) => toHistoryEntry(row, 'seller', context))
}

export async function withdraw(context: Context, seller: Seller, id: string): Promise<SellerSubmission> {
  return transaction(context.db, async (tx) => {
    const lockedCard = await queries.lockCard(tx, id, seller.id)
    if (!lockedCard) throw notFound()
    const move = await allowedMove(tx, lockedCard, 'seller', { to: 'cancelled' })
    await makeMove(tx, context, lockedCard, seller, move, undefined)
    return readOwnSubmission(tx, context, seller, id)
  })
}

/** Answers the question of staff; the submission goes back to where it waits for review. */
export async function answerQuestion(
  context: Context,
  seller: Seller,
  id: string,
  { message, photos }: { message?: string | undefined; photos: readonly ReceivedPhoto[] },
): Promise<SellerSubmission> {
  if (message === undefined && photos.length === 0) {
    throw invalid([{ path: 'message', message: 'Please write an answer or add a photo' }])
  }
  const { db, keys } = context
  const dataKey = await transaction(db, async (tx) => {
    const { lockedCard } = await lockAnswerable(tx, seller, id, photos.length)
    return unwrapKey(keys, lockedCard.dataKey, dataKeyContext(id))
  })
  // Between the two transactions: a store that is slow holds no lock and no connection to the database.
  const stored = await storePhotos(context, dataKey, id, photos).finally(() => dataKey.fill(0))
  try {
    return await transaction(db, async (tx) => {
      const { lockedCard, move, position } = await lockAnswerable(tx, seller, id, photos.length)
      await photoQueries.insertPhotos(
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

/** Throws unless the seller may answer now, with so many photos. @returns where the photos are to stand */
async function lockAnswerable(tx: Transaction, seller: Seller, id: string, photoCount: number) {
  const lockedCard = await queries.lockCard(tx, id, seller.id)
  if (!lockedCard?.dataKey) throw notFound()
  const { dataKey } = lockedCard
  const move = await allowedMove(tx, lockedCard, 'seller', { to: 'pending' })
  const position = await photoQueries.countPhotos(tx, id)
  if (position + photoCount > MAX_PHOTOS * 3) {
    throw invalid([{ path: 'images', message: 'This submission has enough photos already' }])
  }
  return { lockedCard: { ...lockedCard, dataKey }, move, position }
}

async function readOwnSubmission(
  db: Executor,
  context: Context,
  { id: sellerId }: Seller,
  id: string,
): Promise<SellerSubmission> {
  const [row] = await queries.listSellerCards(db, { sellerId, id })
  if (!row) throw notFound()
  return toSellerSubmission(row, context)
}

export interface ReadPhoto {
  readonly bytes: Buffer
  readonly submissionId: string
  /** From 1 on, in the order of the submission's photos. */
  readonly number: number
}

/** A photo for staff, or for the seller who sent it; anybody else's looks like none. */
export async function readPhoto(
  { db, keys, photos }: Context,
  reader: Seller | Staff,
  path: string,
  size: PhotoSize,
): Promise<ReadPhoto> {
  const name = nameInPath(path)
  const found = name === undefined ? undefined : await photoQueries.findPhoto(db, name)
  if (!found || (reader.kind === 'seller' && found.card.sellerId !== reader.id)) throw notFound()
  const bytes = await openPhoto(photos, keys, found.card, found.photo, size)
  if (!bytes) throw notFound()
  return { bytes, submissionId: found.card.id, number: found.photo.position + 1 }
}
