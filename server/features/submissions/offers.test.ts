import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { newNumber, photo, submit, submitted, submittedIn } from '#test/submissions.ts'
import { expireOffers } from './expire.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
})

const move = (id: string, status: string, more: object = {}, by = staff) =>
  by.patch(`/api/admin/submissions/${id}/status`, { status, ...more })
const offer = (id: string, amount = '74.40') => move(id, 'offered', { amount, reason: 'It holds $80' })
const accept = (id: string, amount = '74.40') => seller.post(`/api/user/gift-cards/${id}/accept`, { amount })
const decline = (id: string) => seller.post(`/api/user/gift-cards/${id}/decline`)
const asStaff = async (id: string) => (await staff.get(`/api/admin/submissions/${id}`)).json
const historyOf = async (id: string) => (await staff.get(`/api/admin/submissions/${id}/history`)).json
const paid = async (id: string) => {
  const { rows } = await server.pool.query('select amount from transactions where gift_card_id = $1', [id])
  return Number(rows[0].amount)
}
/** How it ended, according to the seller's submission and transaction. */
const endingOf = async (id: string) => {
  const own = await seller.get(`/api/user/gift-cards/${id}`)
  const sales = await seller.get('/api/my-transactions')
  const sale = sales.json.find(({ giftCardId }: { giftCardId: string }) => giftCardId === id)
  return [own.json.ending, sale.ending]
}
const lapse = (id: string) =>
  server.pool.query(`update gift_cards set offer_expires_at = now() - interval '1 second' where id = $1`, [
    id,
  ])
const expire = () => expireOffers(server.context, new AbortController().signal)

describe('an offer', () => {
  it('shows the seller the balance that was found before it, and no other', async () => {
    const id = await submitted(seller)
    const check = (amount: string) =>
      staff.post(`/api/admin/submissions/${id}/balance-checks`, { amount, source: 'website' })
    const shown = async () => (await seller.get(`/api/user/gift-cards/${id}`)).json.offer
    await check('100.00')
    await offer(id)
    expect(await shown()).toMatchObject({ amount: '74.40', balance: null })
    await move(id, 'pending')
    await check('80.00')
    await offer(id)
    await check('20.00')
    expect(await shown()).toMatchObject({ amount: '74.40', balance: '80.00' })
    const sales = (await seller.get('/api/my-transactions')).json
    expect(sales[0]).toMatchObject({
      giftCardId: id,
      offer: { balance: '80.00' },
      giftCard: { cardNumber: expect.stringMatching(/^•••• \d{4}$/) },
    })
    await accept(id)
    expect(await shown()).toBeNull()
  })

  it('shows both prices to both sides, and accepting it changes what is paid', async () => {
    const id = await submitted(seller)
    const made = await offer(id)
    expect(made.json).toMatchObject({
      status: 'offered',
      sellingPrice: '93.00',
      quotedPrice: '93.00',
      offer: { amount: '74.40', reason: 'It holds $80', expiresAt: expect.any(String) },
    })
    const hours = (Date.parse(made.json.offer.expiresAt) - Date.parse(made.json.updatedAt)) / 3_600_000
    expect(hours).toBe(72)
    const [own] = (await seller.get('/api/user/gift-cards')).json
    expect(own).toMatchObject({ status: 'offered', offer: made.json.offer, sellingPrice: '93.00' })
    const accepted = await accept(id)
    expect(accepted.status).toBe(200)
    expect(accepted.json).toMatchObject({
      status: 'approved',
      sellingPrice: '74.40',
      quotedPrice: '93.00',
      offer: null,
    })
    expect(await paid(id)).toBe(7440)
    expect(await historyOf(id)).toMatchObject([
      { move: 'submit' },
      { move: 'offer', amount: '74.40', reason: 'It holds $80', by: 'admin' },
      { move: 'accept', amount: '74.40' },
    ])
  })

  it('cannot be accepted once another submission of the number was approved', async () => {
    const cardNumber = newNumber()
    const id = await submitted(seller, { cardNumber })
    await offer(id)
    await submittedIn('processing', { seller, staff }, { cardNumber })
    const refused = await accept(id)
    expect([refused.status, refused.json.code, refused.json.message]).toEqual([
      409,
      'offer_changed',
      'We have already bought a card with this number, so we cannot pay for it again.',
    ])
    await staff.post(`/api/admin/submissions/${id}/acknowledge`, {
      code: 'same_number_completed',
      reason: 'The card was reloaded',
    })
    expect((await accept(id)).status).toBe(200)
  })

  it.each([
    [{ reason: 'Less' }, 'amount', 'offer_amount_required'],
    [{ reason: 'Less', amount: '0' }, 'amount', 'offer_amount_required'],
    [{ reason: 'Less', amount: '-1' }, 'amount', 'offer_amount_required'],
    [{ reason: 'Less', amount: 'ten' }, 'amount', 'offer_amount_invalid'],
    [{ reason: 'Less', amount: '100.01' }, 'amount', 'offer_amount_too_high'],
    [{ amount: '74.40' }, 'reason', 'reason_required'],
  ])('is refused at its field for %j', async (body, path, code) => {
    const answer = await move(await submitted(seller), 'offered', body)
    expect([answer.status, answer.json.errors]).toMatchObject([400, [{ path, code }]])
  })

  it('may be the whole face value', async () => {
    expect((await offer(await submitted(seller), '100')).status).toBe(200)
  })

  it('is accepted only at the amount that the seller saw', async () => {
    const id = await submittedIn('offered', { seller, staff })
    const answer = await accept(id, '93.00')
    expect([answer.status, answer.json.code]).toEqual([409, 'offer_changed'])
    expect(answer.json.message).toContain('$74.40')
    expect((await asStaff(id)).status).toBe('offered')
  })

  it.each([
    ['declined', decline, 'cancelled'],
    ['taken back', (id: string) => move(id, 'pending'), 'pending'],
  ])('that is %s keeps the quoted price', async (_how, end, status) => {
    const id = await submittedIn('offered', { seller, staff })
    expect((await end(id)).status).toBe(200)
    expect(await asStaff(id)).toMatchObject({ status, sellingPrice: '93.00', offer: null })
    expect(await paid(id)).toBe(9300)
    expect((await accept(id)).status).toBe(409)
  })

  it('expires after its time, and can then no longer be accepted', async () => {
    const id = await submittedIn('offered', { seller, staff })
    await lapse(id)
    expect((await accept(id)).json).toMatchObject({ code: 'offer_changed', message: 'This offer has ended' })
    const [first, second] = await Promise.all([expire(), expire()])
    expect(first + second).toBe(1)
    expect(await asStaff(id)).toMatchObject({ status: 'cancelled', offer: null })
    expect(await endingOf(id)).toEqual(['expire', 'expire'])
    expect((await historyOf(id)).at(-1)).toMatchObject({ move: 'expire', by: 'system' })
    const audit = await staff.get(`/api/admin/audit?subject=${id}`)
    expect(audit.json[0]).toMatchObject({ actorKind: 'system', action: 'submission.moved' })
  })

  it.each([
    ['declined', async (id: string) => decline(id), 'offered', 'decline'],
    [
      'withdrawn',
      async (id: string) => seller.post(`/api/user/gift-cards/${id}/withdraw`),
      'pending',
      'withdraw',
    ],
  ] as const)('tells a card that was %s from other cancelled ones', async (_how, end, from, ending) => {
    const id = await submittedIn(from, { seller, staff })
    expect(await endingOf(id)).toEqual([null, null])
    expect((await end(id)).json).toMatchObject({ status: 'cancelled', ending })
    expect(await endingOf(id)).toEqual([ending, ending])
  })
})

