import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Part } from './multipart.ts'
import type { Person, TestAnswer } from './person.ts'

/** A complete Amazon card of $100, which sells for $93. */
export const amazonCard = {
  brand: 'amazon',
  denomination: '100',
  sellingPrice: '93.00',
  discountPercentage: '7.00',
  cardNumber: '6006 4930 1234 5678',
  securityCode: '9876',
  cardFormat: 'physical',
  cardCondition: 'brand_new',
  submissionNotes: 'A birthday present',
  paymentType: 'paypal',
  paymentAccountName: 'Sally Seller',
  paymentAccountInfo: 'sally@example.com',
}
export type CardFields = Partial<Record<keyof typeof amazonCard | string, string>>

/** A small photo; another shade is another photo. */
export function photo(shade = 120, { width = 320, height = 200 } = {}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: { r: shade, g: 90, b: 60 } } })
    .jpeg()
    .toBuffer()
}

export const field = (name: string, value: string): Part => ({ name, value })

export const image = (bytes: Buffer, filename = 'card.jpg', type = 'image/jpeg'): Part => ({
  name: 'images',
  filename,
  type,
  bytes,
})

/** The parts of a submission: the fields over those of `amazonCard`, empty ones left out, then the photos. */
export function submissionParts(fields: CardFields, photos: readonly Buffer[]): Part[] {
  const all = Object.entries({ ...amazonCard, ...fields }).filter(([, value]) => value !== undefined)
  return [...all.map(([name, value]) => field(name, value ?? '')), ...photos.map((bytes) => image(bytes))]
}

/** Sends a submission as the client does, with a key of its own. */
export async function submit(
  seller: Person,
  fields: CardFields = {},
  { photos, key = randomUUID() }: { photos?: readonly Buffer[]; key?: string } = {},
): Promise<TestAnswer> {
  const parts = submissionParts(fields, photos ?? [await photo()])
  return seller.upload('/api/gift-cards', parts, { 'idempotency-key': key })
}

/** Sends a submission that is expected to be taken. @returns the gift card's id */
export async function submitted(seller: Person, fields: CardFields = {}): Promise<string> {
  const answer = await submit(seller, fields)
  if (answer.status !== 201) throw new Error(`Submission answered ${answer.status}: ${answer.text}`)
  return answer.json.giftCard.id
}
