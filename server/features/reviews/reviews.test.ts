import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { submit, submitted } from '#test/submissions.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
})

const review = (transactionId: unknown, fields: object = {}, person = seller) =>
  person.post('/api/reviews', { transactionId, rating: 5, ...fields })

/** Makes a transaction, and moves it if a status is given. @returns its id and its submission's */
async function sold(status?: string) {
  const giftCardId = await submitted(seller)
  if (status) await staff.patch(`/api/admin/submissions/${giftCardId}/status`, { status, reason: 'x' })
  const [{ id }] = (await seller.get('/api/my-transactions')).json
  return { id, giftCardId }
}

async function rating() {
  const { rows } = await server.pool.query('select rating, review_count from administrators where id = $1', [
    staff.id,
  ])
  return [rows[0].rating, rows[0].review_count]
}

describe('a review', () => {
  it('is accepted from the seller of a completed transaction and counted for who completed it', async () => {
    const { id } = await sold('completed')
    const comment = '<b>Fast</b> & "friendly" 🎉'
    const answer = await review(id, { rating: 4, comment: ` ${comment} `, revieweeId: seller.id })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      id: expect.any(String),
      reviewerId: seller.id,
      revieweeId: staff.id,
      transactionId: id,
      rating: 4,
      comment,
      createdAt: expect.any(String),
    })
    expect(await rating()).toEqual(['4.00', 1])
    expect((await review((await sold('completed')).id, { rating: 5 })).json.comment).toBeNull()
    await review((await sold('completed')).id, { rating: 5 })
    expect(await rating()).toEqual(['4.67', 3])
  })

  it('is accepted once, even if ten are sent at the same time', async () => {
    const { id } = await sold('completed')
    const [, before] = await rating()
    const answers = await Promise.all(Array.from({ length: 10 }, () => review(id, { rating: 1 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    expect(await rating()).toEqual([expect.any(String), before + 1])
  })

  it('is counted correctly when several transactions are reviewed at once', async () => {
    const ids = [await sold('completed'), await sold('completed'), await sold('completed')]
    const [, before] = await rating()
    await Promise.all(ids.map(({ id }) => review(id)))
    expect(await rating()).toEqual([expect.any(String), before + 3])
  })

  it.each([undefined, 'processing', 'rejected'])('is refused while it is %s', async (status) => {
    const answer = await review((await sold(status)).id)
    expect(answer.status).toBe(409)
    expect(answer.json.message).toBe('A transaction can be reviewed once it is completed')
  })

  it('is refused after the completion was reverted', async () => {
    const { id, giftCardId } = await sold('completed')
    await staff.patch(`/api/admin/submissions/${giftCardId}/status`, {
      status: 'processing',
      version: 2,
    })
    expect((await review(id)).status).toBe(409)
  })

  it("answers the same for another seller's transaction and for an unknown one", async () => {
    const { id } = await sold('completed')
    const stranger = await server.seller()
    const others = await review(id, {}, stranger)
    const missing = await review('01890000-0000-7000-8000-000000000000', {}, stranger)
    expect([others.status, missing.status]).toEqual([404, 404])
    expect(others.text).toBe(missing.text)
  })

  it.each([0, 6, -1, 4.5, '5', null, true, [5], undefined])('refuses the rating %j', async (wrong) => {
    const answer = await review('01890000-0000-7000-8000-000000000000', { rating: wrong })
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toEqual([
      { path: 'rating', message: 'Rating must be a whole number from 1 to 5', code: 'rating_out_of_range' },
    ])
  })

  it.each([
    [{ comment: 'x'.repeat(501) }, 'comment'],
    [{ comment: '\ud800' }, 'comment'],
    [{ comment: 7 }, 'comment'],
    [{ transactionId: 'x' }, 'transactionId'],
    [{ transactionId: undefined }, 'transactionId'],
  ])('is refused with %j', async (fields, path) => {
    const answer = await review('01890000-0000-7000-8000-000000000000', fields)
    expect(answer.status).toBe(400)
    expect(answer.json.errors[0].path).toBe(path)
  })
})

it('is refused with a card number in its text', async () => {
  const answer = await review((await sold('completed')).id, {
    comment: 'Paid for 6006 4912 3456 7890 quickly',
  })
  expect(answer.status).toBe(400)
  expect(answer.json.errors).toMatchObject([{ path: 'comment', code: 'review_card_number' }])
})

describe('a sale of several cards', () => {
  const newSale = async () => {
    const saleId = crypto.randomUUID()
    return [await soldIn(saleId), await soldIn(saleId)] as const
  }
  async function soldIn(saleId: string) {
    const { giftCard, transaction } = (await submit(seller, { saleId })).json
    await staff.patch(`/api/admin/submissions/${giftCard.id}/status`, { status: 'completed' })
    return { card: giftCard.id, transaction: transaction.id }
  }
  const toReview = async (card: string) => (await seller.get(`/api/user/gift-cards/${card}`)).json.toReview

  it('is reviewed once, by any of its cards', async () => {
    const [one, other] = await newSale()
    expect(await toReview(one.card)).toBe(one.transaction)
    expect(await toReview(other.card)).toBe(other.transaction)
    expect((await review(other.transaction)).status).toBe(201)
    expect([await toReview(one.card), await toReview(other.card)]).toEqual([null, null])
    expect((await review(one.transaction)).json.message).toBe('You have already reviewed this sale')
  })

  it('is reviewed once, even by both cards at the same time', async () => {
    const sale = await newSale()
    const answers = await Promise.all(sale.map(({ transaction }) => review(transaction)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })
})

it('is asked for while the payout is paid and recent', async () => {
  const { id, giftCardId } = await sold('processing')
  const toReview = async () => (await seller.get(`/api/user/gift-cards/${giftCardId}`)).json.toReview
  expect(await toReview()).toBeNull()
  await staff.patch(`/api/admin/submissions/${giftCardId}/status`, { status: 'completed' })
  expect(await toReview()).toBe(id)
  await server.pool.query("update gift_cards set updated_at = now() - interval '31 days' where id = $1", [
    giftCardId,
  ])
  expect(await toReview()).toBeNull()
})

describe('reviews for visitors', () => {
  let shop: TestApp
  let manager: Person
  beforeAll(async () => {
    shop = await createTestApp()
    manager = await shop.staff()
  })

  /** A review of a completed sale. @returns its id */
  async function written(by: Person, comment?: string, rating = 5): Promise<string> {
    const { giftCard, transaction } = (await submit(by)).json
    await manager.patch(`/api/admin/submissions/${giftCard.id}/status`, { status: 'completed' })
    return (await by.post('/api/reviews', { transactionId: transaction.id, rating, comment })).json.id
  }
  const decide = (id: string, state: string, by = manager) => by.patch(`/api/admin/reviews/${id}`, { state })
  const shown = async () =>
    (await shop.visitor().get('/api/reviews')).json.map(({ comment }: { comment: string }) => comment)
  const waiting = async () => (await manager.get('/api/admin/reviews?state=waiting')).json

  it('are the newest approved ones of three sellers, and empty with fewer', async () => {
    const [maria, luis, ana] = [await shop.seller(), await shop.seller(), await shop.seller()]
    await maria.put('/api/user/profile', { firstName: 'María José', lastName: 'G', email: 'm@example.com' })
    const first = await written(maria, 'Quick')
    const others = [await written(luis, 'Slow but fair', 3), await written(ana, 'Kind')]
    await written(ana)
    expect(await waiting()).toHaveLength(3)
    expect(await shown()).toEqual([])
    for (const id of [first, ...others]) expect((await decide(id, 'approved')).status).toBe(200)
    expect(await shown()).toEqual(['Kind', 'Slow but fair', 'Quick'])
    expect(await waiting()).toEqual([])

    const second = await written(maria, 'Again')
    expect(await shown()).toEqual(['Kind', 'Slow but fair', 'Quick'])
    await decide(second, 'approved')
    expect(await shown()).toEqual(['Again', 'Kind', 'Slow but fair'])
    await maria.put('/api/user/profile', { firstName: 'Call 555', lastName: 'G', email: 'm@example.com' })
    const [newest] = (await shop.visitor().get('/api/reviews')).json
    expect(newest).toEqual({
      id: second,
      rating: 5,
      comment: 'Again',
      firstName: 'María',
      locale: 'en',
      month: new Date().toISOString().slice(0, 7),
    })

    await decide(second, 'hidden')
    expect(await shown()).toEqual(['Kind', 'Slow but fair', 'Quick'])
    const back = await decide(second, 'approved')
    expect([back.status, back.json.message]).toEqual([409, 'A hidden review stays hidden'])
    const deleted = await luis.send({
      method: 'DELETE',
      url: '/api/user',
      payload: { password: SELLER_PASSWORD },
    })
    expect(deleted.status).toBe(200)
    expect(await shown()).toEqual([])
    const log = (await manager.get('/api/admin/audit?action=review.hidden')).json
    expect(log).toMatchObject([{ subjectKind: 'review', subject: second }])
  })

  it('are decided by managers, one way or the other', async () => {
    const id = await written(await shop.seller(), 'Fine')
    const reviewer = await shop.staff('rob', 'reviewer')
    expect((await decide(id, 'approved', reviewer)).status).toBe(403)
    expect((await reviewer.get('/api/admin/reviews')).status).toBe(403)
    for (const state of ['waiting', 'shown', '']) expect((await decide(id, state)).status).toBe(400)
    const both = await Promise.all([decide(id, 'approved'), decide(id, 'hidden')])
    expect(both.map(({ status }) => status)).toContain(200)
    expect((await manager.get('/api/admin/reviews?state=hidden')).json[0].id).toBe(id)
  })
})
