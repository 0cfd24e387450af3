import type { Brand } from '#domain/brands.ts'
import { expirationRequired, photosRequired } from '#domain/card.ts'
import { toDecimal } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { brandToSell, quote } from '#domain/quote.ts'
import { accepted } from '#test/person.ts'
import { field, image, submit } from '#test/submissions.ts'
import { type Browsers, DAY_MS, type DemoEvent, HOUR_MS } from './browsers.ts'
import { drawBack, drawFront } from './draw-card.ts'
import { paymentOf, type SellerName, sellers } from './people.ts'
import { sales } from './sales/all.ts'
import type { Sale, Step } from './sales/sale.ts'

/** The ids of a submission, set when it is created. */
interface Ids {
  id?: string
  transactionId?: string
}

/** A submission, its moves and its review. */
export function saleEvents(sale: Sale, now: number): DemoEvent[] {
  const ids: Ids = {}
  let at = now - sale.daysAgo * DAY_MS
  const events: DemoEvent[] = [{ at, run: (browsers) => sell(browsers, sale, ids) }]
  for (const step of sale.steps ?? []) {
    at += step[0] * HOUR_MS
    events.push({
      at,
      run: (browsers) =>
        step[1] === 'seller' ? bySeller(browsers, sale, ids, step) : byStaff(browsers, sale, ids, step),
    })
  }
  const { review: given } = sale
  if (given) events.push({ at: at + 2 * HOUR_MS, run: (browsers) => review(browsers, sale, ids, given) })
  return events
}

async function sell(browsers: Browsers, sale: Sale, ids: Ids): Promise<void> {
  const brand = brandToSell(sale.brand, await browsers.catalog())
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
    saleId: sale.saleId ?? '',
    ...payoutOf(sale.seller, browsers.payoutMethods),
  }
  const answer = await accepted(
    submit(await browsers.seller(sale.seller), fields, { photos: await photosOf(sale, offer.brand) }),
  )
  ids.id = answer.json.giftCard.id
  ids.transactionId = answer.json.transaction.id
}

function payoutOf(name: SellerName, offered: readonly PaymentType[]) {
  const { firstName, lastName } = sellers[name]
  const { type, account, number, accountType = 'checking' } = paymentOf(name, offered)
  const owner = { paymentType: type, paymentAccountName: `${firstName} ${lastName}` }
  if (!number) return { ...owner, paymentAccountInfo: account }
  const bank = {
    paymentRoutingNumber: account,
    paymentAccountNumber: number,
    paymentAccountType: accountType,
  }
  return { ...owner, paymentAccountInfo: '', ...bank }
}

async function byStaff(
  browsers: Browsers,
  sale: Sale,
  { id }: Ids,
  step: Exclude<Step, readonly [number, 'seller', ...unknown[]]>,
): Promise<void> {
  const [, name, status, reason, amount] = step
  const reviewer = await browsers.staff(name)
  const path = `/api/admin/submissions/${id}`
  if (status === 'check')
    return void (await accepted(reviewer.post(`${path}/balance-checks`, { source: reason, amount })))
  if (status === 'hold') {
    const seller = await browsers.seller(sale.seller)
    return void (await accepted(
      reviewer.patch(`/api/admin/seller?id=${seller.id}`, { state: 'held', reason }),
    ))
  }
  await accepted(reviewer.post(`${path}/claim`))
  // Reviewers look at the number before they decide.
  if (status !== 'completed') await accepted(reviewer.post(`${path}/reveal`))
  await accepted(reviewer.patch(`${path}/status`, { status, reason, amount }))
  await accepted(reviewer.delete(`${path}/claim`))
}

async function bySeller(
  browsers: Browsers,
  sale: Sale,
  { id }: Ids,
  [, , action, text = '']: Extract<Step, readonly [number, 'seller', ...unknown[]]>,
): Promise<void> {
  const seller = await browsers.seller(sale.seller)
  const path = `/api/user/gift-cards/${id}`
  if (action === 'withdraw' || action === 'decline')
    return void (await accepted(seller.post(`${path}/${action}`)))
  if (action === 'accept') return void (await accepted(seller.post(`${path}/accept`, { amount: text })))
  const parts = [field('message', text), image(await receiptOf(sale))]
  await accepted(seller.upload(`${path}/${action}`, parts))
}

async function review(
  browsers: Browsers,
  { seller }: Sale,
  { transactionId }: Ids,
  [rating, comment]: readonly [number, string?],
): Promise<void> {
  const body = { transactionId, rating, ...(comment && { comment }) }
  await accepted((await browsers.seller(seller)).post('/api/reviews', body))
}

/** As many photos as the brand requires. */
function photosOf(sale: Sale, { name }: Brand): Promise<Buffer[]> {
  const card = drawingOf(sale, name, 3)
  const back = photosRequired(sale.brand, sale.digital ? 'digital' : 'physical') === 2
  return Promise.all([drawFront(card), ...(back ? [drawBack(card)] : [])])
}

/** The photo that a seller sends with an answer. */
function receiptOf(sale: Sale): Promise<Buffer> {
  return drawBack(drawingOf(sale, 'Receipt', 5))
}

function drawingOf(sale: Sale, brandName: string, seed: number) {
  return { brandName, number: numberOf(sale), pin: pinOf(sale), seed: sales.indexOf(sale) * 7 + seed }
}

/** Looks like a card number, but no issuer's start with these digits. */
function numberOf(sale: Sale): string {
  const index = cardIndexOf(sale)
  const digits = `0000${String(10_000_000 + index * 738_211)}${String(4071 + index * 97)}`
  return digits.match(/\d{4}/g)?.join(' ') ?? digits
}

function pinOf(sale: Sale): string {
  return String(2310 + cardIndexOf(sale) * 61)
}

function cardIndexOf(sale: Sale): number {
  return sale.sameCardAs ?? sales.indexOf(sale)
}
