import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { balanceContacts } from '#domain/balance-contacts.ts'
import { brands } from '#domain/brands.ts'
import { Listener } from '#server/platform/database/listener.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submit } from '#test/submissions.ts'
import { BRANDS_CHANNEL, Catalog } from './catalog.ts'

let server: TestApp
let staff: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  seller = await server.seller()
})

const change = (slug: string, body: object) => staff.patch(`/api/admin/brands/${slug}`, body)
const add = (body: object) => staff.post('/api/admin/brands', body)
const shown = async (slug: string) =>
  (await server.visitor().get('/api/brands')).json.find(({ value }: { value: string }) => value === slug)
const sell = (brand: string, denomination: string, sellingPrice: string) =>
  submit(seller, { brand, denomination, sellingPrice })

/** Moves the last change of a brand some minutes into the past. */
async function wait(slug: string, minutes: number): Promise<void> {
  const by = `interval '${minutes} minutes'`
  await server.pool.query(
    `update earlier_brand_terms set valid_until = valid_until - ${by} where slug = '${slug}'`,
  )
  await server.pool.query(`update brands set created_at = created_at - ${by} where slug = '${slug}'`)
  server.context.catalog.forget()
}

const cafe = {
  value: 'corner_cafe',
  name: 'Corner Café',
  category: 'Food & Drink',
  rate: '80.5',
  minAmount: 20,
  maxAmount: '300',
}

describe('the catalog', () => {
  it('starts with the built-in brands, for staff with the date of each change', async () => {
    const { json } = await staff.get('/api/admin/brands')
    expect(json.map(({ value }: { value: string }) => value)).toEqual(brands.map(({ value }) => value))
    const open = await server.visitor().get('/api/brands')
    const forStaff = ({ value }: { value: string }) => ({
      updatedAt: expect.any(String),
      balanceUrl: balanceContacts[value]?.url ?? null,
      balancePhone: balanceContacts[value]?.phone ?? null,
      balanceCheckedOn: null,
    })
    expect(json).toEqual(open.json.map((brand: { value: string }) => ({ ...brand, ...forStaff(brand) })))
    expect(await shown('amazon')).toEqual({
      name: 'Amazon',
      value: 'amazon',
      category: 'E-commerce',
      rate: '93.00',
      icon: 'AM',
      minAmount: '25.00',
      maxAmount: '2000.00',
      popular: true,
    })
  })

  it('can be changed before it was first read', async () => {
    const untouched = await createTestApp()
    const answer = await (await untouched.staff()).patch('/api/admin/brands/belk', { rate: '82' })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ value: 'belk', rate: '82.00' })
  })

  it('is sent compressed, and only once', async () => {
    const plain = await server.visitor().get('/api/brands')
    const small = await server.visitor().get('/api/brands', { 'accept-encoding': 'br' })
    expect(small.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(small.bytes).toString()).toBe(plain.text)
    expect(small.bytes.length).toBeLessThan(plain.bytes.length / 3)
    const known = { 'if-none-match': String(plain.headers.etag) }
    expect((await server.visitor().get('/api/brands', known)).status).toBe(304)
  })

  it('shows a change at once, with a new ETag', async () => {
    const before = await server.visitor().get('/api/brands')
    const answer = await change('nike', { rate: 70, popular: true })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ value: 'nike', rate: '70.00', popular: true, minAmount: '25.00' })
    expect(await shown('nike')).toMatchObject({ rate: '70.00', popular: true })
    const again = await server.visitor().get('/api/brands', { 'if-none-match': String(before.headers.etag) })
    expect(again.status).toBe(200)
  })

  it('is read again by another server after a change', async () => {
    const rateOf = async (catalog: Catalog) =>
      (await catalog.current()).brands.find(({ value }) => value === 'adidas')?.rate
    const other = new Catalog(server.db)
    const listener = new Listener({
      connection: { connectionString: server.url },
      channels: { [BRANDS_CHANNEL]: () => other.forget() },
      onGap: () => {},
      onError: () => {},
    })
    await listener.start()
    expect(await rateOf(other)).toBe(8600)
    await change('adidas', { rate: '71' })
    await expect.poll(() => rateOf(other)).toBe(7100)
    await listener.close()
  })

  it('lists a new brand in its category', async () => {
    const answer = await add(cafe)
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({ value: 'corner_cafe', rate: '80.50', icon: 'CC', popular: false })
    const all = (await server.visitor().get('/api/brands')).json
    const categories = all.map(({ category }: { category: string }) => category)
    const at = all.findIndex(({ value }: { value: string }) => value === 'corner_cafe')
    expect(categories[at - 1]).toBe('Food & Drink')
    expect(categories[at + 1]).not.toBe('Food & Drink')
    const sold = await sell('corner_cafe', '100', '80.50')
    expect(sold.status).toBe(201)
    const { json } = await staff.get(`/api/admin/submissions/${sold.json.giftCard.id}`)
    expect(json).toMatchObject({
      brandName: 'Corner Café',
      unlistedBrand: false,
      discountPercentage: '19.50',
    })
  })

  it('adds a slug for one of twenty concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => add({ ...cafe, value: 'twice', name: 'Twice' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({
      code: 'taken',
      errors: [{ path: 'value' }],
    })
  })

  it.each([
    [{ value: 'corner_cafe_', name: 'Another Name' }, 'value'],
    [{ value: 'cafe_at_the_corner', name: 'The Corner Cafe Gift Card' }, 'name'],
    [{ value: 'visa_gift_card', name: 'Prepaid' }, 'value'],
  ])('refuses %j, a spelling of another brand', async (spelling, path) => {
    const answer = await add({ ...cafe, ...spelling })
    expect(answer.status).toBe(409)
    expect(answer.json).toMatchObject({ code: 'taken', errors: [{ path }] })
    expect((await change('hulu', { name: 'Belk' })).json).toMatchObject({ code: 'taken' })
    expect((await change('belk', { name: 'Belk Stores' })).status).toBe(200)
  })

  it.each([
    [{ value: 'Not A Slug' }, 'value'],
    [{ value: '' }, 'value'],
    [{ name: ' ' }, 'name'],
    [{ category: 'Weapons' }, 'category'],
    [{ rate: 0.99 }, 'rate'],
    [{ rate: '100.01' }, 'rate'],
    [{ rate: '90.123' }, 'rate'],
    [{ rate: null }, 'rate'],
    [{ minAmount: 0 }, 'minAmount'],
    [{ minAmount: -5 }, 'minAmount'],
    [{ minAmount: 300 }, 'maxAmount'],
    [{ maxAmount: 'much' }, 'maxAmount'],
    [{ popular: 'yes' }, 'popular'],
  ])('refuses %j', async (wrong, path) => {
    const answer = await add({ ...cafe, value: 'wrong', ...wrong })
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toMatchObject([{ path }])
  })

  it('checks a change together with the unchanged fields', async () => {
    const answer = await change('amazon', { minAmount: 2000 })
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toEqual([
      { path: 'maxAmount', message: 'The maximum must be above the minimum', code: 'maximum_too_low' },
    ])
    expect((await change('nothing', { rate: 90 })).status).toBe(404)
  })

  it('says when the balance page and phone were last checked', async () => {
    const change = async (fields: object) => (await staff.patch('/api/admin/brands/lowes', fields)).json
    const today = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    expect((await change({ popular: true })).balanceCheckedOn).toBeNull()
    expect((await change({ balanceChecked: true })).balanceCheckedOn).toEqual(today)
    const gone = await change({ balanceUrl: '', balancePhone: null, balanceChecked: true })
    expect(gone).toMatchObject({ balanceUrl: null, balancePhone: null, balanceCheckedOn: null })
    expect((await change({ balancePhone: '1-800-555-0100' })).balanceCheckedOn).toEqual(today)
  })

  it('has contacts only of built-in brands, at addresses that need no other page', () => {
    for (const [slug, { url, phone }] of Object.entries(balanceContacts)) {
      expect(brands.map(({ value }) => value)).toContain(slug)
      if (url) expect(new URL(url).protocol).toBe('https:')
      expect(url ?? phone).toBeDefined()
    }
  })

  it('records each real change in the audit log, with both values', async () => {
    await change('etsy', { rate: '80.00', maxAmount: 250 })
    await change('etsy', { rate: '80' })
    const log = await staff.get('/api/admin/audit?subject=etsy')
    expect(log.json).toMatchObject([
      {
        actor: 'admin',
        action: 'brand.changed',
        details: { rate: { from: '86.00', to: '80.00' }, maxAmount: { from: '300.00', to: '250.00' } },
      },
    ])
    expect(log.json).toHaveLength(1)
    expect((await staff.get('/api/admin/audit?action=brand.added&subject=corner_cafe')).json).toHaveLength(1)
  })
})

