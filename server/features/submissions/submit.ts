import { createHmac, timingSafeEqual } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import {
  type SellerSubmission,
  type SubmissionFields,
  submissionFields,
  type Transaction as WireTransaction,
} from '#contract/submissions.ts'
import { listedBrand } from '#domain/brands.ts'
import type { Quote } from '#domain/quote.ts'
import type { Context } from '#server/context.ts'
import { openPaymentMethod } from '#server/features/people/payment-methods/actions.ts'
import type { Seller } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, wrapKey } from '#server/platform/vault/seal.ts'
import { checkFields, checkQuote } from './check.ts'
import { insertPhotos, type PhotoRow } from './photo-queries.ts'
import { discardPhotos, storePhotos } from './photos.ts'
import * as queries from './queries.ts'
import { dataKeyContext, sealSecrets } from './secrets.ts'
import type { Upload } from './upload.ts'
import { toSellerSubmission, toTransaction } from './views.ts'

export interface Submitted {
  readonly transaction: WireTransaction
  readonly giftCard: SellerSubmission
  /** False when this request had been answered before. */
  readonly created: boolean
}

/**
 * Takes a submission: checks it, seals its secrets and photos, and writes gift card, transaction and history
 * in one transaction. The same key again answers the first result, however often and at once it is sent.
 */
export async function submitGiftCard(
  context: Context,
  seller: Seller,
  upload: Upload,
  idempotencyKey: string | undefined,
): Promise<Submitted> {
  const fingerprint = fingerprintOf(context.keys, upload)
  const earlier = await findEarlier(context, seller, idempotencyKey, fingerprint)
  if (earlier) return earlier
  const terms = await context.catalogue.current()
  const sent = await withSavedMethod(context, seller, upload.fields)
  const listed = listedBrand(sent.brand ?? '', terms.brands)
  // A spelling of a listed brand is that brand, with all its rules.
  const fields = checkFields(listed ? { ...sent, brand: listed.value } : sent, upload.photos.length)
  const quote = checkQuote(fields, terms)
  const unlisted = !listed
  try {
    return await write(context, seller, { fields, quote, unlisted, fingerprint, idempotencyKey, upload })
  } catch (error) {
    if (!isUniqueViolation(error, 'gift_cards_idempotency_key')) throw error
    // The same request, sent at the same time, was faster.
    const first = await findEarlier(context, seller, idempotencyKey, fingerprint)
    if (!first) throw error
    return first
  }
}

/** A saved payment method stands for the payment fields, whatever else was sent in them. */
async function withSavedMethod(
  context: Context,
  seller: Seller,
  sent: Upload['fields'],
): Promise<Upload['fields']> {
  const id = sent.paymentMethodId
  return id ? { ...sent, ...(await openPaymentMethod(context, seller, id)) } : sent
}

interface Accepted {
  readonly fields: SubmissionFields
  readonly quote: Quote
  /** The catalogue doesn't have the brand. */
  readonly unlisted: boolean
  readonly fingerprint: Buffer
  readonly idempotencyKey: string | undefined
  readonly upload: Upload
}

async function write(context: Context, seller: Seller, accepted: Accepted): Promise<Submitted> {
  const now = await readClock(context.db)
  const at = new Date(now())
  // Lists stand in the order of the ids, whichever server made them.
  const id = uuidv7({ msecs: at.getTime() })
  const dataKey = newDataKey()
  const card = toCardRow(context.keys, seller, { id, at, dataKey, ...accepted })
  const storing = storePhotos(context, dataKey, id, accepted.upload.photos)
  const photos = await storing.finally(() => dataKey.fill(0))
  try {
    return await writeRows(context, seller, card, photos)
  } catch (error) {
    await discardPhotos(context, photos)
    throw error
  }
}

