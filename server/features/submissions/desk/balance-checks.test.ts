import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Part } from '#test/multipart.ts'
import type { Person } from '#test/person.ts'
import { field, photo, photoFiles, submitted } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'
import { eraseOldSecrets } from '../erase.ts'

let server: TestApp
let staff: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  seller = await server.seller()
})

const address = (id: string) => `/api/admin/submissions/${id}/balance-checks`
const read = async (id: string) => (await staff.get(`/api/admin/submissions/${id}`)).json
const move = (id: string, status: string) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'Because' })
const screenshot = (bytes: Buffer): Part => ({ name: 'photo', filename: 'x.png', type: 'image/png', bytes })
const form = (...parts: Part[]) => [field('amount', '80'), field('source', 'website'), ...parts]

describe('a balance check', () => {
  it('is answered, listed and shown with the submission, the latest first', async () => {
    const id = await submitted(seller)
    expect((await read(id)).balanceCheck).toBeNull()
    const first = await staff.post(address(id), { amount: 100, source: 'phone' })
    expect(first.status).toBe(201)
    const note = 'The line said 6006 4930 1234 5678'
    const { status, json } = await staff.post(address(id), { amount: '80.50', source: 'website', note })
    expect([status, json]).toEqual([
      201,
      {
        id: expect.any(String),
        amount: '80.50',
        source: 'website',
        note,
        photo: null,
        by: 'admin',
        at: expect.stringMatching(/Z$/),
      },
    ])
    expect((await read(id)).balanceCheck).toEqual(json)
    const [listed] = (await staff.get(`/api/admin/submissions?q=${id}`)).json
    expect(listed.balanceCheck).toEqual(json)
    expect((await staff.get(address(id))).json).toEqual([json, first.json])
    const audit = await staff.get(`/api/admin/audit?subject=${id}&action=submission.balance_checked`)
    expect(audit.json.map(({ details }: { details: object }) => details)).toEqual([
      { amount: '80.50', source: 'website' },
      { amount: '100.00', source: 'phone' },
    ])
    const { rows } = await server.pool.query('select sealed_note from balance_checks where id = $1', [
      json.id,
    ])
    expect(String(rows[0].sealed_note)).not.toContain('6006')
  })

  it.each([
    [{ amount: '-1', source: 'phone' }, 'balance_invalid'],
    [{ amount: 'lots', source: 'phone' }, 'balance_invalid'],
    [{ amount: '1000.01', source: 'phone' }, 'balance_too_high'],
    [{ amount: '80', source: 'crystal ball' }, 'balance_source_unknown'],
    [{ source: 'phone' }, 'balance_invalid'],
  ])('%j is refused: %s', async (body, code) => {
    const { status, json } = await staff.post(address(await submitted(seller)), body)
    expect([status, json.errors?.[0].code]).toEqual([400, code])
  })

  it('may find nothing on the card', async () => {
    const answer = await staff.post(address(await submitted(seller)), { amount: 0, source: 'store' })
    expect([answer.status, answer.json.amount]).toEqual([201, '0.00'])
  })

  it('can be recorded only by roles that decide', async () => {
    const id = await submitted(seller)
    await staff.post(address(id), { amount: 80, source: 'phone' })
    for (const role of ['payer', 'auditor'] as const) {
      const colleague = await server.staff(`checking-${role}`, role)
      const { json } = await colleague.post(address(id), { amount: 80, source: 'phone' })
      expect(json.code).toBe('not_permitted')
      expect((await colleague.get(address(id))).json).toHaveLength(1)
    }
  })
})

const truncated = (await photo(7)).subarray(0, 300)

