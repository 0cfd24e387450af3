import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  historyEntry,
  type OwnSubmissionAnswer,
  sellerReveal,
  sellerSubmission,
  transaction,
} from '#contract/submissions.ts'
import { toDecimal, toDollars } from '#domain/money.ts'
import { openStatuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { returnReasonOf } from '#server/features/books/payouts.ts'
import type { Seller } from '#server/http/actor.ts'
import { Refusal, type RefusedField } from '#server/http/refusal.ts'
import { bytesEntry, jsonEntry, type ZipEntry } from '#server/http/zip.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import {
  balanceChecks,
  giftCards,
  holds,
  payouts,
  photos,
  policyDecisions,
  riskAcknowledgements,
  sales,
  statusHistory,
  transactions,
} from '#server/platform/database/schema.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { erasedSecrets } from './erase.ts'
import { deletePhotos, readPhoto } from './photos.ts'
import { type CardRow, notCleared } from './queries.ts'
import { resealCodes } from './secrets.ts'
import { listOwnSubmissions, readOwnHistory, toTransaction } from './selling/actions.ts'
import { latestPayout, shownStates } from './selling/payout.ts'
import { listTransactions } from './selling/queries.ts'
import { readOwnReveals } from './selling/reveals.ts'

const PAGE = 50

/** A folder per submission, newest first: what the seller sees of it, and its photos. Numbers stay masked. */
export async function* exportSubmissions(context: Context, seller: Seller): AsyncGenerator<ZipEntry> {
  let cursor: string | undefined
  do {
    const { rows } = await listOwnSubmissions(context, seller, { open: false, limit: PAGE, cursor })
    const page = rows.slice(0, PAGE)
    for (const submission of page) yield* exportSubmission(context, seller, submission)
    cursor = rows.length > PAGE ? page.at(-1)?.id : undefined
  } while (cursor !== undefined)
}

async function* exportSubmission(
  context: Context,
  seller: Seller,
  submission: OwnSubmissionAnswer,
): AsyncGenerator<ZipEntry> {
  const { id, brand, createdAt } = submission
  const folder = `submissions/${createdAt.toISOString().slice(0, 10)}-${brand.replace(/[^\w-]+/g, '_')}-${id}`
  const stored = await listPhotos(context, id)
  const files = new Map(
    stored.map(({ name }, index) => [`/api/user/images/${name}.jpg`, `photo-${index + 1}.jpg`]),
  )
  const [row] = await listTransactions(context.db, { sellerId: seller.id, id })
  const everything = {
    submission: z.encode(sellerSubmission, submission),
    transaction: row && z.encode(transaction, toTransaction(row, context, context.words[seller.locale])),
    payouts: await listPayouts(context, seller, id),
    history: z.encode(z.array(historyEntry), await readOwnHistory(context, seller, id)),
    revealed: z.encode(z.array(sellerReveal), await readOwnReveals(context, seller, id)),
  }
  yield jsonEntry(`${folder}/submission.json`, withFileNames(everything, files))
  for (const [address, file] of files) {
    const bytes = await readOwnPhoto(context, seller, address)
    if (bytes) yield bytesEntry(`${folder}/${file}`, bytes)
  }
}

/** Names photos by their files in the ZIP instead of their addresses. */
function withFileNames(value: object, files: ReadonlyMap<string, string>): unknown {
  const json = JSON.stringify(value, (_, part) =>
    typeof part === 'string' ? (files.get(part) ?? part) : part,
  )
  return JSON.parse(json)
}

function listPhotos({ db }: Context, giftCardId: string) {
  return db
    .select({ name: photos.name })
    .from(photos)
    .where(and(eq(photos.giftCardId, giftCardId), isNull(photos.balanceCheckId)))
    .orderBy(asc(photos.position))
}

/** Undefined if the photo is lost, which must not keep the seller from everything else. */
export async function readOwnPhoto(
  context: Context,
  seller: Seller,
  address: string,
): Promise<Buffer | undefined> {
  const name = address.slice(address.lastIndexOf('/') + 1)
  try {
    return (await readPhoto(context, seller, name, 'full')).bytes
  } catch (err) {
    if (!(err instanceof VaultError || err instanceof Refusal)) throw err
    context.log.error({ err, photo: name }, 'a photo is missing in the download of its seller')
    return undefined
  }
}

/** All payouts of a submission, as its seller sees them, newest first. */
async function listPayouts({ db, words }: Context, { locale }: Seller, giftCardId: string) {
  const rows = await db
    .select()
    .from(payouts)
    .where(eq(payouts.giftCardId, giftCardId))
    .orderBy(desc(payouts.number))
  return rows.map((payout) => ({
    number: payout.number,
    state: payout.state === 'void' ? 'void' : shownStates[payout.state],
    amount: toDecimal(payout.amount),
    deducted: toDecimal(payout.deducted),
    paymentType: payout.paymentType,
    account: payout.accountHint,
    reference: payout.reference,
    dueAt: payout.dueAt,
    sentAt: payout.sentAt,
    paidAt: payout.paidAt,
    returnedAt: payout.returnedAt,
    returnReason: returnReasonOf(words[locale], payout),
  }))
}

/** Locks all submissions of a seller. Call it before the account is locked: moves lock in this order too. */
export async function lockSubmissions(tx: Transaction, sellerId: string): Promise<void> {
  await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(eq(giftCards.sellerId, sellerId))
    .orderBy(asc(giftCards.id))
    .for('update')
}