function toCardRow(
  keys: KeyRing,
  seller: Seller,
  {
    id,
    at,
    dataKey,
    fields,
    quote,
    unlisted,
    fingerprint,
    idempotencyKey,
  }: Accepted & { id: string; at: Date; dataKey: Buffer },
) {
  return {
    id,
    sellerId: seller.id,
    brand: quote.brand.value,
    brandName: quote.brand.name,
    unlistedBrand: unlisted,
    denomination: quote.faceValue,
    sellingPrice: quote.pays,
    discountPercentage: quote.discount,
    dataKey: wrapKey(keys, dataKey, dataKeyContext(id)),
    ...sealSecrets(keys, dataKey, id, fields),
    expirationDate: fields.expirationDate ?? null,
    cardFormat: fields.cardFormat ?? null,
    cardCondition: fields.cardCondition ?? null,
    submissionNotes: fields.submissionNotes ?? null,
    paymentType: fields.paymentType,
    paymentAccountName: fields.paymentAccountName,
    idempotencyKey: idempotencyKey ?? null,
    fingerprint,
    createdAt: at,
    updatedAt: at,
  }
}

async function writeRows(
  context: Context,
  seller: Seller,
  card: ReturnType<typeof toCardRow>,
  photos: readonly PhotoRow[],
): Promise<Submitted> {
  return transaction(context.db, async (tx) => {
    await queries.insertCard(tx, card)
    await insertPhotos(tx, photos)
    await queries.insertTransaction(tx, {
      // By the database's clock, like the submission's: lists are ordered by ids, whichever server made them.
      id: uuidv7({ msecs: card.createdAt.getTime() }),
      giftCardId: card.id,
      sellerId: seller.id,
      amount: card.sellingPrice,
      createdAt: card.createdAt,
    })
    await queries.insertHistory(tx, {
      giftCardId: card.id,
      version: 1,
      fromStatus: null,
      toStatus: 'pending',
      byKind: 'seller',
      byId: seller.id,
      at: card.createdAt,
    })
    await enqueue(tx, 'statusMail', `${card.id}:1`, { giftCardId: card.id, version: 1 })
    await announce(tx, seller, card)
    return { ...(await readResult(tx, context, seller, card.id)), created: true }
  })
}

function announce(
  tx: Transaction,
  { id, username }: Seller,
  card: { id: string; brand: string; brandName: string },
): Promise<void> {
  const message = {
    type: 'NEW_SUBMISSION' as const,
    submission: {
      id: card.id,
      brand: card.brand,
      brandName: card.brandName,
      userId: id,
      user: { id, username },
    },
  }
  return publish(tx, [
    { to: 'staff', message },
    { to: { userId: id }, message },
  ])
}

async function readResult(db: Executor, context: Context, seller: Seller, id: string) {
  const [giftCard] = await queries.listSellerCards(db, { sellerId: seller.id, id })
  const [row] = await queries.listTransactions(db, { sellerId: seller.id, id })
  if (!giftCard || !row) throw notFound()
  return { transaction: toTransaction(row, context), giftCard: toSellerSubmission(giftCard, context) }
}

async function findEarlier(
  context: Context,
  seller: Seller,
  idempotencyKey: string | undefined,
  fingerprint: Buffer,
): Promise<Submitted | undefined> {
  if (idempotencyKey === undefined) return undefined
  const earlier = await queries.findByIdempotencyKey(context.db, seller.id, idempotencyKey)
  if (!earlier) return undefined
  if (!timingSafeEqual(earlier.fingerprint, fingerprint)) {
    throw new Refusal('key_reused', 'This Idempotency-Key was used for another submission')
  }
  return { ...(await readResult(context.db, context, seller, earlier.id)), created: false }
}

const fieldNames = Object.keys(submissionFields.shape).sort()

/** Whether two requests are the same, as they were sent. Keyed, because there is a card number in it. */
function fingerprintOf(keys: KeyRing, { fields, photos }: Upload): Buffer {
  const named = fieldNames.flatMap((name) => (fields[name] ? [[name, fields[name]]] : []))
  const content = JSON.stringify([named, photos.map(({ digest }) => digest)])
  return createHmac('sha256', keys.index).update(`submission ${content}`).digest()
}
