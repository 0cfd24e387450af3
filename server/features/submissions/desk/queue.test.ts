import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type View, views } from '#domain/queue.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { linked, type Person, type TestAnswer } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { field, submitted, submittedIn } from '#test/submissions.ts'

const ids = (answer: TestAnswer): string[] => answer.json.map((row: { id: string }) => row.id)
const next = (person: Person, body?: object) => person.post('/api/admin/queue/next', body)

describe('the queue', () => {
  let server: TestApp
  let ana: Person
  let ben: Person
  /** Submissions by name, in the order of their submission. */
  const cards: Record<string, string> = {}
  const nameOf = (id: string) => Object.keys(cards).find((name) => cards[name] === id)
  const list = (query: string) => ana.get(`/api/admin/submissions?${query}`)
  const listed = async (query: string) => ids(await list(query)).map(nameOf)

  beforeAll(async () => {
    server = await createTestApp()
    ana = await server.staff('ana')
    ben = await server.staff('ben')
    const seller = await server.seller('sally_7')
    const people = { seller, staff: ana }
    const steam = { brand: 'steam', denomination: '25', sellingPrice: '22', paymentType: 'venmo' }
    cards.first = await submitted(seller)
    cards.paying = await submittedIn('processing', people)
    cards.rejected = await submittedIn('rejected', people)
    cards.asked = await submittedIn('under_review', people)
    cards.steam = await submitted(seller, steam)
    cards.answered = await submittedIn('under_review', people)
    await seller.upload(`/api/user/gift-cards/${cards.answered}/answer`, [field('message', 'The shop')])
    cards.offered = await submittedIn('offered', people)
    cards.completed = await submittedIn('completed', people)
    for (const [name, reason] of Object.entries({
      unpayable: 'payout_account_closed',
      stolen: 'Stolen card',
    })) {
      // A closed account is refused for later cards.
      cards[name] = await submittedIn('processing', people, { paymentAccountInfo: `${name}@example.com` })
      await ana.patch(`/api/admin/submissions/${cards[name]}/status`, { status: 'failed', reason })
    }
    cards.last = await submitted(seller)
  })

  it('has views in their own order, counts them, and lists answered submissions first', async () => {
    const expected: Record<View, string[]> = {
      review: ['answered', 'first', 'steam', 'last'],
      waiting: ['asked', 'unpayable'],
      offered: ['offered'],
      pay: ['paying'],
      done: ['stolen', 'completed', 'rejected'],
      all: Object.keys(cards).reverse(),
    }
    for (const view of views) {
      const answer = await list(`view=${view}`)
      expect(ids(answer).map(nameOf)).toEqual(expected[view])
      expect(answer.headers['x-total-count']).toBe(String(expected[view].length))
    }
    const counts = Object.fromEntries(views.map((view) => [view, expected[view].length]))
    expect((await ana.get('/api/admin/queue')).json).toEqual(counts)
  })

  it('says that a payout failed because of its account, on the desk, in the history and in the chat', async () => {
    const flagged = ({ json }: TestAnswer) => ids({ json: json.filter(isFlagged) } as TestAnswer).map(nameOf)
    const isFlagged = (row: { needsAccount?: boolean }) => row.needsAccount
    expect(flagged(await list('view=all'))).toEqual(['unpayable'])
    const { json } = await ana.get(`/api/admin/submissions/${cards.unpayable}`)
    expect(flagged(await ana.get(`/api/admin/chat/cards?userId=${json.sellerId}`))).toEqual(['unpayable'])
    const history = (await ana.get(`/api/admin/submissions/${cards.unpayable}/history`)).json
    expect(history.map(isFlagged)).toEqual([undefined, undefined, true])
  })

  it('pages through a view, and keeps the filters', async () => {
    const found: (string | undefined)[] = []
    for (let address = '/api/admin/submissions?view=review&limit=1'; address; ) {
      const page = await ana.get(address)
      found.push(...ids(page).map(nameOf))
      expect(page.headers['x-total-count']).toBe('4')
      address = page.headers.link ? linked(page) : ''
    }
    expect(found).toEqual(['answered', 'first', 'steam', 'last'])
  })

  it.each([
    ['view=review&sort=newest', ['answered', 'last', 'steam', 'first']],
    ['sort=oldest&limit=2', ['first', 'paying']],
    ['view=done&status=rejected', ['rejected']],
    ['view=done&status=failed', ['stolen']],
    ['view=waiting&status=failed', ['unpayable']],
    ['status=failed', ['stolen', 'unpayable']],
    ['view=done&status=pending', []],
    ['paymentType=venmo', ['steam']],
    ['view=pay&paymentType=venmo', []],
    ['maxAmount=25', ['steam']],
    ['minAmount=25.01&view=pay', ['paying']],
    ['minAmount=25&maxAmount=25.00', ['steam']],
    ['q=sally_7&view=review', ['first', 'steam', 'answered', 'last']],
    ['q=sally_7&view=review&sort=newest&minAmount=30', ['last', 'answered', 'first']],
  ])('filters by %s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  it('filters by the time of submission', async () => {
    const { createdAt } = (await ana.get(`/api/admin/submissions/${cards.asked}`)).json
    expect(await listed(`to=${createdAt}`)).toEqual(['rejected', 'paying', 'first'])
    expect(await listed(`from=${createdAt}&view=review`)).toEqual(['answered', 'steam', 'last'])
    expect(await listed(`from=${createdAt}&to=${createdAt}`)).toEqual([])
    expect((await list(`from=${createdAt}`)).headers['x-total-count']).toBe('8')
  })

  it.each([
    ['view=lost', 'view'],
    ['sort=up', 'sort'],
    ['minAmount=much', 'minAmount'],
    ['maxAmount=-1', 'maxAmount'],
    ['minAmount=30&maxAmount=20', 'minAmount'],
    ['paymentType=gold', 'paymentType'],
    ['claimed=ben', 'claimed'],
    ['from=yesterday', 'from'],
    ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
  ])('refuses %s at its field', async (query, path) => {
    const body = Object.fromEntries(new URLSearchParams(query))
    for (const answer of [await list(query), ...(path === 'sort' ? [] : [await next(ana, body)])]) {
      expect(answer.status).toBe(400)
      expect(answer.json.errors).toMatchObject([{ path }])
    }
  })

  it('gives each person the next one that nobody has, answered ones first, and pushes the claim', async () => {
    const socket = await LiveClient.open(await server.listen(), { cookie: ben.cookieHeader })
    const given = await next(ana)
    expect(given.status).toBe(200)
    expect(given.json).toMatchObject({ id: cards.answered, claimedBy: { username: 'ana' } })
    await expect
      .poll(() => socket.messages.at(-1))
      .toEqual({ type: 'CLAIM_UPDATE', submissionId: cards.answered, claimedBy: given.json.claimedBy })
    socket.close()
    expect((await next(ben)).json.id).toBe(cards.first)
    // Your own claims count as claimed.
    expect((await next(ana, { except: [cards.steam] })).json.id).toBe(cards.last)
    expect((await next(ana, { q: 'sally_7', maxAmount: '30' })).json.id).toBe(cards.steam)
    expect(await next(ana)).toMatchObject({ status: 204, text: '' })

    expect((await next(ben, { view: 'pay' })).json.id).toBe(cards.paying)
    expect((await next(ben, { status: 'completed' })).json.id).toBe(cards.completed)
    expect(await listed('claimed=me&view=review')).toEqual(['answered', 'steam', 'last'])
    expect(await listed('claimed=none')).toEqual(['stolen', 'unpayable', 'offered', 'asked', 'rejected'])
    expect((await list('claimed=none')).headers['x-total-count']).toBe('5')

    // An expired claim does not count.
    await server.pool.query(`update claims set until = now() where gift_card_id = $1`, [cards.last])
    expect((await next(ben)).json.id).toBe(cards.last)
  })
})