describe('the photo of a balance check', () => {
  it('is sealed, shown to those who may see cards, and is not one of the submission’s photos', async () => {
    const id = await submitted(seller)
    const { status, json } = await staff.upload(address(id), form(screenshot(await photo(40))))
    expect(status).toBe(201)
    expect(json.photo).toMatch(/^\/uploads\/[\w-]+\.jpg$/)
    const name = json.photo.split('/').at(-1)
    const opened = await staff.get(`/api/admin/view/${name}`)
    expect([opened.status, opened.headers['content-type']]).toEqual([200, 'image/jpeg'])
    const audit = await staff.get(`/api/admin/audit?subject=${id}&action=submission.photo_viewed`)
    expect(audit.json).toMatchObject([{ actor: 'admin' }])
    const payer = await server.staff('looking-payer', 'payer')
    expect((await payer.get(`/api/admin/view/${name}`)).status).toBe(403)
    expect((await seller.get(`/api/user/images/${name}`)).status).toBe(404)
    expect((await read(id)).images).toHaveLength(1)
    const [own] = (await seller.get('/api/user/gift-cards')).json
    expect(own).toMatchObject({ id, images: [expect.not.stringContaining(name)] })
    // The seller's answer still finds its place among the photos.
    await move(id, 'under_review')
    const answered = await seller.upload(`/api/user/gift-cards/${id}/answer`, [
      { name: 'images', filename: 'back.jpg', type: 'image/jpeg', bytes: await photo(90) },
    ])
    expect([answered.status, answered.json.images.length]).toEqual([200, 2])
    const history = (await staff.get(`/api/admin/submissions/${id}/history`)).json
    expect(history.at(-1).images).toHaveLength(1)
  })

  it.each([
    ['a text', Buffer.from('<svg onload="alert(1)"/>'), 415],
    ['a truncated photo', truncated, 415],
    ['an empty file', Buffer.alloc(0), 415],
  ])('is refused if it is %s, and nothing is kept', async (_what, bytes, status) => {
    const id = await submitted(seller)
    const before = (await photoFiles(server)).length
    const answer = await staff.upload(address(id), form(screenshot(bytes)))
    expect([answer.status, answer.json.errors[0].path]).toEqual([status, 'photo'])
    expect((await read(id)).balanceCheck).toBeNull()
    expect(await photoFiles(server)).toHaveLength(before)
  })

  it('comes alone', async () => {
    const two = [screenshot(await photo(8)), screenshot(await photo(9))]
    const answer = await staff.upload(address(await submitted(seller)), form(...two))
    expect([answer.status, answer.json.errors[0].code]).toEqual([400, 'too_many_photos'])
  })

  it('is erased with the note and the other secrets, after which no check can be recorded', async () => {
    const id = await submitted(seller)
    const note = 'PIN 73195264'
    await staff.upload(address(id), form(field('note', note), screenshot(await photo(50))))
    await move(id, 'rejected')
    await server.pool.query("update gift_cards set updated_at = now() - interval '91 days' where id = $1", [
      id,
    ])
    const before = (await photoFiles(server)).length
    await eraseOldSecrets(server.context, 90)
    expect(before - (await photoFiles(server)).length).toBe(4)
    const { balanceCheck } = await read(id)
    expect(balanceCheck).toMatchObject({ amount: '80.00', note: '(This text was erased)', photo: null })
    const refused = await staff.post(address(id), { amount: 80, source: 'phone' })
    expect([refused.status, refused.json.code]).toEqual([409, 'erased'])
  })

  it('is removed by clear-all', async () => {
    const id = await submitted(seller)
    await staff.upload(address(id), form(screenshot(await photo(60))))
    const { rowCount } = await server.pool.query('select from photos where balance_check_id is not null')
    expect(rowCount).toBeGreaterThan(0)
    await staff.delete('/api/admin/submissions')
    expect((await staff.get(address(id))).status).toBe(404)
    expect((await server.pool.query('select from photos where gift_card_id = $1', [id])).rowCount).toBe(0)
  })
})

const done = { status: 'completed' }

it('a shop can require a balance check of the last day before a valuable card is approved', async () => {
  const shop = await createTestApp({ site: { balanceCheckAbove: 10_000 } })
  const [owner, sally] = [await shop.staff(), await shop.seller()]
  const approve = (id: string, status: string) =>
    owner.patch(`/api/admin/submissions/${id}/status`, { status })
  expect((await approve(await submitted(sally), 'completed')).status).toBe(200)
  const id = await submitted(sally, { denomination: '100.01', sellingPrice: '93.01' })
  const refused = await approve(id, 'processing')
  expect([refused.status, refused.json.code]).toEqual([409, 'balance_check_needed'])
  expect(withoutRandom(refused.json.message)).toBe(
    'Cards above $100 are approved only within 24 hours of a balance check. Please check the balance first.',
  )
  await owner.post(address(id), { amount: '100.01', source: 'phone' })
  await shop.pool.query("update balance_checks set at = at - interval '25 hours'")
  expect((await approve(id, 'completed')).json.code).toBe('balance_check_needed')
  await owner.post(address(id), { amount: '100.01', source: 'phone' })
  expect((await approve(id, 'processing')).status).toBe(200)
  const wait = () => shop.pool.query("update balance_checks set at = at - interval '25 hours'")
  await wait()
  const stale = await approve(id, 'completed')
  expect([stale.status, stale.json.code]).toEqual([409, 'balance_check_needed'])
  expect(withoutRandom(stale.json.message)).toBe(
    'Cards above $100 are paid only within 24 hours of a balance check. A reviewer has to check the balance first.',
  )
  await owner.post(address(id), { amount: '100.01', source: 'phone' })
  const { version } = (await owner.patch(`/api/admin/submissions/${id}/status`, { ...done, undoable: true }))
    .json
  await wait()
  // Undoing needs no check, but deciding again does.
  expect((await owner.post(`/api/admin/submissions/${id}/undo`, { version })).json.status).toBe('processing')
  expect((await approve(id, 'completed')).json.code).toBe('balance_check_needed')
})

