import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '#test/people.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { submittedIn } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'

let shop: TestApp
let staff: Person
beforeAll(async () => {
  shop = await createTestApp({ site: { taxFormThreshold: 150_00 } })
  staff = await shop.staff()
})

const URL = '/api/user/tax-details'
const form = {
  name: 'Sally Q. Seller',
  street: '12 Main Street',
  city: 'New York',
  state: 'ny',
  zip: '10001',
  tin: '123-45-6789',
}
const year = new Date().getUTCFullYear()

/** A seller who was paid $93.00 for each of this many cards. */
async function paidFor(cards: number, more: object = {}): Promise<Person> {
  const seller = await shop.seller()
  for (let card = 0; card < cards; card++) await submittedIn('completed', { seller, staff }, more)
  return seller
}

const exported = (by: Person, body: object = {}) =>
  by.post('/api/admin/reports/tax-forms', { year, password: ADMIN_PASSWORD, ...body })
/** The row of a seller, by column. */
async function rowOf({ id }: Person, body?: object): Promise<Record<string, string> | undefined> {
  const { text } = await exported(staff, body)
  const [head = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replaceAll('"', '').split(','))
  const row = rows.find(([cell]) => cell === id)
  return row && Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']))
}
const codes = ({ status, json }: TestAnswer) => [
  status,
  ...json.errors.map(({ code }: { code: string }) => code),
]
const needed = async (seller: Person) => (await seller.get('/api/user/home')).json.taxDetailsNeeded

describe('tax details', () => {
  it('are asked for only above the threshold, and are kept sealed', async () => {
    const seller = await paidFor(1)
    expect((await seller.get(URL)).json).toEqual({
      asked: false,
      threshold: '150.00',
      details: null,
      exports: [],
    })
    expect(await needed(seller)).toBe(false)
    expect((await seller.put(URL, form)).status).toBe(404)
    await submittedIn('completed', { seller, staff })
    expect([(await seller.get(URL)).json.asked, await needed(seller)]).toEqual([true, true])

    const saved = await seller.put(URL, form)
    expect(saved.json).toMatchObject({
      asked: false,
      details: { name: form.name, state: 'NY', zip: '10001', tin: '•••• 6789' },
    })
    expect(await needed(seller)).toBe(false)
    const { rows } = await shop.pool.query('select t::text as row from tax_details t where user_id = $1', [
      seller.id,
    ])
    for (const readable of ['123456789', '123-45-6789', 'Main', 'Sally']) {
      expect(Buffer.from(rows[0].row)).not.toContain(readable)
    }
    expect((await seller.put(URL, { ...form, tin: '987654321' })).json.details.tin).toBe('•••• 4321')
    expect((await shop.seller()).id).not.toBe(seller.id)
    const { text } = await staff.get('/api/admin/audit?action=seller.tax_details_saved')
    expect(withoutRandom(text)).not.toContain('6789')
  })

  it.each([
    ['no digits', { tin: 'none' }, 'tin_invalid'],
    ['eight digits', { tin: '12345678' }, 'tin_invalid'],
    ['zeros', { tin: '000-00-0000' }, 'tin_invalid'],
    ['letters among digits', { tin: '12345678O' }, 'tin_invalid'],
    ['no state', { state: 'XX' }, 'state_invalid'],
    ['no ZIP code', { zip: '1000' }, 'zip_invalid'],
    ['a blank name', { name: ' ' }, 'tax_name_required'],
  ])('refuse %s', async (_, wrong, code) => {
    expect(codes(await (await paidFor(0)).put(URL, { ...form, ...wrong }))).toEqual([400, code])
  })

  it('count the last year too, but not the one before, nor money that came back', async () => {
    const seller = await paidFor(2)
    const move = (years: number) =>
      shop.pool.query(
        'update payouts set paid_at = now() - make_interval(years => $2), sent_at = now() - make_interval(years => $2) where seller_id = $1',
        [seller.id, years],
      )
    await move(1)
    expect(await needed(seller)).toBe(true)
    await move(2)
    expect(await needed(seller)).toBe(false)
    await move(0)
    await shop.pool.query("update payouts set state = 'returned', returned_at = now() where seller_id = $1", [
      seller.id,
    ])
    expect(await needed(seller)).toBe(false)
  })

  it('are never asked for without a threshold', async () => {
    const other = await createTestApp()
    const seller = await other.seller()
    const admin = await other.staff()
    for (let card = 0; card < 2; card++) await submittedIn('completed', { seller, staff: admin })
    expect((await seller.get(URL)).json).toMatchObject({ asked: false, threshold: null })
    expect((await seller.put(URL, form)).status).toBe(404)
  })

  it('are deleted with the account', async () => {
    const seller = await paidFor(2)
    await seller.put(URL, form)
    await seller.send({ method: 'DELETE', url: '/api/user', payload: { password: SELLER_PASSWORD } })
    const { rows } = await shop.pool.query('select from tax_details where user_id = $1', [seller.id])
    expect(rows).toEqual([])
  })
})

describe('the file of tax forms', () => {
  it('has what the form needs of each seller above the threshold, and each number is a reveal', async () => {
    const [seller, below, silent] = [await paidFor(2), await paidFor(1), await paidFor(2)]
    await seller.put(URL, { ...form, name: '=HYPERLINK(1)' })
    const month = `box5${'abcdefghijkl'.charAt(new Date().getUTCMonth())}`
    expect(await rowOf(seller)).toMatchObject({
      name: "'=HYPERLINK(1)",
      street: '12 Main Street',
      state: 'NY',
      zip: '10001',
      tin: '123456789',
      box1a: '186.00',
      box3: '2',
      [month]: '186.00',
    })
    expect(await rowOf(below)).toBeUndefined()
    expect(await rowOf(silent)).toMatchObject({ tin: '', box1a: '186.00' })
    expect(await rowOf(seller, { year: year - 1 })).toBeUndefined()
    const { exports } = (await seller.get(URL)).json
    expect(exports).toHaveLength(3)
    expect(exports[0]).toEqual({ at: expect.any(String), role: 'owner' })
    const log = (await staff.get(`/api/admin/audit?subject=${seller.id}&action=seller.tax_details_exported`))
      .json
    expect(log[0]).toMatchObject({ actor: 'admin', details: { year, role: 'owner' } })
  })

  it('has the price before what the seller owed was deducted', async () => {
    const seller = await paidFor(2)
    await shop.pool.query('update payouts set amount = amount - 3000, deducted = 3000 where seller_id = $1', [
      seller.id,
    ])
    expect((await rowOf(seller))?.box1a).toBe('186.00')
  })

  it('takes the right role and the password', async () => {
    for (const role of ['reviewer', 'payer', 'auditor'] as const) {
      expect((await exported(await shop.staff(role, role))).status).toBe(403)
    }
    expect(codes(await exported(staff, { password: 'wrong' }))[0]).toBe(400)
    expect(codes(await exported(staff, { year: 20260 }))).toEqual([400, 'year_invalid'])
  })
})