describe('an appeal', () => {
  const appeal = async (id: string, message = 'The receipt shows that it is mine') =>
    seller.upload(`/api/user/gift-cards/${id}/appeal`, [
      { name: 'message', value: message },
      { name: 'images', filename: 'r.jpg', type: 'image/jpeg', bytes: await photo(90) },
    ])

  it('brings a rejected card back once, with message and photos, to the top of the queue', async () => {
    const id = await submittedIn('rejected', { seller, staff })
    const [rejected] = (await seller.get('/api/user/gift-cards')).json
    expect(Date.parse(rejected.appealUntil)).toBeGreaterThan(Date.now() + 13 * 24 * 3_600_000)
    const answer = await appeal(id)
    expect(answer.json).toMatchObject({ status: 'pending', appealed: true, appealUntil: null })
    expect(await asStaff(id)).toMatchObject({ status: 'pending', appealed: true, answered: true })
    const record = await staff.get(`/api/admin/submissions/${id}/seller-record`)
    expect(record.json, 'the rejection still counts').toMatchObject({ rejected: 1, appealed: 1 })
    expect((await historyOf(id)).at(-1)).toMatchObject({
      move: 'appeal',
      reason: 'The receipt shows that it is mine',
      images: [expect.any(String)],
    })
    await move(id, 'rejected', { reason: 'Still not' }, await server.staff('bea'))
    expect((await appeal(id)).json.message).toBe('You have already appealed this decision')
  })

  it.each([
    ['', 'appeal_required'],
    ['Please', 'appeal_too_short'],
  ])('with the message %j is refused at its field', async (message, code) => {
    const answer = await appeal(await submittedIn('rejected', { seller, staff }), message)
    expect([answer.status, answer.json.errors]).toMatchObject([400, [{ path: 'message', code }]])
  })

  it('is possible for 14 days, and only after a rejection', async () => {
    const id = await submittedIn('rejected', { seller, staff })
    await server.pool.query(`update gift_cards set updated_at = now() - interval '15 days' where id = $1`, [
      id,
    ])
    expect((await appeal(id)).json.code).toBe('illegal_move')
    expect((await appeal(await submittedIn('under_review', { seller, staff }))).status).toBe(409)
  })

  it('is decided by another person, as long as there is one', async () => {
    const alone = await createTestApp()
    const own = { seller: await alone.seller(), staff: await alone.staff() }
    const id = await submittedIn('rejected', own)
    await own.seller.upload(`/api/user/gift-cards/${id}/appeal`, [
      { name: 'message', value: 'Please look again' },
    ])
    const isOther = async () => (await own.staff.get(`/api/admin/submissions/${id}`)).json.secondPersonNeeded
    expect(await isOther()).toBeUndefined()
    const ben = await alone.staff('ben')
    expect(await isOther()).toBe(true)
    expect((await ben.get(`/api/admin/submissions/${id}`)).json.secondPersonNeeded).toBeUndefined()
    const refused = await move(id, 'completed', {}, own.staff)
    expect([refused.status, refused.json.code]).toEqual([403, 'second_person_needed'])
    expect((await move(id, 'under_review', { reason: 'Which shop?' }, own.staff)).status).toBe(200)
    await alone.pool.query(`update administrators set disabled_at = now() where username = 'ben'`)
    expect((await move(id, 'rejected', { reason: 'No' }, own.staff)).status).toBe(200)
    expect((await ben.get('/api/admin/me')).status).toBe(401)
  })

  it('is never decided by the person whose rejection still counts, even if others rejected and undid that since', async () => {
    const [ana, ben] = [await server.staff('ana'), await server.staff('ben')]
    const id = await submitted(seller)
    const undone = async (by: Person, status: string) => {
      const { version } = (await move(id, status, { reason: 'Blurry', undoable: true }, by)).json
      return by.post(`/api/admin/submissions/${id}/undo`, { version })
    }
    expect((await undone(ben, 'rejected')).status).toBe(200)
    await move(id, 'rejected', { reason: 'Blurry' }, ana)
    await appeal(id)
    for (const status of ['rejected', 'completed', 'rejected']) {
      expect((await undone(ben, status)).status).toBe(200)
      for (const next of ['completed', 'processing', 'rejected', 'offered']) {
        const refused = await move(id, next, { reason: 'No', amount: '50' }, ana)
        expect([refused.status, refused.json.code]).toEqual([403, 'second_person_needed'])
      }
    }
    expect((await move(id, 'processing', {}, ben)).status).toBe(200)
  })
})

