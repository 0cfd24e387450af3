import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { linked, type Person, type TestAnswer } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'

let server: TestApp
let staff: Person
const cards: string[] = []

beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  const maria = await server.seller('maria')
  cards.push(await submitted(maria))
  cards.push(await submitted(maria, { brand: 'steam', denomination: '25', sellingPrice: '22' }))
  cards.push(await submitted(await server.seller('-oskar')))
  await staff.patch(`/api/admin/submissions/${cards[1]}/status`, { status: 'completed' })
})

const list = (query = '') => staff.get(`/api/admin/transactions?${query}`)
const cardsOf = (answer: TestAnswer) => answer.json.map((row: { giftCardId: string }) => row.giftCardId)

describe("staff's list of transactions", () => {
  it('is newest first, with the fields that the screen shows', async () => {
    const answer = await list()
    expect(cardsOf(answer)).toEqual([cards[2], cards[1], cards[0]])
    expect(answer.headers['x-total-count']).toBe('3')
    expect(answer.json[1]).toEqual({
      id: expect.any(String),
      giftCardId: cards[1],
      type: 'sell',
      amount: '22.00',
      status: 'completed',
      brandName: 'Steam',
      unlistedBrand: false,
      username: 'maria',
      createdAt: expect.stringMatching(/Z$/),
    })
  })

  it('pages by cursor', async () => {
    const one = await list('limit=2')
    const two = await staff.get(linked(one))
    expect([...cardsOf(one), ...cardsOf(two)]).toEqual([cards[2], cards[1], cards[0]])
  })

  it.each([
    ['q=maria', [1, 0]],
    ['q=steam', [1]],
    ['q=%2422', [1]],
    ['status=completed', [1]],
    ['status=completed&q=oskar', []],
    ['q=%25', []],
  ])('is filtered by %s', async (query, expected) => {
    const answer = await list(query)
    expect(cardsOf(answer)).toEqual(expected.map((index) => cards[index]))
    expect(answer.headers['x-total-count']).toBe(String(expected.length))
  })

  it('shows the price of an open offer, which is what the seller would get', async () => {
    const path = `/api/admin/submissions/${cards[2]}/status`
    await staff.patch(path, { status: 'offered', amount: '74.40', reason: 'It holds less.' })
    expect((await list()).json[0]).toMatchObject({ amount: '74.40', status: 'offered' })
    await staff.patch(path, { status: 'pending' })
    expect((await list()).json[0]).toMatchObject({ amount: '93.00', status: 'pending' })
  })

  it('finds a transaction by its own id and by its submission, and the submission by both', async () => {
    const [newest] = (await list()).json
    for (const id of [newest.id, newest.giftCardId]) {
      const answer = await list(`q=${id}`)
      expect(cardsOf(answer)).toEqual([cards[2]])
      expect(answer.headers['x-total-count']).toBe('1')
    }
    const found = await staff.get(`/api/admin/submissions?q=${referenceOf(newest.id)}`)
    expect(found.json.map(({ id }: { id: string }) => id)).toEqual([newest.giftCardId])
  })

  it.each(['status=paid', 'limit=0', 'cursor=x'])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })
})

describe('the export', () => {
  it('is a CSV file of all transactions, safe in a spreadsheet, and recorded in the audit log', async () => {
    const answer = await staff.get('/api/admin/transactions.csv')
    expect(answer.headers['content-type']).toContain('text/csv')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="transactions-.+\.csv"$/)
    const lines = answer.text.split('\r\n')
    expect(lines[0]).toBe('id,createdAt,type,status,amount,brandName,username,giftCardId')
    expect(lines).toHaveLength(5)
    expect(lines[1]).toContain(`,sell,pending,93.00,Amazon,'-oskar,${cards[2]}`)
    expect(lines[4]).toBe('')
    const { json } = await staff.get('/api/admin/audit?action=transactions.exported')
    expect(json).toMatchObject([{ actor: 'admin', subject: 'all' }])
  })

  it('applies the list’s filter', async () => {
    const { text } = await staff.get('/api/admin/transactions.csv?status=completed')
    expect(text.trim().split('\r\n')).toHaveLength(2)
  })

  it('skips and repeats nothing between its pages', async () => {
    await server.pool.query(`
      insert into gift_cards (id, seller_id, brand, brand_name, unlisted_brand, denomination, selling_price, quoted_price,
        discount_percentage, payment_type, payment_account_name, payment_account_hint, fingerprint, created_at, updated_at)
      select gen_random_uuid(), seller_id, brand, brand_name, unlisted_brand, denomination, selling_price, selling_price,
        discount_percentage, payment_type, payment_account_name, payment_account_hint, fingerprint, created_at, updated_at
      from gift_cards, generate_series(1, 1999) where id = '${cards[0]}'`)
    await server.pool.query(`
      insert into transactions (id, gift_card_id, seller_id, amount, created_at)
      select gen_random_uuid(), id, seller_id, selling_price, created_at from gift_cards
      where id not in (select gift_card_id from transactions)`)
    const { text } = await staff.get('/api/admin/transactions.csv')
    const ids = text.trim().split('\r\n').slice(1)
    expect(ids).toHaveLength(2002)
    expect(new Set(ids).size).toBe(2002)
  })
})
