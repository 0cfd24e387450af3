import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import {
  type OwnSubmissionAnswer,
  type SubmissionFields,
  submissionFields,
  type TransactionAnswer,
} from '#contract/submissions.ts'
import { listedBrand } from '#domain/brands.ts'
import type { Quote } from '#domain/quote.ts'
import type { Context } from '#server/context.ts'
import { type EnteredAccount, requireNotRefused } from '#server/features/books/dead-accounts.ts'
import { openPaymentMethod } from '#server/features/payment-methods/actions.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid, Refusal, refusedFields } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { giftCards, transactions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, wrapKey } from '#server/platform/vault/seal.ts'
import { askBalance } from '../balance-requests.ts'
import { lockMaySubmit, requireMaySubmit } from '../desk/seller-page/state.ts'
import { insertHistory } from '../history.ts'
import { digestOf, discardPhotos, insertPhotos, type PhotoRow, readPhoto, storePhotos } from '../photos.ts'
import { lockCard } from '../queries.ts'
import { isSaleFull, joinSale, sendReceipt, sendReceiptLater } from '../sales.ts'
import { accountInfoOf, dataKeyContext, openSecrets, sealSecrets } from '../secrets.ts'
import type { Upload } from '../upload.ts'
import { keepsNumbers, needsNewPhoto, toSellerSubmission, toTransaction } from './actions.ts'
import { checkFields, checkQuote } from './check.ts'
import { listSellerCards, listTransactions, type SellerCardRow } from './queries.ts'

export interface Submitted {
  readonly transaction: TransactionAnswer
  readonly giftCard: OwnSubmissionAnswer
  /** False if the same request was answered before. */
  readonly created: boolean
}

/**
 * Checks a submission, seals its secrets and photos, and writes gift card, transaction and history in one transaction.
 * Requests with the same idempotency key get the first one's result.
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
  await requireMaySubmit(context.db, seller.id)
  const terms = await context.catalog.current()
  const entered = await withSavedMethod(context, seller, upload.fields)
  const earlierCard = await findResubmitted(context, seller, entered.resubmissionOf)
  const sent = earlierCard ? withEarlierNumbers(context.keys, earlierCard, entered) : entered
  const listed = listedBrand(sent.brand ?? '', terms.brands)
  // Another spelling of a listed brand gets that brand's rules.
  const fields = checkFields(listed ? { ...sent, brand: listed.value } : sent, {
    photos: upload.photos.length,
    lacksNewPhoto:
      earlierCard !== undefined &&
      needsNewPhoto(earlierCard) &&
      !(await hasNewPhoto(context, seller, earlierCard, upload)),
    payoutMethods: context.site.payoutMethods,
  })
  await requireNotRefused(context.db, context.keys, seller.id, enteredAccount(fields))
  const quote = checkQuote(fields, terms)
  const unlisted = !listed
  try {
    return await store(context, seller, { fields, quote, unlisted, fingerprint, idempotencyKey, upload })
  } catch (error) {
    const resubmitted = isUniqueViolation(error, 'gift_cards_resubmission_of')
    if (!resubmitted && !isUniqueViolation(error, 'gift_cards_idempotency_key') && !isSaleFull(error))
      throw error
    // The same request may have been sent twice at once, and the other one was first.
    const first = await findEarlier(context, seller, idempotencyKey, fingerprint)
    if (first) return first
    throw resubmitted
      ? refusedFields('taken', [{ path: 'resubmissionOf', code: 'resubmitted_before' }])
      : error
  }
}

/** A saved payment method replaces all payment fields that were sent. */
async function withSavedMethod(
  context: Context,
  seller: Seller,
  sent: Upload['fields'],
): Promise<Upload['fields']> {
  const id = sent.paymentMethodId
  return id ? { ...sent, ...(await openPaymentMethod(context, seller, id)) } : sent
}

/** The seller's card that is submitted again. Its status is checked when it is locked. */
async function findResubmitted(
  { db }: Context,
  seller: Seller,
  id: string | undefined,
): Promise<SellerCardRow | undefined> {
  if (!id || !isUuid(id)) return undefined
  const [earlier] = await listSellerCards(db, { sellerId: seller.id, id })
  return earlier
}

/** A resubmission without a number gets the numbers of the rejected card. */
function withEarlierNumbers(keys: KeyRing, earlier: SellerCardRow, sent: Upload['fields']): Upload['fields'] {
  if (sent.cardNumber?.trim() || !keepsNumbers(earlier)) return sent
  const { cardNumber = '', securityCode = '' } = openSecrets(keys, earlier.card, [
    'cardNumber',
    'securityCode',
  ])
  const kept = { cardNumber, securityCode, expirationDate: earlier.card.expirationDate ?? '' }
  const typed = Object.entries(sent).filter(([, value]) => value.trim() !== '')
  return { ...sent, ...kept, ...Object.fromEntries(typed) }
}

/**
 * Whether a photo differs from all of the rejected card. The form sends photos back as we stored them, and a file that is
 * chosen again becomes the same bytes again. Likeness cannot tell: a sharp photo taken from the same place has the same one.
 */
async function hasNewPhoto(
  context: Context,
  seller: Seller,
  { photoNames }: SellerCardRow,
  { photos }: Upload,
): Promise<boolean> {
  const known = new Set<string>()
  for (const name of photoNames) {
    // A lost photo cannot be sent again either.
    const photo = await readPhoto(context, seller, `${name}.jpg`, 'full').catch(() => undefined)
    if (photo) known.add(digestOf(photo.bytes))
  }
  return photos.some(({ digest, image }) => !known.has(digest) && !known.has(digestOf(image)))
}

