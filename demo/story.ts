import type { Brand } from '#domain/brands.ts'
import { photosRequired } from '#domain/card.ts'
import { toDecimal } from '#domain/money.ts'
import { brandToSell, quote } from '#domain/quote.ts'
import { field, image, submit } from '#test/submissions.ts'
import { type Cast, taken } from './cast.ts'
import { drawBack, drawFront } from './draw-card.ts'
import { emailOf, type SellerName, type StaffName, sellers } from './people.ts'
import { type Sale, type Step, sales } from './sales.ts'
import { type SellerTalk, savedReplies, talks, type VisitorTalk } from './talk.ts'

/** Something somebody does, at a moment in milliseconds. */
export interface Deed {
  readonly at: number
  readonly run: (cast: Cast) => Promise<void>
}

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * What happens in the weeks before a moment, in its order.
 * @param cards so many of the newest sales, with whoever has a part in them; all of them unless given
 */
export function story(now: number, cards = sales.length): Deed[] {
  const told = sales.slice(-cards)
  const conversations = cards < sales.length ? talks.slice(-2) : talks
  const names = [...told, ...conversations].flatMap((part) => ('seller' in part ? [part.seller] : []))
  const deeds = [
    ...[...new Set<SellerName>(['grace', ...names])].flatMap((name) => arrival(name, now)),
    ...told.flatMap((sale) => deedsOf(sale, now)),
    ...conversations.flatMap((talk) => conversation(talk, now)),
    ...chores(now),
  ]
  return deeds.sort((one, other) => one.at - other.at)
}

function arrival(name: SellerName, now: number): Deed[] {
  const { registered, payment, ...person } = sellers[name]
  const at = now - registered * DAY_MS
  const owner = { accountName: `${person.firstName} ${person.lastName}` }
  const { type, account } = payment
  const method =
    'number' in payment
      ? { type, ...owner, routingNumber: account, accountNumber: payment.number }
      : { type, ...owner, accountInfo: account }
  const saved = type === 'apple_pay' || type === 'google_pay' ? [] : [method]
  return [
    { at, run: (cast) => cast.register(name) },
    ...saved.map((body) => ({
      at: at + 4 * MINUTE_MS,
      run: async (cast: Cast) =>
        void (await taken((await cast.seller(name)).post('/api/payment-methods', body))),
    })),
  ]
}

/** What is known of a submission once it was made. */
interface Made {
  id?: string
  transactionId?: string
}

function deedsOf(sale: Sale, now: number): Deed[] {
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
    expirationDate: /^(visa|mastercard)$/.test(sale.brand) ? '09/29' : '',
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

function photosOf(sale: Sale, { name }: Brand): Promise<Buffer[]> {
  const card = {
    brandName: name,
    number: numberOf(sale),
    pin: pinOf(sale),
    seed: sales.indexOf(sale) * 7 + 3,
  }
  const format = sale.digital ? 'digital' : 'physical'
  const back = photosRequired(sale.brand, format) === 2
  return Promise.all([drawFront(card), ...(back ? [drawBack(card)] : [])])
}

/** A number like a card's, which is none: no issuer's begins with these digits. */
function numberOf(sale: Sale): string {
  const index = sale.sameCardAs ?? sales.indexOf(sale)
  const digits = `0000${String(10_000_000 + index * 738_211)}${String(4071 + index * 97)}`
  return digits.match(/\d{4}/g)?.join(' ') ?? digits
}

const pinOf = (sale: Sale): string => String(2310 + (sale.sameCardAs ?? sales.indexOf(sale)) * 61)

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
  const card = {
    brandName: 'Receipt',
    number: numberOf(sale),
    pin: pinOf(sale),
    seed: sales.indexOf(sale) * 7 + 5,
  }
  await taken(seller.upload(`${path}/answer`, [field('message', words), image(await drawBack(card))]))
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

function conversation(talk: SellerTalk | VisitorTalk, now: number): Deed[] {
  const customer = 'seller' in talk ? sellerSide(talk) : visitorSide(talk)
  let at = now - talk.ago * DAY_MS
  const deeds: Deed[] = talk.messages.map(([minutes, by, message]) => {
    at += minutes * MINUTE_MS
    const run = async (cast: Cast) =>
      by === 'customer'
        ? customer.write(cast, message)
        : reply(cast, by, await customer.thread(cast), message)
    return { at, run }
  })
  if (talk.ago < 1) return deeds
  // Thanks are read too.
  const read = async (cast: Cast) => markRead(cast, 'maya', await customer.thread(cast))
  return [...deeds, { at: at + HOUR_MS, run: read }]
}

type ThreadName = { userId: string } | { sessionId: string }

async function reply(cast: Cast, by: StaffName, thread: ThreadName, message: string): Promise<void> {
  await markRead(cast, by, thread)
  const path = 'userId' in thread ? '/api/admin/chat/reply' : '/api/admin/contact/reply'
  await taken((await cast.staff(by)).post(path, { ...thread, message }))
}

async function markRead(cast: Cast, by: StaffName, thread: ThreadName): Promise<void> {
  await taken((await cast.staff(by)).post('/api/admin/chat/mark-read', thread))
}

function sellerSide({ seller }: SellerTalk) {
  return {
    write: async (cast: Cast, message: string) => {
      const person = await cast.seller(seller)
      await taken(person.post('/api/chat/messages', { message }))
      await taken(person.post('/api/chat/mark-read'))
    },
    thread: async (cast: Cast): Promise<ThreadName> => ({ userId: (await cast.seller(seller)).id }),
  }
}

function visitorSide({ visitor }: VisitorTalk) {
  let sessionId = ''
  return {
    write: async (cast: Cast, message: string) => {
      const browser = cast.visitor()
      if (sessionId) return void (await taken(browser.post('/api/contact/message', { sessionId, message })))
      const form = { ...visitor, email: emailOf(visitor), message }
      sessionId = (await taken(browser.post('/api/contact', form))).json.sessionId
    },
    thread: async (): Promise<ThreadName> => ({ sessionId }),
  }
}

/** What else staff do, so that the audit log has more than moves. */
function chores(now: number): Deed[] {
  const by = (
    name: StaffName,
    ago: number,
    work: (reviewer: Awaited<ReturnType<Cast['staff']>>) => Promise<unknown>,
  ): Deed => ({
    at: now - ago * DAY_MS,
    run: async (cast) => void (await work(await cast.staff(name))),
  })
  return [
    ...savedReplies.map((saved, index) =>
      by(index % 2 === 0 ? 'maya' : 'jonas', 35 - index * 6, (reviewer) =>
        taken(reviewer.post('/api/admin/saved-replies', saved)),
      ),
    ),
    by('admin', 24, (reviewer) => taken(reviewer.patch('/api/admin/brands/etsy', { rate: '87.00' }))),
    by('admin', 10, (reviewer) =>
      taken(
        reviewer.post('/api/admin/brands', {
          value: 'trader_joes',
          name: "Trader Joe's",
          category: 'Grocery',
          rate: '86.00',
          minAmount: '25.00',
          maxAmount: '300.00',
        }),
      ),
    ),
    by('maya', 7, (reviewer) => taken(reviewer.get('/api/admin/transactions.csv'))),
    // Somebody mistypes; the log has that too.
    {
      at: now - 6 * DAY_MS,
      run: async (cast) => {
        await cast.visitor().post('/api/admin/login', { username: 'jonas', password: 'not the one today' })
      },
    },
  ]
}
