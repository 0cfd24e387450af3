import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { linked, type Person, type TestAnswer } from '#test/person.ts'
import { field, submitted } from '#test/submissions.ts'

let server: TestApp
let staff: Person
let seller: Person
const cards: Record<string, string> = {}

beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  seller = await server.seller('maria_50')
  const other = await server.seller('oskar')
  cards.amazon = await submitted(seller, { cardNumber: '1111 2222 3333 4444' })
  cards.steam = await submitted(seller, {
    brand: 'steam',
    denomination: '25',
    sellingPrice: '22',
    cardNumber: 'ST-987-6543',
  })
  cards.target = await submitted(other, { brand: 'target', denomination: '123.45', sellingPrice: '112.34' })
  await staff.patch(`/api/admin/submissions/${cards.target}/status`, { status: 'completed' })
})

const ids = (answer: TestAnswer) => answer.json.map((row: { id: string }) => row.id)
const list = (query: string) => staff.get(`/api/admin/submissions?${query}`)

describe('answered submissions', () => {
  it('come first on every page, until staff move them', async () => {
    const shop = await createTestApp()
    const [ana, sally] = [await shop.staff(), await shop.seller('sally_7')]
    const made: string[] = []
    for (let count = 0; count < 7; count++) made.push(await submitted(sally))
    const [oldest = '', , third = ''] = made
    for (const id of [oldest, third]) {
      await ana.patch(`/api/admin/submissions/${id}/status`, {
        status: 'under_review',
        reason: 'Which shop?',
      })
      await sally.upload(`/api/user/gift-cards/${id}/answer`, [field('message', 'The corner shop')])
    }
    const newest = made.toReversed()
    const others = newest.filter((id) => id !== oldest && id !== third)
    const pages = async (query: string) => {
      const found: string[][] = []
      for (let next = `/api/admin/submissions?${query}`; next; ) {
        const page: TestAnswer = await ana.get(next)
        expect(page.headers['x-total-count']).toBe('7')
        found.push(ids(page))
        next = page.headers.link ? linked(page) : ''
      }
      return found
    }
    const [one, two, three, four, five] = others
    for (const filter of ['', '&status=pending', '&brand=amazon']) {
      // The first page ends among the answered ones; the second starts with the last of them.
      expect(await pages(`answeredFirst=true&limit=1${filter}`)).toEqual(
        [third, oldest, ...others].map((id) => [id]),
      )
      const inTwos = [[third, oldest], [one, two], [three, four], [five]]
      expect(await pages(`answeredFirst=true&limit=2${filter}`)).toEqual(inTwos)
      expect((await pages(`limit=3${filter}`)).flat()).toEqual(newest)
    }
    expect((await ana.get('/api/admin/submissions?answeredFirst=true&limit=3')).json).toMatchObject([
      { id: third, answered: true, status: 'pending' },
      { id: oldest, answered: true },
      { answered: false },
    ])
    // A search ignores answeredFirst.
    expect((await pages('answeredFirst=true&limit=3&q=sally_7')).flat()).toEqual(newest)

    await ana.patch(`/api/admin/submissions/${oldest}/status`, { status: 'processing' })
    await ana.patch(`/api/admin/submissions/${third}/status`, { status: 'under_review', reason: 'Really?' })
    expect((await pages('answeredFirst=true')).flat()).toEqual(newest)
  })
})

describe("staff's list", () => {
  it('is newest first, with the total', async () => {
    const answer = await list('')
    expect(ids(answer)).toEqual([cards.target, cards.steam, cards.amazon])
    expect(answer.headers['x-total-count']).toBe('3')
    expect(answer.headers.link).toBeUndefined()
  })

  it('pages by cursor without losing or repeating a row, and keeps its filters', async () => {
    const first = await list('limit=2&status=pending')
    expect(ids(first)).toEqual([cards.steam, cards.amazon])
    const one = await list('limit=1&status=pending')
    const next = linked(one)
    expect(next).toContain('status=pending')
    const two = await staff.get(next)
    expect([...ids(one), ...ids(two)]).toEqual([cards.steam, cards.amazon])
    expect(two.headers.link).toBeUndefined()
  })

  it.each(['limit=0', 'limit=201', 'limit=abc', 'cursor=1', 'status=paid'])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })

  it.each([
    ['status=completed', ['target']],
    ['brand=steam', ['steam']],
    ['brand=steam&status=completed', []],
  ])('filters by %s', async (query, expected) => {
    expect(ids(await list(query))).toEqual(expected.map((name) => cards[name]))
  })

  it.each([
    ['maria', ['steam', 'amazon']],
    ['MARIA_50@EXAMPLE', ['steam', 'amazon']],
    ['maria_5', ['steam', 'amazon']],
    ['maria%', []],
    ['oskar_', []],
    ['Targ', ['target']],
    ['1111222233334444', ['amazon']],
    ['1111-2222-3333-4444', ['amazon']],
    ['4444', ['amazon']],
    ['2222', []],
    ['st9876543', ['steam']],
    ['123.45', ['target']],
    ['$112.34', ['target']],
    ['22', ['steam']],
    ["'; drop table users; --", []],
    ['\\', []],
  ])('searches for %s literally', async (q, expected) => {
    // Ids are random hex, so a short number could match one.
    const found = ids(await list(`q=${encodeURIComponent(q)}`))
    const byId = Object.values(cards).filter((id) => id.includes(q.toLowerCase()))
    expect(new Set(found)).toEqual(new Set([...expected.map((name) => cards[name]), ...byId]))
  })

  it('finds a submission by its id', async () => {
    expect(ids(await list(`q=${cards.amazon}`))).toEqual([cards.amazon])
  })

  it('masks numbers for staff too', async () => {
    const [row] = (await list(`q=${cards.amazon}`)).json
    expect(row).toMatchObject({
      cardNumber: '•••• 4444',
      code: '•••• 4444',
      pin: '••••',
      securityCode: '••••',
      paymentAccountInfo: 's•••@example.com',
      user: { username: 'maria_50', email: 'maria_50@example.com' },
    })
  })

  it('flags a second open submission of a card in any spelling, until one is rejected', async () => {
    const again = await submitted(await server.seller(), { cardNumber: '1111222233334444' })
    const flag = async (id?: string) =>
      (await staff.get(`/api/admin/submissions/${id}`)).json.possibleDuplicate
    expect([await flag(again), await flag(cards.amazon), await flag(cards.steam)]).toEqual([
      true,
      true,
      false,
    ])
    await staff.patch(`/api/admin/submissions/${again}/status`, { status: 'rejected', reason: 'Twice' })
    expect(await flag(cards.amazon)).toBe(false)
  })
})

describe("a seller's lists", () => {
  it('contain only their own submissions', async () => {
    expect(ids(await seller.get('/api/user/gift-cards'))).toEqual([cards.steam, cards.amazon])
    const transactions = (await seller.get('/api/my-transactions')).json
    expect(transactions.map((row: { giftCardId: string }) => row.giftCardId)).toEqual([
      cards.steam,
      cards.amazon,
    ])
  })

  it('can exclude final submissions', async () => {
    await staff.patch(`/api/admin/submissions/${cards.steam}/status`, { status: 'completed' })
    const open = await seller.get('/api/user/gift-cards?open=true')
    expect(ids(open)).toEqual([cards.amazon])
    expect(open.headers['x-total-count']).toBe('1')
  })
})
