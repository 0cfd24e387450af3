import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { WirePayout } from '#contract/payouts.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { batchOf, duePayout, pathOf } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'

let server: TestApp
let owner: Person
let pia: Person
let pat: Person
let auditor: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  owner = await server.staff()
  pia = await server.staff('pia', 'payer')
  pat = await server.staff('pat', 'payer')
  auditor = await server.staff('ada', 'auditor')
})
beforeEach(async () => {
  seller = await server.seller()
})

const due = (fields = {}): Promise<WirePayout> => duePayout(server, seller, owner, fields)
const read = async ({ id }: { id: string }): Promise<WirePayout> =>
  (await owner.get(`/api/admin/payouts/${id}`)).json
const statusOf = async ({ submissionId }: WirePayout) =>
  (await owner.get(`/api/admin/submissions/${submissionId}`)).json.status
const refusal = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code]

it('a batch is frozen by one person, released by another, downloaded as the same bytes, and paid', async () => {
  const payouts = [await due(), await due()]
  const batch = await batchOf(
    pia,
    'paypal',
    payouts.map(({ id }) => id),
  )
  expect(batch).toMatchObject({ state: 'open', file: 'paypal', count: 2, total: '186.00', createdBy: 'pia' })
  expect((await pia.post(`${pathOf(batch)}/freeze`)).json).toMatchObject({ state: 'frozen', frozenBy: 'pia' })
  expect(refusal(await pia.post(`${pathOf(batch)}/release`))).toEqual([403, 'second_person_needed'])
  expect(refusal(await pat.get(`${pathOf(batch)}/file`))).toEqual([409, 'illegal_batch_move'])

  const released = (await pat.post(`${pathOf(batch)}/release`)).json
  expect(released).toMatchObject({ state: 'released', releasedBy: 'pat', releasedAlone: false })
  expect((await read(payouts[0] as WirePayout)).state).toBe('released')

  const [first, again] = [await pia.get(`${pathOf(batch)}/file`), await pat.get(`${pathOf(batch)}/file`)]
  expect(first.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+"$/)
  expect(first.text).toContain('sally@example.com')
  expect(again.text).toBe(first.text)
  expect(createHash('sha256').update(first.text).digest('hex')).toBe(released.fileSha256)
  expect(await read(payouts[0] as WirePayout)).toMatchObject({
    state: 'exported',
    sentAt: expect.any(String),
    batchNumber: batch.number,
  })

  const paid = await pat.post(`${pathOf(batch)}/paid`, { reference: 'ACH-7' })
  expect(paid.json).toMatchObject({ state: 'exported', paidCount: 0 })
  await sendMails(server)
  expect((await pat.get(pathOf(batch))).json).toMatchObject({ paidCount: 2, exportedBy: 'pia' })
  for (const payout of payouts) {
    expect(await read(payout)).toMatchObject({ state: 'paid', reference: 'ACH-7', byHand: false })
    expect(await statusOf(payout)).toBe('completed')
  }
  const log = (await owner.get(`/api/admin/audit?subject=${batch.id}`)).json
  expect(log.map(({ action }: { action: string }) => action)).toEqual([
    'payout_batch.paid',
    'payout_batch.exported',
    'payout_batch.exported',
    'payout_batch.released',
    'payout_batch.frozen',
    'payout_batch.created',
  ])
})

it('takes what is ready, oldest first, and names what cannot be in a batch', async () => {
  const [ready, unconfirmed] = [await due(), await duePayout(server, await server.seller('una'), owner)]
  await server.pool.query("update users set verified = false where username = 'una'")
  const listed = (await auditor.get('/api/admin/payouts?state=due&paymentType=paypal')).json
  expect(listed.map(({ id }: WirePayout) => id)).toEqual([ready.id, unconfirmed.id])
  expect(listed[1]).toMatchObject({ problem: 'email_unconfirmed', account: 's•••@example.com' })
  expect((await auditor.get('/api/admin/payouts/due')).json).toMatchObject([
    { paymentType: 'paypal', count: 2, total: '186.00', readyCount: 1, readyTotal: '93.00' },
  ])
  const chosen = { paymentType: 'paypal', payoutIds: [ready.id, unconfirmed.id] }
  const refused = await pia.post('/api/admin/payout-batches', chosen)
  expect(refusal(refused)).toEqual([409, 'payout_not_batchable'])
  expect(refused.json.message).toMatch(/una has not confirmed/)
  const batch = await batchOf(pia, ['paypal', 'venmo'])
  expect(batch).toMatchObject({ count: 1, paymentType: null, paymentTypes: ['paypal', 'venmo'] })
  expect((await auditor.get(`/api/admin/payouts?batchId=${batch.id}`)).json).toMatchObject([{ id: ready.id }])
  expect(refusal(await pia.post('/api/admin/payout-batches', { paymentType: 'paypal' }))).toEqual([
    409,
    'nothing_due',
  ])
  const mixed = await pia.post('/api/admin/payout-batches', { paymentType: ['paypal', 'zelle'] })
  expect(mixed.json.errors).toMatchObject([{ code: 'payment_types_mixed' }])
  expect((await pia.post(`${pathOf(batch)}/void`)).json.state).toBe('void')
  expect(await read(ready)).toMatchObject({ state: 'due', batchId: null })
})
