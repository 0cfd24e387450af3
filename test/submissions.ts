import { randomInt, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Status } from '#domain/submission.ts'
import type { TestApp } from './app.ts'
import type { Part } from './multipart.ts'
import { accepted, type Person, type TestAnswer } from './person.ts'

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

/** A small photo. Different shades are different photos. */
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

/** The parts of a submission: the fields of `amazonCard` and these, without undefined ones, then the photos. */
export function submissionParts(fields: CardFields, photos: readonly Buffer[]): Part[] {
  const all = Object.entries({ ...amazonCard, ...fields }).filter(([, value]) => value !== undefined)
  return [...all.map(([name, value]) => field(name, value ?? '')), ...photos.map((bytes) => image(bytes))]
}

/** Sends a submission like the client. Without an idempotency key, both the key and the card number are new. */
export async function submit(
  seller: Person,
  fields: CardFields = {},
  { photos, key }: { photos?: readonly Buffer[]; key?: string } = {},
): Promise<TestAnswer> {
  const parts = submissionParts(
    { ...(!key && { cardNumber: newNumber() }), ...fields },
    photos ?? [await photo()],
  )
  return seller.upload('/api/gift-cards', parts, { 'idempotency-key': key ?? randomUUID() })
}

/** A new number each time: a card that we already bought cannot be approved. */
export function newNumber(): string {
  return `6006 ${randomInt(1000, 10_000)} ${randomInt(1000, 10_000)} 5678`
}

/** Sends a valid submission. @returns the gift card's id */
export async function submitted(
  seller: Person,
  fields: CardFields = {},
  sent: Parameters<typeof submit>[2] = {},
): Promise<string> {
  return (await accepted(submit(seller, fields, sent))).json.giftCard.id
}

/** The staff's moves from a new submission to each status. */
const movesTo: Readonly<Record<Status, readonly { status: Status; reason?: string; amount?: string }[]>> = {
  pending: [],
  under_review: [{ status: 'under_review', reason: 'Which shop?' }],
  offered: [{ status: 'offered', amount: '74.40', reason: 'It holds $80' }],
  processing: [{ status: 'processing' }],
  completed: [{ status: 'completed' }],
  rejected: [{ status: 'rejected', reason: 'Blurry' }],
  failed: [{ status: 'processing' }, { status: 'failed', reason: 'Refused by the bank' }],
  cancelled: [],
}

/** Sends a submission and moves it to a status. @returns the gift card's id */
export async function submittedIn(
  status: Status,
  { seller, staff }: { seller: Person; staff: Person },
  fields: CardFields = {},
): Promise<string> {
  const id = await submitted(seller, fields)
  for (const move of movesTo[status]) await accepted(moveAnyway(staff, id, move))
  if (status === 'cancelled') await accepted(seller.post(`/api/user/gift-cards/${id}/withdraw`))
  return id
}

/** Moves a submission, even if its number was bought before. */
export async function moveAnyway(staff: Person, id: string, move: object): Promise<TestAnswer> {
  const path = `/api/admin/submissions/${id}`
  const answer = await staff.patch(`${path}/status`, move)
  if (answer.status !== 409 || answer.json.code !== 'risk_not_acknowledged') return answer
  await staff.post(`${path}/acknowledge`, { code: 'same_number_completed', reason: 'It is only a test' })
  return staff.patch(`${path}/status`, move)
}

/** The files of all stored photos, thumbnails included. */
export async function photoFiles({ folder }: TestApp): Promise<string[]> {
  const entries = await readdir(join(folder, 'uploads'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
