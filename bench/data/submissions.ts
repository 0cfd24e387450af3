import { randomBytes } from 'node:crypto'
import { type Brand, brands, unlistedBrand } from '#domain/brands.ts'
import { cardConditions, cardFormats } from '#domain/card.ts'
import { type PaymentType, paymentTypesOn } from '#domain/payment-methods.ts'
import { quoteCents } from '#domain/quote.ts'
import type { Status } from '#domain/submission.ts'
import { dataKeyContext, reasonContext, sealSecrets } from '#server/features/submissions/secrets.ts'
import type { giftCards, transactions } from '#server/platform/database/schema.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, seal, wrapKey } from '#server/platform/vault/seal.ts'
import type { Random } from '#test/random.ts'
import { generateHistory, type HistoryRow } from './history.ts'
import { notes } from './names.ts'
import type { GeneratedSeller } from './people.ts'
import { idAt, type Timeline, timeOf } from './timeline.ts'

export interface GeneratedSubmission {
  readonly card: typeof giftCards.$inferInsert
  readonly transaction: typeof transactions.$inferInsert
  readonly history: readonly HistoryRow[]
}

/** In percent. */
const statusShares: readonly (readonly [Status, number])[] = [
  ['completed', 70],
  ['rejected', 12],
  ['pending', 10],
  ['processing', 5],
  ['failed', 3],
]
/** Popular brands first, each with fewer sales than the one before, then a few unlisted ones. */
const brandShares: readonly (readonly [Brand, number])[] = [
  ...[...brands].sort((a, b) => Number(b.popular) - Number(a.popular)),
  ...['corner_shop', 'book_barn', 'garden_world'].map(unlistedBrand),
].map((brand, rank) => [brand, 1 / (rank + 1) ** 0.9])

const ROUND_AMOUNTS = [2_500, 5_000, 10_000, 20_000, 25_000, 50_000, 100_000]
/** The share of cards that are submitted again. */
const REPEATED_SHARE = 0.01

export interface SubmissionOptions {
  readonly random: Random
  readonly timeline: Timeline
  readonly keys: KeyRing
  readonly staffIds: readonly string[]
  /** In the order of their registration. */
  readonly sellers: readonly GeneratedSeller[]
}

/** Submissions in the order of their creation, sealed like real ones. */
export function* generateSubmissions(
  count: number,
  options: SubmissionOptions,
): Generator<GeneratedSubmission> {
  const { random, timeline, sellers } = options
  let earlierNumber = random.digits(16)
  for (let index = 0; index < count; index++) {
    const createdAt = timeOf(timeline, index, count, random)
    const registered = Math.max(1, Math.floor(((index + 1) / count) * sellers.length))
    // Some sellers have many submissions.
    const seller = sellers[Math.floor(registered * random.number() ** 1.5)]
    if (!seller) throw new Error('There are no sellers')
    const cardNumber = random.chance(REPEATED_SHARE) ? earlierNumber : random.digits(16)
    if (random.chance(REPEATED_SHARE)) earlierNumber = cardNumber
    yield generateSubmission(options, { seller, createdAt, cardNumber })
  }
}

function generateSubmission(
  { random, timeline, keys, staffIds }: SubmissionOptions,
  { seller, createdAt, cardNumber }: { seller: GeneratedSeller; createdAt: number; cardNumber: string },
): GeneratedSubmission {
  const id = idAt(createdAt, random)
  const status = random.weighted(statusShares)
  const actors = { sellerId: seller.id, staffIds }
  const dataKey = newDataKey()
  const sealReason = (version: number, text: string) => seal(dataKey, text, reasonContext(id, version))
  const span = { createdAt, until: timeline.until }
  const history = generateHistory(id, status, span, actors, random, sealReason)
  const brand = random.weighted(brandShares)
  const terms = quoteFor(brand, random)
  const last = history.at(-1)
  const at = new Date(createdAt)
  const payment = paymentOf(seller, random)
  const fields = {
    brand: brand.value,
    denomination: terms.faceValue,
    sellingPrice: terms.pays,
    quotedPrice: terms.pays,
    discountPercentage: terms.discount,
    cardNumber,
    securityCode: random.chance(0.8) ? random.digits(4) : undefined,
    cardFormat: random.pick(cardFormats),
    cardCondition: random.pick(cardConditions),
    submissionNotes: random.chance(0.2) ? random.pick(notes) : undefined,
    ...payment,
  }
  const card = {
    id,
    sellerId: seller.id,
    brand: brand.value,
    brandName: brand.name,
    unlistedBrand: !brands.includes(brand),
    denomination: terms.faceValue,
    sellingPrice: terms.pays,
    quotedPrice: terms.pays,
    discountPercentage: terms.discount,
    dataKey: wrapKey(keys, dataKey, dataKeyContext(id)),
    ...sealSecrets(keys, dataKey, id, fields),
    expirationDate: null,
    cardFormat: fields.cardFormat,
    cardCondition: fields.cardCondition,
    submissionNotes: fields.submissionNotes ?? null,
    paymentType: payment.paymentType,
    paymentAccountName: payment.paymentAccountName,
    status,
    version: history.length,
    answered: status === 'pending' && history.length > 1,
    idempotencyKey: id,
    fingerprint: randomBytes(32),
    createdAt: at,
    updatedAt: last?.at ?? at,
  }
  const transaction = {
    id: idAt(createdAt, random),
    giftCardId: id,
    sellerId: seller.id,
    buyerId: status === 'completed' ? (last?.byId ?? null) : null,
    amount: terms.pays,
    createdAt: at,
  }
  return { card, transaction, history }
}

/** A quote for a random face value within the brand's limits, usually a round one. */
function quoteFor(brand: Brand, random: Random) {
  const round = ROUND_AMOUNTS.filter((cents) => cents >= brand.minimum && cents <= brand.maximum)
  const exact = () => random.integer(brand.minimum, Math.min(brand.maximum, brand.minimum * 8))
  const faceValue = round.length > 0 && random.chance(0.7) ? random.pick(round) : exact()
  const { quote, problem } = quoteCents(brand, faceValue)
  if (!quote) throw new Error(problem.code)
  return quote
}

/** The same payment method for all submissions of a seller. */
function paymentOf({ name, username, email }: GeneratedSeller, random: Random) {
  const types = paymentTypesOn('submission')
  const paymentType: PaymentType = types[username.length % types.length] ?? 'paypal'
  const bank = paymentType === 'bank_transfer'
  return {
    paymentType,
    paymentAccountName: name,
    paymentAccountInfo: bank ? undefined : email,
    paymentRoutingNumber: bank ? '021000021' : undefined,
    paymentAccountNumber: bank ? random.digits(10) : undefined,
  }
}