describe('a card that the seller accepts to sell 48 hours after the check', () => {
  let shop: TestApp
  let owner: Person
  let sally: Person
  let id: string
  const check = () => owner.post(address(id), { amount: 150, source: 'phone' })
  const wait = async () => shop.pool.query("update balance_checks set at = at - interval '48 hours'")
  const payout = async () => (await owner.get(`/api/admin/payouts?q=${id}&state=due`)).json[0]
  const batch = async () =>
    owner.post('/api/admin/payout-batches', { paymentType: 'paypal', payoutIds: [(await payout()).id] })

  beforeAll(async () => {
    shop = await createTestApp({ site: { balanceCheckAbove: 10_000 } })
    owner = await shop.staff()
  })
  beforeEach(async () => {
    sally = await shop.seller()
    await shop.pool.query('update users set verified = true')
    id = await submitted(sally, { denomination: '200', sellingPrice: '186.00' })
    await check()
    const offer = { status: 'offered', amount: '139.50', reason: 'It holds $150' }
    await owner.patch(`/api/admin/submissions/${id}/status`, offer)
    await wait()
    const accepted = await sally.post(`/api/user/gift-cards/${id}/accept`, { amount: '139.50' })
    expect([accepted.status, accepted.json.status]).toEqual([200, 'approved'])
  })

  it('is not completed or paid by hand before another check', async () => {
    const needed = { status: 409, json: { code: 'balance_check_needed' } }
    const complete = () => owner.patch(`/api/admin/submissions/${id}/status`, done)
    const { id: payoutId } = await payout()
    expect(await complete()).toMatchObject(needed)
    expect(await owner.post(`/api/admin/payouts/${payoutId}/paid`)).toMatchObject(needed)
    const shown = async () => (await owner.get(`/api/admin/submissions/${id}`)).json
    expect(await shown()).toMatchObject({ status: 'processing', balanceCheckNeeded: true })
    await check()
    expect(await shown()).toMatchObject({ balanceCheckNeeded: false })
    expect((await owner.post(`/api/admin/payouts/${payoutId}/paid`)).status).toBe(200)
  })

  it('joins no batch before another check, and does not leave once that check is too old', async () => {
    expect((await payout()).problem).toBe('balance_unchecked')
    const refused = await batch()
    expect([refused.status, refused.json.code]).toEqual([409, 'payout_not_batchable'])
    expect(refused.json.message).toMatch(/needs a balance check of the last 24 hours$/)
    expect((await owner.post('/api/admin/payout-batches', { paymentType: 'paypal' })).json.code).toBe(
      'nothing_due',
    )
    await check()
    expect((await payout()).problem).toBeNull()
    const path = `/api/admin/payout-batches/${(await batch()).json.id}`
    await wait()
    expect((await owner.post(`${path}/freeze`)).json.code).toBe('payout_not_batchable')
    await check()
    expect((await owner.post(`${path}/freeze`)).status).toBe(200)
    await wait()
    expect((await owner.post(`${path}/release`)).json.code).toBe('payout_not_batchable')
    await check()
    expect((await owner.post(`${path}/release`)).status).toBe(200)
    await wait()
    expect((await owner.post(`${path}/file`)).status).toBe(200)
    const [{ id: payoutId }] = (await owner.get(`/api/admin/payouts?q=${id}`)).json
    expect((await owner.post(`/api/admin/payouts/${payoutId}/paid`)).status).toBe(200)
  })
})
