import { drawFront } from '#demo/draw-card.ts'
import { type NewSeller, newSeller } from '../people.ts'
import { accepted, Person } from '../person.ts'
import { remote } from '../remote.ts'
import { registered, signedInStaff } from '../signed-in.ts'
import { amazonCard, field, image, photo, submitted } from '../submissions.ts'
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
  [['processing'], ['failed', 'payout_name_mismatch']],
  [],
  [],
]

const MANY = 200

/** @param withMany whether the busy seller has sold anything */
export async function setScene(site: string, withMany: boolean): Promise<Scene> {
  const [customer, staff] = [new Person(remote(site)), await signedInStaff(new Person(remote(site)))]
  const seller = newSeller()
  await registered(customer, seller)
  const sellerId = customer.id
  let pendingCard = ''
  for (const [index, card] of CARDS.entries()) {
    pendingCard = await sell(customer, seller, card, index)
    await moveBy(staff, pendingCard, MOVES[index])
  }
  const answeredCard = await sell(customer, seller, CARDS[1], CARDS.length)
  await moveBy(staff, answeredCard, [['under_review', 'Please send a photo of the back of the card.']])
  const answer = field('message', 'Here is the back. The code is scratched free on the right.')
  await accepted(
    customer.upload(`/api/user/gift-cards/${answeredCard}/answer`, [
      answer,
      image(await photo(), 'back.jpg'),
    ]),
  )
  const busy = newSeller()
  await registered(customer, busy)
  if (withMany) await sellMany(customer, staff)
  const newcomer = newSeller()
  await registered(customer, newcomer)
  const longwinded = { ...newSeller(), ...longNames }
  await registered(customer, longwinded)
  for (const fields of longSubmissions) await submitted(customer, fields)
  for (const method of [longMethod, ...usualMethods]) {
    await accepted(customer.post('/api/payment-methods', method))
  }
  for (const message of longMessages) await accepted(customer.post('/api/chat/messages', { message }))
  await accepted(
    customer.upload('/api/chat/messages', [
      field('message', 'And this one?'),
      field('submissionId', await submitted(customer)),
      image(await photo()),
      image(await photo(200)),
    ]),
  )
  const contact = await accepted(
    customer.post('/api/contact', {
      firstName: 'Tom',
      lastName: 'Baker',
      email: 'tom@example.com',
      subject: 'When will I be paid?',
      message: 'I sent a card this morning and wonder when the money comes.',
    }),
  )
  const contactSession: string = contact.json.sessionId
  for (const [path, whose] of [
    ['chat', { userId: customer.id }],
    ['contact', { sessionId: contactSession }],
  ] as const) {
    const message = 'It went out this morning. Your bank may take until tomorrow to show it.'
    await accepted(staff.post(`/api/admin/${path}/reply`, { ...whose, message }))
  }
  return { pendingCard, answeredCard, sellerId, seller, newcomer, longwinded, busy, contactSession }
}

async function sell(
  customer: Person,
  { firstName, lastName, email }: NewSeller,
  [brand, denomination, sellingPrice, brandName]: (typeof CARDS)[number],
  index: number,
): Promise<string> {
  const fields = {
    brand,
    denomination,
    sellingPrice,
    cardNumber: `6006 4930 1234 56${10 + index}`,
    submissionNotes: index === 1 ? 'A birthday present from my aunt, never used.' : '',
    paymentAccountName: `${firstName} ${lastName}`,
    paymentAccountInfo: email,
  }
  const card = { brandName, number: fields.cardNumber, pin: amazonCard.securityCode, seed: index * 7 + 3 }
  return submitted(customer, fields, { photos: [await drawFront(card)] })
}

/** Two hundred cards of every kind and state, a few at a time. */
async function sellMany(seller: Person, staff: Person): Promise<void> {
  const photos = [await photo()]
  for (let sold = 0; sold < MANY; sold += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => sellOne(sold + index)))
  }
  async function sellOne(index: number) {
    const [brand, denomination, sellingPrice] = CARDS[index % CARDS.length] ?? CARDS[0]
    const cardNumber = `6006 4930 1234 ${1000 + index}`
    const id = await submitted(seller, { brand, denomination, sellingPrice, cardNumber }, { photos })
    await moveBy(staff, id, MOVES[index % 5])
  }
}

async function moveBy(staff: Person, id: string, moves: (typeof MOVES)[number] = []): Promise<void> {
  for (const [status, reason] of moves) {
    await accepted(staff.patch(`/api/admin/submissions/${id}/status`, { status, reason }))
  }
}
