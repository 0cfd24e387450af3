import { beforeAll, describe, expect, it, vi } from 'vitest'
import { findMove, type Status, statuses } from '#domain/submission.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { countSent } from '#test/round-trips.ts'
import { submitted, submittedIn } from '#test/submissions.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
})

const move = (id: string, status: string, more: object = {}) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, ...more })

const submissionIn = (status: Status) => submittedIn(status, { seller, staff })

describe('a move by staff', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))

  it.each(pairs)('from %s to %s follows the table', async (from, to) => {
    const id = await submissionIn(from)
    const { version } = (await staff.get(`/api/admin/submissions/${id}`)).json
    const answer = await move(id, to, { reason: 'Because', version, amount: '74.40' })
    expect(answer.status).toBe(findMove(from, to, 'staff') ? 200 : 409)
    const now = await staff.get(`/api/admin/submissions/${id}`)
    expect(now.json.status).toBe(answer.status === 200 ? to : from)
    // The answer is composed without reading the row again, so compare it with the row.
    if (answer.status === 200) expect(answer.json).toEqual(now.json)
  })

  // The session, begin, the lock, checks if it agrees to pay, what is written, what is answered, and the commit.
  it.each([
    ['pending', 'processing', 21, 9],
    ['pending', 'completed', 28, 11],
    ['processing', 'completed', 25, 10],
    ['completed', 'processing', 20, 9],
    ['processing', 'failed', 19, 9],
    ['pending', 'rejected', 15, 7],
    ['pending', 'under_review', 15, 7],
  ] as const)(
    'from %s to %s takes %i statements in %i round trips at most',
    async (from, to, statements, most) => {
      const id = await submissionIn(from)
      const { version } = (await staff.get(`/api/admin/submissions/${id}`)).json
      const sent = await countSent(server.pool, () => move(id, to, { reason: 'Because', version }))
      expect(sent.statements).toBe(statements)
      // Fewer if answers overlap.
      expect(sent.roundTrips).toBeLessThanOrEqual(most)
    },
  )

  it('is dated by the database, however wrong the server’s clock is', async () => {
    const id = await submitted(seller)
    const before = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: before - 91 * 24 * 3600 * 1000 })
    const answer = await move(id, 'completed').finally(() => vi.useRealTimers())
    expect(answer.status).toBe(200)
    expect(Date.parse(answer.json.updatedAt)).toBeGreaterThanOrEqual(before)
    const history = await staff.get(`/api/admin/submissions/${id}/history`)
    expect(Date.parse(history.json.at(-1).at)).toBeGreaterThanOrEqual(before)
  })

  it.each([
    ['pending', 'rejected'],
    ['pending', 'under_review'],
    ['under_review', 'rejected'],
    ['processing', 'failed'],
  ] as const)('from %s to %s requires a text', async (from, to) => {
    const id = await submissionIn(from)
    for (const reason of [undefined, '', '   ']) {
      const answer = await move(id, to, { reason })
      expect(answer.status).toBe(400)
      expect(answer.json.errors[0].path).toBe('reason')
    }
  })

  it('is 400 for an unknown status or an invalid id, and 404 for an unknown submission', async () => {
    const id = await submissionIn('pending')
    expect((await move(id, 'paid')).status).toBe(400)
    expect((await move('01890000-0000-7000-8000-000000000000', 'completed')).status).toBe(404)
    expect((await move('1', 'completed')).status).toBe(400)
  })

  it('reverts a completed payout only with the version that was seen', async () => {
    const id = await submissionIn('completed')
    const blind = await move(id, 'processing')
    expect([blind.status, blind.json.errors]).toEqual([
      400,
      [
        {
          path: 'version',
          message: 'Send the version you saw to revert a completed payout',
          code: 'version_required',
        },
      ],
    ])
    expect((await move(id, 'processing', { version: 1 })).json.code).toBe('status_changed')
    expect((await move(id, 'processing', { version: 2 })).status).toBe(200)
  })

  it('answers with the next version, and refuses an old version with the current status', async () => {
    const id = await submissionIn('pending')
    const first = await move(id, 'processing', { version: 1 })
    expect(first.json).toMatchObject({ status: 'processing', version: 2 })
    const late = await move(id, 'completed', { version: 1 })
    expect(late.status).toBe(409)
    expect(late.json).toMatchObject({
      code: 'status_changed',
      message: expect.stringContaining('Processing'),
    })
  })

  it('succeeds for one of twenty concurrent requests', async () => {
    const id = await submissionIn('pending')
    const wishes = Array.from(
      { length: 20 },
      (_, index) => ['processing', 'completed', 'rejected'][index % 3] ?? '',
    )
    const answers = await Promise.all(wishes.map((to) => move(id, to, { reason: 'Race', version: 1 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const history = await staff.get(`/api/admin/submissions/${id}/history`)
    expect(history.json).toHaveLength(2)
  })

  it('shows its reason to the seller and to staff', async () => {
    const id = await submissionIn('rejected')
    const seen = await staff.get(`/api/admin/submissions/${id}`)
    expect(seen.json).toMatchObject({ statusReason: 'Blurry', rejectionReason: 'Blurry' })
    const own = await seller.get('/api/user/gift-cards?limit=1')
    expect(own.json[0]).toMatchObject({ id, status: 'rejected', statusReason: 'Blurry' })
    const transactions = await seller.get('/api/my-transactions?limit=1')
    expect(transactions.json[0]).toMatchObject({ giftCardId: id, status: 'rejected', statusReason: 'Blurry' })
  })

  it('to completed updates the seller’s earnings and trades, and who paid', async () => {
    const rich = await server.seller()
    const id = await submitted(rich)
    await submitted(rich, { denomination: '50', sellingPrice: '46.50' })
    await move(id, 'processing')
    expect((await rich.get('/api/user/gift-cards')).json[1].status).toBe('approved')
    expect((await rich.get('/api/user/earnings')).json).toEqual({
      totalEarned: '0.00',
      totalTransactions: 2,
      pendingCount: 1,
    })
    await move(id, 'completed')
    expect((await rich.get('/api/user/earnings')).json.totalEarned).toBe('93.00')
    const [, paid] = (await rich.get('/api/my-transactions')).json
    expect(paid).toMatchObject({ status: 'completed', buyerId: staff.id })
    const trades = () => server.pool.query('select trade_count from users where id = $1', [rich.id])
    expect((await trades()).rows[0].trade_count).toBe(1)
    await move(id, 'processing', { version: 3 })
    expect((await trades()).rows[0].trade_count).toBe(0)
    expect((await rich.get('/api/user/earnings')).json.totalEarned).toBe('0.00')
  })
})

describe('a lost race', () => {
  const NOW = '(just now|\\d+ seconds? ago)'

  it.each([
    ['processing', {}, 'ana started processing it', 'Processing'],
    ['completed', {}, 'ana approved it', 'Completed'],
    ['rejected', { reason: 'Blurry' }, 'ana rejected it', 'Rejected'],
    ['under_review', { reason: 'Which shop?' }, 'ana asked the seller about it', 'Waiting for Seller'],
  ])('to %s says who made it and when', async (to, more, did, label) => {
    const ana = await server.staff('ana')
    const id = await submitted(seller)
    await ana.patch(`/api/admin/submissions/${id}/status`, { status: to, ...more })
    const late = await move(id, 'completed', { version: 1 })
    expect(late.status).toBe(409)
    expect(late.json.code).toBe('status_changed')
    expect(late.json.message).toMatch(new RegExp(`^${did} ${NOW}\\. Its status is ${label} now\\.$`))
  })

  it('says how long ago the other move was', async () => {
    const id = await submitted(seller)
    await server.pool.query(`
      insert into status_history (gift_card_id, version, from_status, to_status, by_kind, by_id, at)
      values ('${id}', 2, 'pending', 'processing', 'staff', '${staff.id}', now() - interval '12 minutes 30 seconds')`)
    await server.pool.query("update gift_cards set status = 'processing', version = 2 where id = $1", [id])
    const late = await move(id, 'rejected', { version: 1, reason: 'Late' })
    expect(late.json.message).toBe(
      'admin started processing it 12 minutes ago. Its status is Processing now.',
    )
  })

  it('to a withdrawal says that it was the seller, also without a version', async () => {
    const id = await submitted(seller)
    await seller.post(`/api/user/gift-cards/${id}/withdraw`)
    expect((await move(id, 'completed', { version: 1 })).json.message).toMatch(
      new RegExp(`^The seller withdrew it ${NOW}\\. Its status is Cancelled now\\.$`),
    )
    expect((await move(id, 'completed')).json).toMatchObject({
      code: 'illegal_move',
      message: expect.stringMatching(
        new RegExp(
          `^The seller withdrew it ${NOW}\\. Its status is Cancelled now and cannot become Completed\\.$`,
        ),
      ),
    })
  })

  it("of a seller names no administrator and speaks the seller's words", async () => {
    const id = await submitted(seller)
    await move(id, 'processing')
    const late = await seller.post(`/api/user/gift-cards/${id}/withdraw`)
    expect(late.status).toBe(409)
    expect(late.json.message).toMatch(
      new RegExp(
        `^Our staff started processing it ${NOW}\\. Its status is Approved now and cannot become Cancelled\\.$`,
      ),
    )
  })
})
