import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import type { SellerSubmission } from '#contract/submissions.ts'
import { toDecimal } from '#domain/money.ts'
import type { Context } from '#server/context.ts'
import { returnReasonOf } from '#server/features/books/payouts.ts'
import type { Seller } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import { bytesEntry, jsonEntry, type ZipEntry } from '#server/http/zip.ts'
import { payouts, photos } from '#server/platform/database/schema.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { readPhoto } from './photos.ts'
import { listOwnSubmissions, readOwnHistory, toTransaction } from './seller/actions.ts'
import { shownStates } from './seller/payout.ts'
import { listTransactions } from './seller/queries.ts'
import { readOwnReveals } from './seller/reveals.ts'

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
  submission: SellerSubmission,
): AsyncGenerator<ZipEntry> {
  const { id, brand, createdAt } = submission
  const folder = `submissions/${createdAt.slice(0, 10)}-${brand.replace(/[^\w-]+/g, '_')}-${id}`
  const stored = await listPhotos(context, id)
  const files = new Map(
    stored.map(({ name }, index) => [`/api/user/images/${name}.jpg`, `photo-${index + 1}.jpg`]),
  )
  const [transaction] = await listTransactions(context.db, { sellerId: seller.id, id })
  const everything = {
    submission,
    transaction: transaction && toTransaction(transaction, context, context.words[seller.locale]),
    payouts: await listPayouts(context, seller, id),
    history: await readOwnHistory(context, seller, id),
    revealed: await readOwnReveals(context, seller, id),
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
async function readOwnPhoto(context: Context, seller: Seller, address: string): Promise<Buffer | undefined> {
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
