import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'

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
    [{ comment: 'x'.repeat(2001) }, 'comment'],
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
