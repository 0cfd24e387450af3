import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { type CardFields, submit } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'
import { similarPhotos } from './duplicates.ts'

let server: TestApp
let staff: Person
let sellers: Person[]
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  sellers = [await server.seller('maria'), await server.seller('oskar')]
})

let made = 0
/** A unique card, except for the given fields. */
async function card(seller: Person | undefined, fields: CardFields = {}, photos?: readonly Buffer[]) {
  made++
  const unique = { cardNumber: `N-${made}-00`, paymentAccountInfo: `account${made}@example.com` }
  const answer = await submit(seller as Person, { ...unique, ...fields }, { ...(photos && { photos }) })
  expect(answer.status).toBe(201)
  return answer.json.giftCard.id as string
}

const duplicates = (id: string) => staff.get(`/api/admin/submissions/${id}/duplicates`)
const summary = (answer: TestAnswer) =>
  answer.json.map(({ id, reasons }: { id: string; reasons: string[] }) => [id, reasons])

/** A picture of gray tiles, bright where a bit is set. */
async function tiles(bits: bigint): Promise<Buffer> {
  const grays: number[] = []
  for (let y = 0; y < 8; y++) {
    let gray = 128
    grays.push(gray)
    for (let x = 0; x < 8; x++) {
      const brighter = (bits >> BigInt(63 - y * 8 - x)) & 1n
      gray += brighter ? 12 : -12
      grays.push(gray)
    }
  }
  return sharp(Buffer.from(grays), { raw: { width: 9, height: 8, channels: 1 } })
    .resize({ width: 288, height: 256, kernel: 'nearest' })
    .jpeg({ quality: 95 })
    .toBuffer()
}

const PICTURE = 0x6c35a9d24e97b18dn