function enteredAccount(fields: SubmissionFields): EnteredAccount {
  const { paymentType: type } = fields
  const path = type === 'bank_transfer' ? 'paymentAccountNumber' : 'paymentAccountInfo'
  return { type, info: accountInfoOf(fields), path }
}

interface Accepted {
  readonly fields: SubmissionFields
  readonly quote: Quote
  /** The brand is not in the catalog. */
  readonly unlisted: boolean
  readonly fingerprint: Buffer
  readonly idempotencyKey: string | undefined
  readonly upload: Upload
}

async function store(context: Context, seller: Seller, accepted: Accepted): Promise<Submitted> {
  const now = await readClock(context.db)
  const at = new Date(now())
  // By the database's clock, because lists are ordered by id and several servers make them.
  const id = uuidv7({ msecs: at.getTime() })
  const dataKey = newDataKey()
  const card = toCardRow(context.keys, seller, { id, at, dataKey, ...accepted })
  const storing = storePhotos(context, dataKey, { giftCardId: id }, accepted.upload.photos)
  const photos = await storing.finally(() => dataKey.fill(0))
  try {
    return await writeRows(context, seller, card, { photos, saleCards: accepted.fields.saleCards })
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
    // What is stored as it was sent. What follows replaces the rest, such as the secrets.
    ...fields,
    id,
    sellerId: seller.id,
    brand: quote.brand.value,
    brandName: quote.brand.name,
    unlistedBrand: unlisted,
    denomination: quote.faceValue,
    sellingPrice: quote.pays,
    quotedPrice: quote.pays,
    discountPercentage: quote.discount,
    dataKey: wrapKey(keys, dataKey, dataKeyContext(id)),
    ...sealSecrets(keys, dataKey, id, fields),
    idempotencyKey: idempotencyKey ?? null,
    fingerprint,
    createdAt: at,
    updatedAt: at,
  } satisfies typeof giftCards.$inferInsert
}

async function writeRows(
  context: Context,
  seller: Seller,
  card: ReturnType<typeof toCardRow>,
  { photos, saleCards }: { photos: readonly PhotoRow[]; saleCards: number | undefined },
): Promise<Submitted> {
  return transaction(context.db, async (tx) => {
    await lockMaySubmit(tx, seller.id)
    if (card.resubmissionOf !== undefined) await requireRejected(tx, seller, card.resubmissionOf)
    const place = card.saleId === undefined ? undefined : await joinSale(tx, seller, card.saleId)
    await tx.insert(giftCards).values({ ...card, salePosition: place?.position ?? null })
    await insertPhotos(tx, photos)
    await tx.insert(transactions).values({
      id: uuidv7({ msecs: card.createdAt.getTime() }),
      giftCardId: card.id,
      sellerId: seller.id,
      amount: card.sellingPrice,
      createdAt: card.createdAt,
    })
    await insertHistory(tx, {
      giftCardId: card.id,
      version: 1,
      fromStatus: null,
      toStatus: 'pending',
      byKind: 'seller',
      byId: seller.id,
      at: card.createdAt,
    })
    const isAsked = await askBalance(tx, card.id)
    if (place) await sendReceiptLater(tx, place, saleCards)
    else await sendReceipt(tx, card.id, isAsked)
    await pushSubmission(tx, seller, card)
    return { ...(await readResult(tx, context, seller, card.id)), created: true }
  })
}

/** Locks the earlier submission, so that it is not appealed at the same time. */
async function requireRejected(tx: Transaction, seller: Seller, id: string): Promise<void> {
  const earlier = await lockCard(tx, id, seller.id)
  if (earlier?.status !== 'rejected') {
    throw invalid([{ path: 'resubmissionOf', code: 'resubmission_unknown' }])
  }
}

function pushSubmission(
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

/** Throws `submission_cleared` if staff removed it. */
async function readResult(db: Executor, context: Context, seller: Seller, id: string) {
  const [giftCard] = await listSellerCards(db, { sellerId: seller.id, id })
  const [row] = await listTransactions(db, { sellerId: seller.id, id })
  if (!giftCard || !row) throw new Refusal('submission_cleared', 'refusals.submission_cleared')
  const t = context.words[seller.locale]
  return { transaction: toTransaction(row, context, t), giftCard: toSellerSubmission(giftCard, context, t) }
}

async function findEarlier(
  context: Context,
  seller: Seller,
  idempotencyKey: string | undefined,
  fingerprint: Buffer,
): Promise<Submitted | undefined> {
  if (idempotencyKey === undefined) return undefined
  const [earlier] = await context.db
    .select({ id: giftCards.id, fingerprint: giftCards.fingerprint })
    .from(giftCards)
    .where(and(eq(giftCards.sellerId, seller.id), eq(giftCards.idempotencyKey, idempotencyKey)))
  if (!earlier) return undefined
  const result = await readResult(context.db, context, seller, earlier.id)
  if (!timingSafeEqual(earlier.fingerprint, fingerprint)) {
    throw new Refusal('key_reused', 'refusals.key_reused')
  }
  return { ...result, created: false }
}

/** Leaves out `saleCards`, which can change before a card is sent again. */
const fieldNames = Object.keys(submissionFields.omit({ saleCards: true }).shape).sort()

/** Equal for equal requests. Keyed, because it is made from a card number. */
function fingerprintOf(keys: KeyRing, { fields, photos }: Upload): Buffer {
  const named = fieldNames.flatMap((name) => (fields[name] ? [[name, fields[name]]] : []))
  const content = JSON.stringify([named, photos.map(({ digest }) => digest)])
  return createHmac('sha256', keys.index).update(`submission ${content}`).digest()
}
