import { expirationRequired } from '#domain/card.ts'
import { toDecimal } from '#domain/money.ts'
import { brandToSell, quote } from '#domain/quote.ts'
import { field, image, submit } from '#test/submissions.ts'
import { type Cast, taken } from '../cast.ts'
import { type SellerName, sellers } from '../people.ts'
import type { Sale, Step } from '../sales/sale.ts'
import { numberOf, photosOf, pinOf, receiptOf } from './card.ts'
import { DAY_MS, type Deed, HOUR_MS } from './deed.ts'

/** What is known of a submission once it was made. */
interface Made {
  id?: string
  transactionId?: string
}

/** What happens to a sale, up to what its seller thinks of it. */
export function deedsOf(sale: Sale, now: number): Deed[] {
  const made: Made = {}
  let at = now - sale.ago * DAY_MS
  const deeds: Deed[] = [{ at, run: (cast) => sell(cast, sale, made) }]
  for (const step of sale.steps ?? []) {
    at += step[0] * HOUR_MS
    deeds.push({
      at,
      run: (cast) => (step[1] === 'seller' ? bySeller(cast, sale, made, step) : byStaff(cast, made, step)),
    })
  }
  const { review } = sale
  if (review) deeds.push({ at: at + 2 * HOUR_MS, run: (cast) => praise(cast, sale, made, review) })
  return deeds
}

async function sell(cast: Cast, sale: Sale, made: Made): Promise<void> {
  const brand = brandToSell(sale.brand, await cast.catalogue())
  const offer = quote(brand, sale.value).quote
  if (!offer) throw new Error(`There is no quote for ${sale.brand} and ${sale.value}`)
  const fields = {
    brand: sale.brand,
    denomination: sale.value,
    sellingPrice: toDecimal(offer.pays),
    discountPercentage: toDecimal(offer.discount),
    cardNumber: numberOf(sale),
    securityCode: sale.digital ? '' : pinOf(sale),
    expirationDate: expirationRequired(sale.brand) ? '09/29' : '',
    cardFormat: sale.digital ? 'digital' : 'physical',
    cardCondition: sale.condition ?? 'brand_new',
    submissionNotes: sale.notes ?? '',
    ...payoutOf(sale.seller),
  }
  const answer = await taken(
    submit(await cast.seller(sale.seller), fields, { photos: await photosOf(sale, offer.brand) }),
  )
  made.id = answer.json.giftCard.id
  made.transactionId = answer.json.transaction.id
}

function payoutOf(name: SellerName) {
  const { payment, firstName, lastName } = sellers[name]
  const owner = { paymentType: payment.type, paymentAccountName: `${firstName} ${lastName}` }
  if (!('number' in payment)) return { ...owner, paymentAccountInfo: payment.account }
  const { account, number } = payment
  return { ...owner, paymentAccountInfo: '', paymentRoutingNumber: account, paymentAccountNumber: number }
}

async function byStaff(
  cast: Cast,
  { id }: Made,
  step: Exclude<Step, readonly [number, 'seller', ...unknown[]]>,
): Promise<void> {
  const [, name, status, reason] = step
  const reviewer = await cast.staff(name)
  const path = `/api/admin/submissions/${id}`
  await taken(reviewer.post(`${path}/claim`))
  // Whoever pays or refuses a card has looked at its number.
  if (status !== 'completed') await taken(reviewer.post(`${path}/reveal`))
  await taken(reviewer.patch(`${path}/status`, { status, ...(reason && { reason }) }))
  await taken(reviewer.delete(`${path}/claim`))
}

async function bySeller(
  cast: Cast,
  sale: Sale,
  { id }: Made,
  [, , deed, words = '']: Extract<Step, readonly [number, 'seller', ...unknown[]]>,
): Promise<void> {
  const seller = await cast.seller(sale.seller)
  const path = `/api/user/gift-cards/${id}`
  if (deed === 'withdraw') return void (await taken(seller.post(`${path}/withdraw`)))
  await taken(seller.upload(`${path}/answer`, [field('message', words), image(await receiptOf(sale))]))
}

async function praise(
  cast: Cast,
  { seller }: Sale,
  { transactionId }: Made,
  [rating, comment]: readonly [number, string?],
): Promise<void> {
  const body = { transactionId, rating, ...(comment && { comment }) }
  await taken((await cast.seller(seller)).post('/api/reviews', body))
}