describe('a rejection of a card that was submitted again', () => {
  const paypal = { paymentType: 'paypal' }

  it.each([
    ['under another number', {}],
    ['without a number', { cardNumber: 'N/A' }],
  ])('cannot be reverted, also if it came %s', async (_how, fields) => {
    const id = await submittedIn('rejected', { seller, staff }, { ...paypal, ...fields })
    const again = await submitted(seller, { ...paypal, ...fields, resubmissionOf: id })
    for (const status of ['pending', 'completed']) {
      if (status !== 'pending') expect((await move(again, status)).status).toBe(200)
      const refused = await move(id, 'processing')
      expect([refused.status, refused.json.code]).toEqual([409, 'illegal_move'])
      expect(refused.json.message).toBe(
        `The seller has submitted this card again as ${referenceOf(again)}. Decide on that submission instead.`,
      )
    }
    const { rows } = await server.pool.query('select 1 from payouts where gift_card_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('can be reverted if the seller withdrew the other one, which then stays withdrawn', async () => {
    const id = await submittedIn('rejected', { seller, staff })
    const again = await submitted(seller, { resubmissionOf: id })
    await seller.post(`/api/user/gift-cards/${again}/withdraw`)
    expect((await move(id, 'processing')).status).toBe(200)
    expect((await move(again, 'processing')).status).toBe(409)
  })

  it('is reverted only if nobody submits the card again at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await submittedIn('rejected', { seller, staff })
      const [reverted, again] = await Promise.all([
        move(id, 'processing'),
        submit(seller, { resubmissionOf: id }),
      ])
      expect([reverted.status === 200, again.status === 201].filter(Boolean)).toHaveLength(1)
    }
  })

  it('needs an acknowledgement if the same number was paid without being linked', async () => {
    const cardNumber = newNumber()
    const id = await submittedIn('rejected', { seller, staff }, { cardNumber })
    await submittedIn('completed', { seller, staff }, { cardNumber })
    for (const by of [staff, await server.staff('bea')]) {
      expect((await move(id, 'processing', {}, by)).json.code).toBe('risk_not_acknowledged')
    }
  })
})