describe('possible duplicates', () => {
  it('are empty for a card that resembles no other', async () => {
    expect((await duplicates(await card(sellers[0]))).json).toEqual([])
  })

  it('include the same card number in any spelling, with its status', async () => {
    const first = await card(sellers[0], { cardNumber: '5555 6666 7777 8888' })
    await staff.patch(`/api/admin/submissions/${first}/status`, { status: 'rejected', reason: 'Used up' })
    const second = await card(sellers[1], { cardNumber: '5555-6666-7777-8888' })
    const answer = await duplicates(second)
    expect(answer.json).toEqual([
      {
        id: first,
        brand: 'amazon',
        brandName: 'Amazon',
        unlistedBrand: false,
        denomination: '100.00',
        status: 'rejected',
        statusReason: 'Used up',
        reasons: ['card_number'],
        photos: null,
        user: { id: sellers[0]?.id, username: 'maria' },
        sameSeller: false,
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
    expect(withoutRandom(answer.text)).not.toMatch(/8888/)
  })

  it('include the same payout account in any case and with any payment type, and whether it is the same seller’s', async () => {
    const account = { paymentAccountInfo: 'Shared@Example.com' }
    const [own, foreign] = [await card(sellers[0], account), await card(sellers[1], account)]
    const id = await card(sellers[0], { paymentAccountInfo: 'shared@example.com' })
    const found = (await duplicates(id)).json
    expect(found).toMatchObject([
      { id: foreign, reasons: ['payment_account'], sameSeller: false },
      { id: own, reasons: ['payment_account'], sameSeller: true },
    ])
    const otherType = await card(sellers[1], { ...account, paymentType: 'zelle' })
    expect((await duplicates(otherType)).json.map((other: { id: string }) => other.id)).toEqual([
      id,
      own,
      foreign,
    ])
  })

  it('include a slightly changed photo', async () => {
    const first = await card(sellers[0], {}, [await tiles(PICTURE)])
    const shrunk = await sharp(await tiles(PICTURE))
      .resize({ width: 150 })
      .jpeg({ quality: 60 })
      .toBuffer()
    const second = await card(sellers[1], {}, [await tiles(~PICTURE & 0x0fffffffffffffffn), shrunk])
    const answer = await duplicates(second)
    expect(summary(answer)).toEqual([[first, ['photo']]])
    const photo = /^\/uploads\/[\w-]+\.jpg$/
    expect(answer.json[0].photos).toEqual({
      own: expect.stringMatching(photo),
      other: expect.stringMatching(photo),
      percent: expect.any(Number),
    })
    expect(answer.json[0].photos.percent).toBeGreaterThan(90)
    const auditor = await server.staff('otto', 'auditor')
    expect((await auditor.get(`/api/admin/submissions/${second}/duplicates`)).json[0].photos).toBeNull()
    expect(summary(await duplicates(first))).toEqual([[second, ['photo']]])
  })

  it('include photos that differ in up to six bits, anywhere in the picture', async () => {
    const base = 0xa5d34b1e72968cc6n
    const original = await card(sellers[0], {}, [await tiles(base)])
    const within = [
      0b111111n,
      (0b111n << 61n) | 0b111n,
      1n | (1n << 15n) | (1n << 20n) | (1n << 33n) | (1n << 47n) | (1n << 62n),
    ]
    const near: string[] = []
    for (const flips of within) near.push(await card(sellers[1], {}, [await tiles(base ^ flips)]))
    const far = await card(sellers[1], {}, [await tiles(base ^ 0x0101010101010101n)])
    const found = (await duplicates(original)).json.map(({ id }: { id: string }) => id)
    expect(found).toEqual(near.reverse())
    expect(found).not.toContain(far)
  })

  it('list each reason once, the strongest first', async () => {
    const same = { cardNumber: 'X-1-Y-2', paymentAccountInfo: 'all@example.com' }
    const photo = await tiles(0x35a9d24e97b18d6cn)
    const first = await card(sellers[0], same, [photo, photo])
    const weaker = await card(sellers[1], { paymentAccountInfo: 'all@example.com' })
    const second = await card(sellers[1], same, [photo])
    expect(summary(await duplicates(second))).toEqual([
      [first, ['card_number', 'photo', 'payment_account']],
      [weaker, ['payment_account']],
    ])
  })

  it('ignore blank photos and cards without a number', async () => {
    const plain = await sharp({ create: { width: 99, height: 99, channels: 3, background: '#777' } })
      .png()
      .toBuffer()
    await card(sellers[0], { cardNumber: 'N/A' }, [plain])
    expect((await duplicates(await card(sellers[1], { cardNumber: 'N/A' }, [plain]))).json).toEqual([])
  })

  it('exclude cleared submissions', async () => {
    const number = { cardNumber: 'CLEARED 99' }
    await card(sellers[0], number)
    await staff.delete('/api/admin/submissions')
    const id = await card(sellers[1], number)
    expect((await duplicates(id)).json).toEqual([])
  })

  it('are 404 for an unknown submission, as is its seller’s record', async () => {
    const missing = '/api/admin/submissions/01890000-0000-7000-8000-000000000000'
    expect((await staff.get(`${missing}/duplicates`)).status).toBe(404)
    expect((await staff.get(`${missing}/seller-record`)).status).toBe(404)
  })

  it('are found by indexes, however many photos there are', async () => {
    const id = await card(sellers[0], {}, [await tiles(PICTURE)])
    const other = await card(sellers[0])
    await server.pool.query(`
      insert into photos (name, thumbnail_name, gift_card_id, position, width, height, likeness)
      select 'x' || n, 't' || n, '${other}', n, 1, 1, (random() * 9e18)::bigint from generate_series(10, 30000) as n`)
    await server.pool.query('analyze photos')
    const { rows } = await server.db.execute(sql`explain ${similarPhotos([id])}`)
    const plan = JSON.stringify(rows)
    for (const quarter of [0, 1, 2, 3]) expect(plan).toContain(`photos_likeness_${quarter}`)
    expect(plan).not.toContain('Seq Scan on photos')
  })
})