it('never gives a submission to two of many who ask at once', async () => {
  const server = await createTestApp()
  const seller = await server.seller()
  const cards: string[] = []
  for (let count = 0; count < 30; count++) cards.push(await submitted(seller))
  const staff = await Promise.all(['ana', 'ben', 'cleo', 'dan'].map((name) => server.staff(name)))
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => next(staff[index % staff.length] as Person)),
  )
  const given = answers.filter(({ status }) => status === 200)
  expect(given.map(({ json }) => json.id).sort()).toEqual(cards.sort())
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(10)
})

describe('the next one', () => {
  let server: TestApp
  let seller: Person
  let ana: Person
  let pia: Person
  beforeAll(async () => {
    server = await createTestApp()
    seller = await server.seller()
    ana = await server.staff('ana', 'reviewer')
    pia = await server.staff('pia', 'payer')
  })
  beforeEach(() => server.pool.query('delete from claims'))

  it('is one that the role may decide on: payers get cards to pay, and claim no others', async () => {
    const people = { seller, staff: ana }
    const [pending, paying] = [await submitted(seller), await submittedIn('processing', people)]
    for (const body of [{ view: 'review' }, { status: 'pending' }, { view: 'waiting' }]) {
      expect((await next(pia, body)).status).toBe(204)
    }
    expect((await next(pia)).json.id).toBe(paying)
    expect((await next(pia)).status).toBe(204)
    expect((await next(ana)).json.id).toBe(pending)
    const claim = await pia.post(`/api/admin/submissions/${pending}/claim`, { takeOver: true })
    expect([claim.status, claim.json.code]).toEqual([403, 'not_permitted'])
    expect((await pia.post(`/api/admin/submissions/${paying}/claim`)).status).toBe(200)
    await ana.patch(`/api/admin/submissions/${pending}/status`, { status: 'rejected', reason: 'Blurry' })
  })

  it('is no appeal against the person who asks, unless nobody else can decide on it', async () => {
    await server.pool.query(`update administrators set disabled_at = now() where username = 'admin'`)
    const id = await submittedIn('rejected', { seller, staff: ana })
    await seller.upload(`/api/user/gift-cards/${id}/appeal`, [field('message', 'Please look again')])
    expect((await next(ana)).json.id).toBe(id)
    const ben = await server.staff('ben', 'reviewer')
    await server.pool.query('delete from claims')
    expect((await next(ana)).status).toBe(204)
    expect((await next(ana, { q: id })).status).toBe(204)
    expect((await next(ben)).json.id).toBe(id)
    await ben.patch(`/api/admin/submissions/${id}/status`, { status: 'rejected', reason: 'Blurry' })
    await server.pool.query(`update administrators set disabled_at = now() where username = 'ben'`)
  })

  it('is waited for while another transaction has locked it', async () => {
    const id = await submitted(seller)
    const client = await server.pool.connect()
    onTestFinished(() => client.release())
    await client.query('begin')
    await client.query('select from gift_cards where id = $1 for update', [id])
    const asked = next(ana)
    await expect
      .poll(async () => {
        const { rowCount } = await server.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return rowCount
      })
      .toBe(1)
    await client.query('commit')
    expect((await asked).json.id).toBe(id)
  })
})