describe('a decision that can be undone', () => {
  const undo = (id: string, version: number, by = staff) =>
    by.post(`/api/admin/submissions/${id}/undo`, { version })
  const mails = async (id: string) => {
    const { rows } = await server.pool.query(
      `select payload->>'version' as version, run_at > now() as waits from jobs
       where kind = 'statusMail' and payload->>'giftCardId' = $1 order by 1`,
      [id],
    )
    return rows.slice(1)
  }

  it.each([
    ['pending', 'completed', {}],
    ['pending', 'processing', {}],
    ['pending', 'rejected', { reason: 'Blurry' }],
    ['under_review', 'rejected', { reason: 'Blurry' }],
    ['processing', 'completed', {}],
  ] as const)(
    'from %s to %s restores what was, mails nobody and leaves no trace for the seller',
    async (from, to, more) => {
      const id = await submittedIn(from, { seller, staff })
      const before = await asStaff(id)
      const mailed = await mails(id)
      const shown = (await seller.get(`/api/user/gift-cards/${id}/history`)).json
      const moved = await move(id, to, { ...more, undoable: true })
      expect((await mails(id)).at(-1)).toMatchObject({ waits: true })
      const undone = await undo(id, moved.json.version)
      expect(undone.status).toBe(200)
      expect({ ...undone.json, version: 0, updatedAt: '' }).toEqual({ ...before, version: 0, updatedAt: '' })
      expect(await mails(id)).toEqual(mailed)
      expect((await historyOf(id)).slice(-2)).toMatchObject([{ to }, { move: 'undo', to: from }])
      expect((await seller.get(`/api/user/gift-cards/${id}/history`)).json).toEqual(shown)
      const audit = await staff.get(`/api/admin/audit?subject=${id}`)
      expect(audit.json.slice(0, 2)).toMatchObject([
        { action: 'submission.undone' },
        { action: 'submission.moved' },
      ])
    },
  )

  it.each(['answer', 'appeal'] as const)('twice keeps the %s of the seller in sight', async (how) => {
    const id = await submittedIn(how === 'answer' ? 'under_review' : 'rejected', { seller, staff })
    const message = { name: 'message', value: 'The receipt shows that it is mine' }
    await seller.upload(`/api/user/gift-cards/${id}/${how}`, [message])
    const bea = await server.staff('bea')
    for (const status of ['rejected', 'processing', 'rejected']) {
      const { version } = (await move(id, status, { reason: 'Blurry', undoable: true }, bea)).json
      expect((await undo(id, version, bea)).json).toMatchObject({ status: 'pending', answered: true })
      expect((await undo(id, version + 1, bea)).json.code).toBe('undo_too_late')
    }
  })

  it('can be undone only by who made it, once, in its time, and not without having asked for it', async () => {
    const late = { status: 409, json: { code: 'undo_too_late' } }
    const id = await submitted(seller)
    const { version } = (await move(id, 'completed', { undoable: true })).json
    expect(await undo(id, version, await server.staff('carl'))).toMatchObject(late)
    expect(await undo(id, version - 1)).toMatchObject({ status: 409, json: { code: 'status_changed' } })
    await server.pool.query(`update jobs set run_at = now() where key = $1`, [`${id}:${version}`])
    expect(await undo(id, version)).toMatchObject(late)
    const plain = await submitted(seller)
    const moved = await move(plain, 'completed')
    expect(await undo(plain, moved.json.version)).toMatchObject(late)
  })

  it('cannot be an offer, even while its email waits for the receipt of the sale', async () => {
    const id = await submitted(seller, { saleId: randomUUID() })
    const { version } = (await offer(id)).json
    await server.pool.query(`update jobs set run_at = now() + interval '1 minute' where key = $1`, [
      `${id}:${version}`,
    ])
    expect(await undo(id, version)).toMatchObject({ status: 409, json: { code: 'undo_too_late' } })
    expect((await asStaff(id)).status).toBe('offered')
  })

  it('cannot be undone once the seller has submitted the rejected card again', async () => {
    const id = await submitted(seller)
    const { version } = (await move(id, 'rejected', { reason: 'Blurry', undoable: true })).json
    await submitted(seller, { resubmissionOf: id })
    expect(await undo(id, version)).toMatchObject({ status: 409, json: { code: 'undo_too_late' } })
  })

  it('is undone once, even if it is requested twice at the same time', async () => {
    const id = await submitted(seller)
    const { version } = (await move(id, 'rejected', { reason: 'Blurry', undoable: true })).json
    const answers = await Promise.all([undo(id, version), undo(id, version)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
