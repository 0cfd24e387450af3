import type { APIRequestContext, Browser } from '@playwright/test'
import { drawFront } from '#demo/draw-card.ts'
import { ADMIN_PASSWORD, type NewSeller, newSeller } from '../people.ts'
import { amazonCard, photo } from '../submissions.ts'
import { longMessages, longMethod, longNames, longSubmissions, usualMethods } from './at-length.ts'

/** The data behind the pictures: a seller with submissions in every status, and messages. */
export interface Scene {
  readonly seller: NewSeller
  readonly newcomer: NewSeller
  readonly longwinded: NewSeller
  /** Has sold two hundred cards, but only if a picture needs them, because submitting them takes a while. */
  readonly busy: NewSeller
  readonly contactSession: string
  readonly sellerId: string
  /** A pending submission. */
  readonly pendingCard: string
  /** A submission whose seller has answered a question. */
  readonly answeredCard: string
}

const CARDS = [
  ['amazon', '100', '93.00', 'Amazon'],
  ['steam', '50', '44.00', 'Steam'],
  ['target', '250', '227.50', 'Target'],
  ['starbucks', '100', '89.00', 'Starbucks'],
  ['best_buy', '75', '67.50', 'Best Buy'],
  ['itunes', '50', '45.50', 'Apple iTunes'],
  ['corner_shop', '40', '34.00', 'Corner Shop'],
] as const

/** The moves by staff that bring each card, in order, to its status in the picture. */
const MOVES: readonly (readonly [string, string?][])[] = [
  [['processing'], ['completed']],
  [['processing']],
  [['rejected', 'The balance on the card is lower than the value you entered.']],
  [['under_review', 'Could you send a photo of the receipt? We want to be sure it was bought in the US.']],
  [['processing'], ['failed', 'payout_refused']],
  [],
  [],
]

const MANY = 200

/** @param withMany whether the busy seller has sold anything */
export async function setScene(browser: Browser, site: string, withMany: boolean): Promise<Scene> {
  const customer = await browser.newContext({ baseURL: site })
  const staff = await browser.newContext({ baseURL: site })
  const seller = newSeller()
  await post(customer.request, '/api/auth/register', seller)
  await post(staff.request, '/api/admin/login', { username: 'admin', password: ADMIN_PASSWORD })
  const { id: sellerId } = (await (await customer.request.get('/api/auth/me')).json()).user
  let pendingCard = ''
  for (const [index, card] of CARDS.entries()) {
    const id = await sell(customer.request, seller, card, index)
    for (const [status, reason] of MOVES[index] ?? []) {
      await staff.request.patch(`/api/admin/submissions/${id}/status`, { data: { status, reason } })
    }
    pendingCard = id
  }
  const answeredCard = await sell(customer.request, seller, CARDS[1], CARDS.length)
  const question = { status: 'under_review', reason: 'Please send a photo of the back of the card.' }
  await staff.request.patch(`/api/admin/submissions/${answeredCard}/status`, { data: question })
  const answer = new FormData()
  answer.append('message', 'Here is the back. The code is scratched free on the right.')
  answer.append('images', new File([new Uint8Array(await photo())], 'back.jpg', { type: 'image/jpeg' }))
  const answered = await customer.request.post(`/api/user/gift-cards/${answeredCard}/answer`, {
    multipart: answer,
  })
  if (!answered.ok()) throw new Error(await answered.text())
  const busy = newSeller()
  await post(customer.request, '/api/auth/register', busy)
  if (withMany) await sellMany(customer.request, staff.request)
  const newcomer = newSeller()
  await post(customer.request, '/api/auth/register', newcomer)
  const longwinded = { ...newSeller(), ...longNames }
  await post(customer.request, '/api/auth/register', longwinded)
  for (const fields of longSubmissions) await submit(customer.request, fields, await photo())
  await post(customer.request, '/api/payment-methods', longMethod)
  for (const method of usualMethods) await post(customer.request, '/api/payment-methods', method)
  for (const message of longMessages) await post(customer.request, '/api/chat/messages', { message })
  const contact = await post(customer.request, '/api/contact', {
    firstName: 'Tom',
    lastName: 'Baker',
    email: 'tom@example.com',
    subject: 'When will I be paid?',
    message: 'I sent a card this morning and wonder when the money comes.',
  })
  const { id: userId } = (await (await customer.request.get('/api/auth/me')).json()).user
  for (const [path, whose] of [
    ['chat', { userId }],
    ['contact', { sessionId: contact.sessionId }],
  ] as const) {
    const message = 'It went out this morning. Your bank may take until tomorrow to show it.'
    await post(staff.request, `/api/admin/${path}/reply`, { ...whose, message })
  }
  await customer.close()
  await staff.close()
  return {
    pendingCard,
    answeredCard,
    sellerId,
    seller,
    newcomer,
    longwinded,
    busy,
    contactSession: contact.sessionId,
  }
}

async function sell(
  request: APIRequestContext,
  seller: NewSeller,
  [brand, denomination, sellingPrice, brandName]: (typeof CARDS)[number],
  index: number,
): Promise<string> {
  const fields = {
    brand,
    denomination,
    sellingPrice,
    discountPercentage: '7.00',
    cardNumber: `6006 4930 1234 56${10 + index}`,
    securityCode: '9876',
    cardFormat: 'physical',
    cardCondition: 'brand_new',
    submissionNotes: index === 1 ? 'A birthday present from my aunt, never used.' : '',
    paymentType: 'paypal',
    paymentAccountName: `${seller.firstName} ${seller.lastName}`,
    paymentAccountInfo: seller.email,
  }
  const card = { brandName, number: fields.cardNumber, pin: fields.securityCode, seed: index * 7 + 3 }
  return submit(request, fields, await drawFront(card))
}

/** Two hundred cards of every kind and state, a few at a time. */
async function sellMany(seller: APIRequestContext, staff: APIRequestContext): Promise<void> {
  const image = await photo()
  for (let sold = 0; sold < MANY; sold += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => sellOne(sold + index)))
  }
  async function sellOne(index: number) {
    const [brand, denomination, sellingPrice] = CARDS[index % CARDS.length] ?? CARDS[0]
    const cardNumber = `6006 4930 1234 ${1000 + index}`
    const id = await submit(seller, { ...amazonCard, brand, denomination, sellingPrice, cardNumber }, image)
    for (const [status, reason] of MOVES[index % 5] ?? []) {
      await staff.patch(`/api/admin/submissions/${id}/status`, { data: { status, reason } })
    }
  }
}

async function submit(
  request: APIRequestContext,
  fields: Readonly<Record<string, string>>,
  bytes: Buffer,
): Promise<string> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('images', new File([new Uint8Array(bytes)], 'card.jpg', { type: 'image/jpeg' }))
  const answer = await request.post('/api/gift-cards', { multipart: form })
  if (!answer.ok()) throw new Error(await answer.text())
  return (await answer.json()).giftCard.id
}

async function post(request: APIRequestContext, path: string, data: object) {
  const answer = await request.post(path, { data })
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json()
}
