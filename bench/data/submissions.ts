import { randomBytes } from 'node:crypto'
import { type Brand, brands, unlistedBrand } from '#domain/brands.ts'
import { cardConditions, cardFormats } from '#domain/card.ts'
import { isHeld, type StockState } from '#domain/inventory.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { quoteCents } from '#domain/quote.ts'
import { dataKeyContext, reasonContext, sealSecrets } from '#server/features/submissions/secrets.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, seal, wrapKey } from '#server/platform/vault/seal.ts'
import type { Random } from '#test/random.ts'
import { generateHistory } from './history.ts'
import { channels, notes } from './names.ts'
import type { SellerRow } from './people.ts'
import { DAY_MS, idAt, type Timeline, timeOf } from './timeline.ts'

/** What the rows are made of. */
export interface World {
  readonly random: Random
  readonly timeline: Timeline
  readonly keys: KeyRing
  readonly staffIds: readonly string[]
  /** In the order of their registration. */
  readonly sellers: readonly SellerRow[]
}

export type GeneratedSubmission = ReturnType<typeof generateSubmission>

/** Popular brands first, each with fewer sales than the one before, then a few unlisted ones. */
const brandShares: readonly (readonly [Brand, number])[] = [
  ...[...brands].sort((a, b) => Number(b.popular) - Number(a.popular)),
  ...['corner_shop', 'book_barn', 'garden_world'].map(unlistedBrand),
].map((brand, rank) => [brand, 1 / (rank + 1) ** 0.9])

const ROUND_AMOUNTS = [2_500, 5_000, 10_000, 20_000, 25_000, 50_000, 100_000]
/** The share of cards that are submitted again. */
const REPEATED_SHARE = 0.01

/** Submissions in the order of their creation, sealed like real ones. */
export function* generateSubmissions(count: number, world: World): Generator<GeneratedSubmission> {
  const { random, timeline, sellers } = world
  let earlierNumber = random.digits(16)
  for (let index = 0; index < count; index++) {
    const createdAt = timeOf(timeline, index, count, random)
    const registered = Math.max(1, Math.floor(((index + 1) / count) * sellers.length))
    // Some sellers have many submissions.
    const seller = sellers[Math.floor(registered * random.number() ** 1.5)]
    if (!seller) throw new Error('There are no sellers')
    const cardNumber = random.chance(REPEATED_SHARE) ? earlierNumber : random.digits(16)
    if (random.chance(REPEATED_SHARE)) earlierNumber = cardNumber
    yield generateSubmission(world, { seller, createdAt, cardNumber })
  }
}

function generateSubmission(
  { random, timeline: { until }, keys, staffIds }: World,
  { seller, createdAt, cardNumber }: { seller: SellerRow; createdAt: number; cardNumber: string },
) {
  const id = idAt(createdAt, random)
  const sellerId = seller.id
  const dataKey = newDataKey()
  const sealReason = (version: number, text: string) => seal(dataKey, text, reasonContext(id, version))
  const options = { giftCardId: id, sellerId, staffIds, createdAt, until, random, sealReason }
  const history = generateHistory(options)
  const { toStatus: status, byId, at: updatedAt } = history.at(-1) ?? history[0]
  const brand = random.weighted(brandShares)
  const { faceValue, pays, discount } = quoteFor(brand, random)
  const at = new Date(createdAt)
  const payment = paymentOf(seller, random)
  const bought = { giftCardId: id, sellerId, brand: brand.value, cost: pays, enteredAt: updatedAt }
  const item =
    status === 'completed' ? { ...bought, ...soldOrHeld(updatedAt, faceValue, { random, until }) } : undefined
  const securityCode = random.chance(0.8) ? random.digits(4) : undefined
  const card = {
    id,
    sellerId,
    brand: brand.value,
    brandName: brand.name,
    unlistedBrand: !brands.includes(brand),
    denomination: faceValue,
    sellingPrice: pays,
    quotedPrice: pays,
    discountPercentage: discount,
    dataKey: wrapKey(keys, dataKey, dataKeyContext(id)),
    ...sealSecrets(keys, dataKey, id, { cardNumber, securityCode, ...payment }),
    cardFormat: random.pick(cardFormats),
    cardCondition: random.pick(cardConditions),
    submissionNotes: random.chance(0.2) ? random.pick(notes) : null,
    paymentType: payment.paymentType,
    paymentAccountName: payment.paymentAccountName,
    status,
    version: history.length,
    answered: status === 'pending' && history.length > 1,
    idempotencyKey: id,
    fingerprint: randomBytes(32),
    createdAt: at,
    updatedAt,
    releasedAt: item?.leftAt ?? null,
  }
  const buyerId = status === 'completed' ? (byId ?? null) : null
  const transaction = {
    id: idAt(createdAt, random),
    giftCardId: id,
    sellerId,
    buyerId,
    amount: pays,
    createdAt: at,
  }
  return { card, transaction, history, item }
}

/** What becomes of a bought card in its first month, and later, with weights. */
const newStock: readonly (readonly [StockState, number])[] = [
  ['in_stock', 50],
  ['listed', 30],
  ['sold', 20],
]
const oldStock: readonly (readonly [StockState, number])[] = [
  ['sold', 80],
  ['used', 3],
  ['bad', 2],
  ['listed', 8],
  ['in_stock', 7],
]
const MONTH_MS = 30 * DAY_MS

/** The state of a card in the inventory. Buyers pay 96 % of its value. */
function soldOrHeld(boughtAt: Date, faceValue: number, { random, until }: { random: Random; until: number }) {
  const age = until - boughtAt.getTime()
  const state = random.weighted(age < MONTH_MS ? newStock : oldStock)
  const leftAt = isHeld(state)
    ? null
    : new Date(boughtAt.getTime() + random.number() * Math.min(age, MONTH_MS))
  const isSold = state === 'sold'
  return {
    state,
    channel: isSold || state === 'listed' ? random.pick(channels) : null,
    soldAt: isSold ? leftAt : null,
    proceeds: isSold ? Math.round(faceValue * 0.96) : null,
    leftAt,
  }
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

/** The same payment type for all submissions of a seller. */
function paymentOf({ firstName, lastName, username, email }: SellerRow, random: Random) {
  const types = paymentTypesOn('submission')
  const paymentType = types[username.length % types.length] ?? 'paypal'
  const isBank = paymentType === 'bank_transfer'
  return {
    paymentType,
    paymentAccountName: `${firstName} ${lastName}`,
    paymentAccountInfo: isBank ? undefined : email,
    paymentRoutingNumber: isBank ? '021000021' : undefined,
    paymentAccountNumber: isBank ? random.digits(10) : undefined,
  }
}