/** Whether money moved, or may have, for a submission. */
const hasMoney = sql<boolean>`(
  exists (select from payouts where gift_card_id = gift_cards.id)
  or exists (select from inventory where gift_card_id = gift_cards.id)
  or exists (select from ledger_entries where gift_card_id = gift_cards.id)
)`

const isInStock = sql<boolean>`exists (
  select from inventory where gift_card_id = gift_cards.id and inventory.state in ('in_stock', 'listed')
)`

/**
 * Deletes the locked submissions of an account that is marked as deleted. Those with a payout stay, without anything that is
 * sealed or identifies the seller. Cards in stock keep number, PIN and expiration date under a new data key.
 * @returns the files of the photos, for `removeFiles` after the commit
 */
export async function deleteSubmissions(
  tx: Transaction,
  keys: KeyRing,
  sellerId: string,
): Promise<{ kept: number; files: string[] }> {
  const cards = await tx
    .select({ card: giftCards, hasMoney, isInStock })
    .from(giftCards)
    .where(eq(giftCards.sellerId, sellerId))
  const kept = cards.filter((row) => row.hasMoney)
  const gone = cards.filter((row) => !row.hasMoney).map(({ card }) => card.id)
  const files = await deletePhotos(
    tx,
    cards.map(({ card }) => card.id),
  )
  await deleteTexts(tx, sellerId)
  await tx
    .update(riskAcknowledgements)
    .set({ otherId: null })
    .where(inArray(riskAcknowledgements.otherId, gone))
  await tx.update(giftCards).set({ resubmissionOf: null }).where(inArray(giftCards.resubmissionOf, gone))
  for (const table of [balanceChecks, policyDecisions, statusHistory, transactions]) {
    await tx.delete(table).where(inArray(table.giftCardId, gone))
  }
  await tx.delete(giftCards).where(inArray(giftCards.id, gone))
  await tx
    .delete(sales)
    .where(sql`seller_id = ${sellerId} and not exists (select from gift_cards where sale_id = sales.id)`)
  for (const { card, isInStock } of kept) await anonymizeCard(tx, keys, card, isInStock)
  return { kept: kept.length, files }
}

/** Texts of sellers and staff about the submissions, and what was only needed while they were open. */
async function deleteTexts(tx: Transaction, sellerId: string): Promise<void> {
  const own = sql`(select id from gift_cards where seller_id = ${sellerId})`
  await tx.execute(sql`delete from risk_acknowledgements where gift_card_id in ${own}`)
  await tx.execute(sql`delete from balance_requests where gift_card_id in ${own}`)
  await tx.execute(sql`delete from claims where gift_card_id in ${own}`)
  await tx.execute(sql`delete from cart_items where gift_card_id in ${own}`)
  await tx.execute(sql`delete from notes where user_id = ${sellerId}`)
  await tx.execute(sql`delete from holds where user_id = ${sellerId} or gift_card_id in ${own}`)
  await tx.execute(sql`update balance_checks set sealed_note = null where gift_card_id in ${own}`)
  await tx.execute(sql`
    update payout_results set sealed_correction = null
    where payout_id in (select id from payouts where seller_id = ${sellerId})`)
  await tx.execute(
    sql`update payouts set account_hint = '', return_reason = null where seller_id = ${sellerId}`,
  )
  await tx.execute(sql`
    update status_history set reason = null, sealed_reason = null
    where gift_card_id in ${own} and (reason is not null or sealed_reason is not null)`)
}

async function anonymizeCard(tx: Transaction, keys: KeyRing, card: CardRow, inStock: boolean): Promise<void> {
  const codes = inStock && card.dataKey ? resealCodes(keys, card) : undefined
  await tx
    .update(giftCards)
    .set({
      ...erasedSecrets,
      ...(codes
        ? { ...codes, expirationDate: card.expirationDate }
        : { secretsErasedAt: sql`coalesce(secrets_erased_at, now())` }),
      submissionNotes: null,
      paymentAccountName: '',
      paymentAccountIndex: null,
      paymentAccountHint: '',
      paymentRoutingHint: null,
      paymentAccountNumberHint: null,
      idempotencyKey: null,
      fingerprint: Buffer.alloc(0),
    })
    .where(eq(giftCards.id, card.id))
}

/** What must end before the account can be deleted. */
export async function findOpenSubmissions(tx: Transaction, sellerId: string): Promise<RefusedField[]> {
  const { id, brandName, sellingPrice, status } = giftCards
  const rows = await tx
    .select({ id, brandName, sellingPrice, status, payout: latestPayout })
    .from(giftCards)
    .where(and(eq(giftCards.sellerId, sellerId), notCleared, inArray(status, [...openStatuses])))
    .orderBy(desc(id))
    .limit(MAX_LISTED)
  return rows.map(({ id, brandName, sellingPrice, status, payout }) => ({
    path: id,
    code:
      status !== 'processing'
        ? 'open_submission'
        : payout?.state === 'returned'
          ? 'open_returned'
          : 'open_payout',
    params: { brand: brandName, amount: toDollars(sellingPrice) },
  }))
}

const MAX_LISTED = 50

/** Whether a hold keeps the seller or one of their submissions. */
export async function hasHold(tx: Transaction, sellerId: string): Promise<boolean> {
  const own = sql`(${holds.userId} = ${sellerId} or ${holds.giftCardId} in (select id from gift_cards where seller_id = ${sellerId}))`
  return (await tx.$count(holds, and(isNull(holds.liftedAt), own))) > 0
}

export { removeFiles } from './photos.ts'