describe('a quote shown before a change', () => {
  it('is honored for 15 minutes, while the new one is valid at once', async () => {
    await change('steam', { rate: '50' })
    expect((await sell('steam', '100', '88.00')).json.giftCard.sellingPrice).toBe('88.00')
    expect((await sell('steam', '100', '50.00')).json.giftCard.sellingPrice).toBe('50.00')
    const wrong = await sell('steam', '100', '60.00')
    expect(wrong.status).toBe(409)
    expect(wrong.json).toMatchObject({
      code: 'quote_changed',
      message: 'The quote for this card is now $50.00',
    })
    await wait('steam', 14)
    expect((await sell('steam', '100', '88.00')).status).toBe(201)
    await wait('steam', 1.1)
    expect((await sell('steam', '100', '88.00')).status).toBe(409)
  })

  it('is honored through several changes, including changed limits', async () => {
    await change('target', { rate: '60' })
    await change('target', { rate: '61', maxAmount: 500 })
    for (const price of ['910.00', '600.00']) expect((await sell('target', '1000', price)).status).toBe(201)
    const tooMuch = await sell('target', '1000', '610.00')
    expect(tooMuch.status).toBe(400)
    expect(tooMuch.json.message).toBe('Maximum amount for Target is $500')
  })

  it('is paid at the displayed rate', async () => {
    await change('walmart', { rate: '40' })
    const { json } = await sell('walmart', '100', '91.00')
    const stored = (await staff.get(`/api/admin/submissions/${json.giftCard.id}`)).json
    expect(stored).toMatchObject({ quote: '91.00', discountPercentage: '9.00' })
  })

  it('is honored for a brand that was unlisted until recently', async () => {
    await add({ ...cafe, value: 'just_added', name: 'Just Added' })
    expect((await sell('just_added', '100', '85.00')).status).toBe(201)
    await wait('just_added', 16)
    expect((await sell('just_added', '100', '85.00')).status).toBe(409)
    expect((await sell('just_added', '100', '80.50')).status).toBe(201)
  })

  it('cannot be used for another brand', async () => {
    await change('kroger', { rate: '30' })
    expect((await sell('safeway', '100', '87.00')).status).toBe(409)
  })
})
