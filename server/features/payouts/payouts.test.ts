import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { WirePayout } from '#contract/payouts.ts'
import { MASK } from '#domain/card-number.ts'
import { referenceOf, shortReferenceOf } from '#domain/reference.ts'
import { payouts } from '#server/platform/database/schema.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import {
  batchIn,
  batchOf,
  duePayout,
  exportedBatch,
  latestPayoutOf,
  pathOf,
  payoutPaid,
} from '#test/payouts.ts'
import { accepted, type Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted, submittedIn } from '#test/submissions.ts'
import { paypalIdOf } from './files/paypal.ts'
import { closeUnsent } from './outcome.ts'

const payoutSettings = {
  manual: true,
  alwaysTwoPersons: false,
  netReceivables: false,
  nacha: { cutoff: 1020 },
}
const bank = {
  paymentType: 'bank_transfer',
  paymentRoutingNumber: '021000021',
  paymentAccountNumber: '987650001',
}

let server: TestApp
let owner: Person
let payer: Person
let reviewer: Person
let auditor: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp({ site: { payouts: payoutSettings } })
  owner = await server.staff()
  payer = await server.staff('pia', 'payer')
  reviewer = await server.staff('rob', 'reviewer')
  auditor = await server.staff('ada', 'auditor')
})
beforeEach(async () => {
  seller = await server.seller()
})

const due = (fields = {}): Promise<WirePayout> => duePayout(server, seller, owner, fields)
const act = (payout: { id: string }, what: string, body?: object, by = payer) =>
  by.post(`/api/admin/payouts/${payout.id}/${what}`, body)
const move = (id: string, status: string, by = owner) =>
  by.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'Because' })
const submission = async (id: string) => (await owner.get(`/api/admin/submissions/${id}`)).json
const refusal = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code]

it('paying by hand completes the submission, once, and not while the seller is held', async () => {
  const payout = await due()
  await owner.patch(`/api/admin/seller?id=${seller.id}`, { state: 'held', reason: 'Waits for an ID' })
  expect(refusal(await act(payout, 'paid'))).toEqual([409, 'seller_held'])
  expect((await owner.get(`/api/admin/payouts/${payout.id}`)).json.problem).toBe('seller_held')
  const notReady = async (kind: string) => {
    const { json, headers } = await payer.get(`/api/admin/payouts?state=due&notReady=${kind}&limit=200`)
    expect(headers['x-total-count']).toBe(String(json.length))
    return json.map(({ id }: WirePayout) => id)
  }
  expect(await notReady('paypal')).toContain(payout.id)
  expect(await notReady('nacha')).not.toContain(payout.id)
  await owner.patch(`/api/admin/seller?id=${seller.id}`, { state: 'active', reason: 'ID is fine' })
  expect(await notReady('paypal')).not.toContain(payout.id)
  expect((await act(payout, 'paid', { reference: 'PP-1' })).json).toMatchObject({
    state: 'paid',
    byHand: true,
  })
  expect(await submission(payout.submissionId)).toMatchObject({
    status: 'completed',
    payout: { id: payout.id, state: 'paid', reference: 'PP-1', sentAt: expect.any(String) },
  })
  expect(refusal(await act(payout, 'paid'))).toEqual([409, 'illegal_payout_move'])
  const { totals, payouts } = (await owner.get(`/api/admin/seller?id=${seller.id}`)).json
  expect(totals).toMatchObject({ paid: '93.00', owed: '0.00' })
  expect(payouts).toMatchObject([{ id: payout.id, amount: '93.00', account: 's•••@example.com' }])
})

it('without payouts by hand only owners record one', async () => {
  const payout = await due()
  const mayPay = async (person: Person) => (await person.get('/api/admin/me')).json.manualPayouts
  expect([await mayPay(reviewer), await mayPay(auditor)]).toEqual([true, false])
  payoutSettings.manual = false
  try {
    expect(refusal(await act(payout, 'paid'))).toEqual([403, 'manual_payouts_off'])
    expect([await mayPay(payer), await mayPay(owner)]).toEqual([false, true])
    expect((await act(payout, 'paid', {}, owner)).status).toBe(200)
    const batch = await batchIn('exported', server, seller, owner)
    const [exported] = (await payer.get(`/api/admin/payouts?batchId=${batch}`)).json
    expect((await act(exported, 'paid')).json).toMatchObject({ state: 'paid', byHand: false })
  } finally {
    payoutSettings.manual = true
  }
})

it('payers see accounts and no numbers, reviewers the opposite, auditors neither', async () => {
  const payout = await due(bank)
  const path = `/api/admin/submissions/${payout.submissionId}/reveal`
  const revealed = await act(payout, 'reveal')
  expect(revealed.json).toMatchObject({ routingNumber: '021000021', accountNumber: '987650001' })
  expect(revealed.json.accountInfo).toContain('987650001')
  expect((await payer.post(path)).json.cardNumber).toBeNull()
  expect(refusal(await act(payout, 'reveal', undefined, reviewer))).toEqual([403, 'not_permitted'])
  expect((await reviewer.post(path)).json.paymentAccountNumber).toBeNull()
  expect(refusal(await reviewer.get('/api/admin/payouts'))).toEqual([403, 'not_permitted'])
  const listed = await auditor.get(`/api/admin/payouts?q=${payout.submissionId}`)
  expect(listed.json).toMatchObject([{ id: payout.id, accountName: 'Sally Seller' }])
  expect(listed.text).not.toMatch(/98765|02100/)
  expect(refusal(await act(payout, 'reveal', undefined, auditor))).toEqual([403, 'not_permitted'])
  const log = (await auditor.get(`/api/admin/audit?subject=${payout.id}`)).json
  expect(log).toMatchObject([{ actor: 'pia', action: 'payout.revealed' }])
  const staff = (await owner.get('/api/admin/staff')).json
  const { reveals } = staff.find(({ username }: { username: string }) => username === 'pia')
  const entries = (await owner.get('/api/admin/audit?actor=pia&action=revealed')).json
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'submission.revealed' },
    { action: 'payout.revealed' },
  ])
  expect(entries).toHaveLength(reveals)
})

it('a confirmation number is corrected after the payment, and the audit log has both', async () => {
  const payout = await due()
  const correct = (reference: string, by = payer) => act(payout, 'reference', { reference }, by)
  expect(refusal(await correct('PP-11'))).toEqual([409, 'illegal_payout_move'])
  await accepted(act(payout, 'paid', { reference: 'PP-11' }))
  expect((await correct('PP-12', reviewer)).status).toBe(403)
  expect(refusal(await correct(' '))).toEqual([400, 'invalid'])
  expect((await correct('PP-12')).json).toMatchObject({ state: 'paid', reference: 'PP-12' })
  await accepted(correct('PP-12'))
  const [own] = (await seller.get('/api/user/gift-cards')).json
  expect(own.payout).toMatchObject({ reference: 'PP-12', isConfirmed: true })
  // A trace number is as long as a card number, which the audit log must not have.
  const trace = '021000021000017'
  expect((await correct(trace)).json).toMatchObject({ reference: trace })
  const entries = (await owner.get(`/api/admin/audit?subject=${payout.id}`)).json
  const corrected = entries.filter(
    ({ action }: { action: string }) => action === 'payout.reference_corrected',
  )
  expect(corrected).toMatchObject([
    { actor: 'pia', details: { reference: { from: 'PP-12', to: MASK } } },
    { actor: 'pia', details: { reference: { from: 'PP-11', to: 'PP-12' } } },
  ])
})

it('refuses a confirmation number that the payout of another submission has, if told to check it', async () => {
  const [first, second, third] = [await due(), await due(), await due()]
  await accepted(act(first, 'paid', { reference: 'PP-1234' }))
  const message = `Already used for payout ${first.number} (${first.username}, $93.00). If that is right, press the button again.`
  const used = { code: 'reference_used', message, errors: [{ path: 'reference', code: 'reference_used' }] }
  const shared = { reference: 'pp-1234' }
  const complete = (body: object) =>
    reviewer.patch(`/api/admin/submissions/${third.submissionId}/status`, { status: 'completed', ...body })
  expect((await act(second, 'paid', { reference: 'pp-1234', checkReference: true })).json).toMatchObject(used)
  expect(refusal(await complete({ ...shared, checkReference: true }))).toEqual([409, 'reference_used'])
  await accepted(act(second, 'paid', { reference: 'PP-1235', checkReference: true }))
  const checked = { reference: 'PP-1234', checkReference: true }
  expect(refusal(await act(second, 'reference', checked))).toEqual([409, 'reference_used'])
  expect((await act(second, 'reference', shared)).json).toMatchObject({ reference: 'pp-1234' })
  await accepted(complete(shared))
})

it('a payout in a batch is not completed by hand, and one that was sent is not taken back', async () => {
  const [batched, later] = [await due(), await due()]
  const batch = await batchOf(payer, 'paypal', [batched.id, later.id])
  expect(refusal(await move(batched.submissionId, 'completed'))).toEqual([409, 'payout_in_batch'])
  expect(refusal(await act(batched, 'paid'))).toEqual([409, 'payout_in_batch'])
  expect(refusal(await act(batched, 'return', { reason: 'Early' }))).toEqual([409, 'illegal_payout_move'])
  // It leaves the open batch, which stays.
  expect((await act(batched, 'void', { reason: 'Stolen' })).json).toMatchObject({
    state: 'void',
    voidReason: 'failed',
    batchId: null,
  })
  expect((await payer.get(pathOf(batch))).json).toMatchObject({ state: 'open', count: 1, total: '93.00' })
  await payer.post(`${pathOf(batch)}/freeze`)
  await owner.post(`${pathOf(batch)}/release`)
  await payer.post(`${pathOf(batch)}/file`)
  expect(refusal(await move(later.submissionId, 'failed'))).toEqual([409, 'payout_sent'])
  expect(refusal(await act(later, 'void', { reason: 'Late' }))).toEqual([409, 'payout_sent'])
  const cleared = await owner.delete('/api/admin/submissions')
  expect(cleared.json.message).toMatch(/1 is kept because its payout is on its way$/)
  expect((await owner.get('/api/admin/submissions/clearable')).json).toEqual({ total: 0, byStatus: {} })
  await act(later, 'paid')
  const { version } = await submission(later.submissionId)
  const path = `/api/admin/submissions/${later.submissionId}`
  const revert = { status: 'processing', version }
  expect(refusal(await owner.patch(`${path}/status`, revert))).toEqual([409, 'payout_sent'])
})

it('a batch that is frozen or released does not change when staff decide otherwise', async () => {
  const approve = { status: 'processing', undoable: true }
  const id = await submitted(seller)
  await server.pool.query('update users set verified = true where id = $1', [seller.id])
  const { version } = (await owner.patch(`/api/admin/submissions/${id}/status`, approve)).json
  const [fine, mine] = [await due(), await latestPayoutOf(server, id)]
  const { number, ...batch } = await batchOf(payer, 'paypal', [mine.id, fine.id])
  const read = async () => (await payer.get(pathOf(batch))).json
  const logged = async () =>
    (await owner.get(`/api/admin/audit?subject=${batch.id}`)).json.map(
      ({ actor, action }: { actor: string; action: string }) => [actor, action],
    )
  const undo = () => owner.post(`/api/admin/submissions/${id}/undo`, { version })
  for (const [state, person] of [
    ['freeze', payer],
    ['release', owner],
  ] as const) {
    expect((await person.post(`${pathOf(batch)}/${state}`)).status).toBe(200)
    const before = await read()
    for (const refused of [
      await move(id, 'failed', reviewer),
      await undo(),
      await move(id, 'failed', payer),
    ]) {
      expect(refusal(refused)).toEqual([409, 'payout_in_batch'])
      expect(refused.json.message).toContain(`batch ${number}`)
    }
    expect(await read()).toEqual(before)
  }
  expect(refusal(await act(mine, 'take-out'))).toEqual([409, 'payout_in_batch'])
  expect(await logged()).toEqual([
    ['admin', 'payout_batch.released'],
    ['pia', 'payout_batch.frozen'],
    ['pia', 'payout_batch.created'],
  ])
  expect((await payer.post(`${pathOf(batch)}/void`)).json.state).toBe('void')
  expect((await move(id, 'failed', reviewer)).status).toBe(200)
  expect((await owner.get(`/api/admin/payouts/${fine.id}`)).json.state).toBe('due')
})

it('a payer takes a payout out of an open or frozen batch, which is open again', async () => {
  const [one, two, three] = [await due(), await due(), await due()]
  const batch = await batchOf(
    payer,
    'paypal',
    [one, two, three].map(({ id }) => id),
  )
  expect(refusal(await act(one, 'take-out', undefined, reviewer))).toEqual([403, 'not_permitted'])
  expect((await act(one, 'take-out')).json).toMatchObject({ state: 'due', batchId: null })
  await payer.post(`${pathOf(batch)}/freeze`)
  const both = await Promise.all([act(two, 'take-out'), owner.post(`${pathOf(batch)}/release`)])
  const [taken, released] = both.map(({ status }) => status)
  expect([taken, released].sort()).toEqual([200, 409])
  if (taken === 200) {
    expect((await payer.get(pathOf(batch))).json).toMatchObject({
      state: 'open',
      count: 1,
      total: '93.00',
      frozenBy: null,
    })
    // Failing a card in an open batch leaves a trace there.
    expect((await move(three.submissionId, 'failed', reviewer)).status).toBe(200)
    const path = `/api/admin/audit?subject=${batch.id}&action=payout_batch.payout_taken_out`
    expect((await owner.get(path)).json).toMatchObject([
      { actor: 'rob', details: { giftCardId: three.submissionId, count: 0, total: '0.00' } },
      { actor: 'pia', details: { giftCardId: two.submissionId, count: 1, unfrozen: true } },
      { actor: 'pia', details: { giftCardId: one.submissionId, count: 2 } },
    ])
  }
  expect(refusal(await act(one, 'take-out'))).toEqual([409, 'illegal_payout_move'])
})

it('a void payout says why, also after the submission was approved again', async () => {
  const id = await submitted(seller)
  const path = `/api/admin/submissions/${id}`
  const approve = async () =>
    (await accepted(owner.patch(`${path}/status`, { status: 'processing', undoable: true }))).json
  const { version } = await approve()
  const undone = await latestPayoutOf(server, id)
  await accepted(owner.post(`${path}/undo`, { version }))
  await approve()
  const failed = await latestPayoutOf(server, id)
  const read = async (payout: string) => (await payer.get(`/api/admin/payouts/${payout}`)).json
  expect(await read(failed.id)).toMatchObject({ state: 'due', voidReason: null, replacedBy: null })
  await accepted(act(failed, 'void', { reason: 'Stolen, card 4111 1111 1111 1111' }))
  expect(await read(failed.id)).toMatchObject({ needsAccount: false, replacedBy: null })
  await approve()
  const { id: newest, number } = await latestPayoutOf(server, id)
  expect(await read(undone.id)).toMatchObject({
    state: 'void',
    voidReason: 'undone',
    replacedBy: { id: newest, number },
    voided: { by: 'admin', at: expect.any(String), reason: null },
  })
  const voided = { by: 'pia', at: expect.any(String) }
  // A payer may not see card numbers.
  const shown = {
    state: 'void',
    voidReason: 'failed',
    voided: { ...voided, reason: expect.stringContaining('Stolen, card') },
  }
  expect(await read(failed.id)).toMatchObject(shown)
  expect((await read(failed.id)).voided.reason).not.toContain('4111 1111 1111 1111')
  const listed = (await owner.get(`/api/admin/payouts?q=${failed.id}`)).json
  expect(listed).toMatchObject([{ voided: { ...voided, reason: 'Stolen, card 4111 1111 1111 1111' } }])
  await accepted(act({ id: newest }, 'void', { reason: 'payout_account_closed' }))
  expect(await read(newest)).toMatchObject({ needsAccount: true, replacedBy: null })
  await server.pool.query('update gift_cards set cleared_at = now() where id = $1', [id])
  expect((await read(failed.id)).voided).toEqual({ ...voided, reason: null, reasonCode: null })
})

it('undo cannot take back a submission whose payout left in a file', async () => {
  const id = await submitted(seller)
  await server.pool.query('update users set verified = true where id = $1', [seller.id])
  const approve = { status: 'processing', undoable: true }
  const { version } = (await owner.patch(`/api/admin/submissions/${id}/status`, approve)).json
  const { id: payoutId } = await latestPayoutOf(server, id)
  const batch = await batchOf(payer, 'paypal', [payoutId])
  await payer.post(`${pathOf(batch)}/freeze`)
  await owner.post(`${pathOf(batch)}/release`)
  await payer.post(`${pathOf(batch)}/file`)
  expect(refusal(await owner.post(`/api/admin/submissions/${id}/undo`, { version }))).toEqual([
    409,
    'payout_sent',
  ])
})

it('voiding a payout of a released batch fails its submission and dissolves the batch', async () => {
  const [wrong, fine] = [await due(), await due()]
  const batch = await batchOf(payer, 'paypal', [wrong.id, fine.id])
  await payer.post(`${pathOf(batch)}/freeze`)
  await owner.post(`${pathOf(batch)}/release`)
  expect((await act(wrong, 'void', { reason: 'The account is closed' })).json.state).toBe('void')
  expect((await payer.get(pathOf(batch))).json.state).toBe('void')
  expect(refusal(await payer.post(`${pathOf(batch)}/file`))).toEqual([409, 'illegal_batch_move'])
  expect((await owner.get(`/api/admin/payouts/${fine.id}`)).json).toMatchObject({
    state: 'due',
    batchId: null,
  })
  expect(await submission(wrong.submissionId)).toMatchObject({
    status: 'failed',
    statusReason: 'The account is closed',
    payout: { id: wrong.id, number: wrong.number, state: 'void' },
  })
  const log = (await owner.get(`/api/admin/audit?subject=${batch.id}&action=payout_batch.voided`)).json
  expect(log).toMatchObject([{ actor: 'pia', details: { voidedPayout: wrong.id } }])
  expect(refusal(await act(wrong, 'void', { reason: 'Again' }))).toEqual([409, 'illegal_payout_move'])
})

it('money that came back is owed again, and the seller is notified', async () => {
  const batch = await batchIn('released', server, seller, owner)
  const [payout] = (await payer.get(`/api/admin/payouts?batchId=${batch}`)).json
  const url = await server.listen()
  const [own, staff] = await Promise.all(
    [seller, payer].map((person) => LiveClient.open(url, { cookie: person.cookieHeader })),
  )
  // The pushes about the approval may still arrive after they open.
  const heardBy = (socket?: LiveClient) => socket?.messages.filter(({ type }) => type === 'PAYOUT_UPDATE')
  const update = { type: 'PAYOUT_UPDATE', userId: seller.id, submissionId: payout.submissionId }
  await payer.post(`/api/admin/payout-batches/${batch}/file`)
  await expect.poll(() => heardBy(own)).toEqual([update])
  const reason = 'Account 6006 4930 1234 5678 is closed'
  expect((await act(payout, 'return', { reason })).json).toMatchObject({
    state: 'returned',
    returnReason: 'Account •••• is closed',
  })
  await expect.poll(() => heardBy(own)).toEqual([update, update])
  expect(heardBy(staff)?.slice(-2)).toEqual([{ type: 'PAYOUT_UPDATE' }, { type: 'PAYOUT_UPDATE' }])
  for (const socket of [own, staff]) socket?.close()
  expect((await payer.get(`/api/admin/payout-batches/${batch}`)).json.returnedCount).toBe(1)
  expect((await owner.get(`/api/admin/seller?id=${seller.id}`)).json.totals.owed).toBe('93.00')
  expect(refusal(await act(payout, 'paid'))).toEqual([409, 'illegal_payout_move'])
})

it('lists payouts by page, and finds them by reference, id and name', async () => {
  const made = [await due(), await due(), await due()]
  const [first, second, third] = made.map(({ id }) => id)
  const { username } = made[0] as WirePayout
  const read = async (query: string) => auditor.get(`/api/admin/payouts?${query}`)
  const ids = async (query: string) => (await read(query)).json.map(({ id }: WirePayout) => id)
  const newest = await read(`q=${username.slice(2, 9)}&limit=2`)
  expect(newest.json.map(({ id }: WirePayout) => id)).toEqual([third, second])
  expect(newest.headers['x-total-count']).toBe('3')
  const [, next] = /<(.+)>; rel="next"/.exec(String(newest.headers.link)) ?? []
  expect((await auditor.get(next ?? '')).json.map(({ id }: WirePayout) => id)).toEqual([first])
  expect(await ids(`q=${username}&state=due&limit=2`)).toEqual([first, second])
  expect(await ids(`q=${referenceOf(made[1]?.submissionId ?? '')}`)).toEqual([second])
  expect(await ids(`q=${made[1]?.submissionId}`)).toEqual([second])
  expect(await ids(`q=${third}`)).toEqual([third])
  for (const q of [`${made[2]?.number}`, `%23${made[2]?.number}`])
    expect(await ids(`q=${q}`)).toContain(third)
  expect(await ids('q=sally seller&paymentType=venmo')).toEqual([])
  expect(await ids(`q=${username}&state=paid`)).toEqual([])
})

const read = async ({ id }: { id: string }): Promise<WirePayout> =>
  (await payer.get(`/api/admin/payouts/${id}`)).json

it('a hold that a payer places on a submission stops its money, and only a manager lifts it', async () => {
  const payout = await due()
  const { submissionId } = payout
  const hold = (about: object, by = payer) =>
    by.post('/api/admin/holds', { ...about, reason: 'Two sellers, one account' })
  const lift = (payload: object, by = owner) =>
    by.send({ method: 'DELETE', url: '/api/admin/holds', payload })
  expect((await hold({ submissionId })).status).toBe(201)
  expect(await read(payout)).toMatchObject({ problem: 'on_hold' })
  const refused = [409, 'on_hold']
  expect(refusal(await act(payout, 'paid', { reference: 'PP-21' }))).toEqual(refused)
  expect(refusal(await act(payout, 'paid', { reference: 'PP-21' }, owner))).toEqual(refused)
  expect(refusal(await move(submissionId, 'completed'))).toEqual(refused)
  expect(
    refusal(await payer.post('/api/admin/payout-batches', { paymentType: 'paypal', payoutIds: [payout.id] })),
  ).toEqual([409, 'payout_not_batchable'])
  expect(refusal(await lift({ submissionId }, payer))).toEqual([403, 'not_permitted'])

  // Of a seller, and of a submission without a payout, only managers place one.
  for (const about of [{ userId: seller.id }, { submissionId: await submitted(seller) }]) {
    expect(refusal(await hold(about))).toEqual([403, 'not_permitted'])
  }
  expect(refusal(await hold({ submissionId }, reviewer))).toEqual([403, 'not_permitted'])
  await hold({ userId: seller.id }, owner)
  await lift({ submissionId })
  expect(refusal(await act(payout, 'paid'))).toEqual(refused)
  await lift({ userId: seller.id })
  expect((await act(payout, 'paid')).json.state).toBe('paid')
})

it('a reverted payment by hand keeps its payout out of batches until a payer says that it was not sent', async () => {
  const payout = await due()
  const { submissionId } = payout
  const revert = async () => {
    const { version } = await submission(submissionId)
    const reverted = await owner.patch(`/api/admin/submissions/${submissionId}/status`, {
      status: 'processing',
      version,
    })
    expect(reverted.status).toBe(200)
  }
  const batch = (id: string) =>
    payer.post('/api/admin/payout-batches', { paymentType: 'paypal', payoutIds: [id] })
  const paid = (await act(payout, 'paid', { reference: 'PP-77' })).json
  expect(paid.paidBefore).toBeNull()
  await revert()
  const paidBefore = { reference: 'PP-77', sentAt: paid.sentAt, notSentAt: null }
  expect(await read(payout)).toMatchObject({
    state: 'due',
    reference: null,
    problem: 'paid_before',
    paidBefore,
  })
  expect(refusal(await batch(payout.id))).toEqual([409, 'payout_not_batchable'])

  // Another payout of the submission is the same money.
  await move(submissionId, 'failed')
  await move(submissionId, 'processing')
  const [next] = (await owner.get(`/api/admin/payouts?q=${submissionId}&state=due`)).json
  expect(next).toMatchObject({ problem: 'paid_before', paidBefore })
  expect(next.id).not.toBe(payout.id)
  expect(refusal(await act(next, 'not-sent', {}, reviewer))).toEqual([403, 'not_permitted'])
  expect((await act(next, 'not-sent')).json).toMatchObject({
    problem: null,
    paidBefore: { ...paidBefore, notSentAt: expect.any(String) },
  })
  await act(next, 'not-sent')
  expect((await owner.get(`/api/admin/audit?subject=${next.id}`)).json).toMatchObject([
    { actor: 'pia', action: 'payout.not_sent' },
  ])

  // Paid and reverted again, it is in doubt again.
  await act(next, 'paid')
  await revert()
  expect(await read(next)).toMatchObject({ problem: 'paid_before', paidBefore: { reference: null } })
})

it('a payer sends the confirmation again to a seller whose payout waits for it', async () => {
  const payout = await due()
  await server.pool.query('update users set verified = false where id = $1', [seller.id])
  const jobs = async () => {
    const { rows } = await server.pool.query(
      "select payload from jobs where kind = 'confirmEmailMail' and payload->>'userId' = $1 and payload->>'because' = 'asked'",
      [seller.id],
    )
    return rows.length
  }
  for (const other of [reviewer, auditor])
    expect(refusal(await act(payout, 'confirmation', undefined, other))).toEqual([403, 'not_permitted'])
  expect((await act(payout, 'confirmation')).json).toMatchObject({ problem: 'email_unconfirmed' })
  expect(await jobs()).toBe(1)
  await server.pool.query('update users set verified = true where id = $1', [seller.id])
  expect((await act(payout, 'confirmation')).json).toMatchObject({ problem: null })
  expect(await jobs()).toBe(1)
  expect((await owner.get(`/api/admin/audit?subject=${payout.id}`)).json).toMatchObject([
    { actor: 'pia', action: 'payout.confirmation_sent' },
  ])
})

it('keeps the doubt about a payment by hand that replaced a returned payout', async () => {
  const batch = await batchIn('exported', server, seller, owner)
  const [returned] = (await payer.get(`/api/admin/payouts?batchId=${batch}`)).json
  const { submissionId } = returned
  await act(returned, 'return', { reason: 'The account is closed' })
  const open = async () =>
    (await payer.get(`/api/admin/payouts?state=returned&replaced=false&q=${returned.id}`)).json.length
  expect(await open()).toBe(1)
  const completed = await move(submissionId, 'completed')
  expect(await open()).toBe(0)
  await owner.patch(`/api/admin/submissions/${submissionId}/status`, {
    status: 'processing',
    version: completed.json.version,
  })
  expect(await read(returned)).toMatchObject({ state: 'returned', paidBefore: { notSentAt: null } })
  expect(await open()).toBe(1)
})

it('a payment by hand that is undone at once leaves no doubt', async () => {
  const { id, submissionId } = await due()
  const { json } = await owner.patch(`/api/admin/submissions/${submissionId}/status`, {
    status: 'completed',
    reference: 'PP-1',
    undoable: true,
  })
  await owner.post(`/api/admin/submissions/${submissionId}/undo`, { version: json.version })
  expect(await read({ id })).toMatchObject({ state: 'due', problem: null, paidBefore: null })
})

it('a payout of a worksheet needs its confirmation number, and is not paid by two', async () => {
  const zelle = { paymentType: 'zelle', paymentAccountInfo: 'sally@example.com' }
  const batch = await batchIn('exported', server, seller, owner, zelle)
  const [payout] = (await payer.get(`/api/admin/payouts?batchId=${batch}`)).json
  for (const body of [undefined, {}, { reference: '  ' }]) {
    expect((await act(payout, 'paid', body)).json).toMatchObject({
      code: 'invalid',
      errors: [{ path: 'reference', code: 'reference_required' }],
    })
  }
  expect(refusal(await payer.post(`/api/admin/payout-batches/${batch}/paid`, { reference: 'Z-0' }))).toEqual([
    409,
    'illegal_batch_move',
  ])
  const claim = `/api/admin/submissions/${payout.submissionId}/claim`
  expect((await owner.post(claim)).status).toBe(200)
  const refused = await act(payout, 'paid', { reference: 'Z-1' })
  expect(refusal(refused)).toEqual([409, 'claimed'])
  expect(refused.json.message).toContain('admin is working on this submission')
  expect(refusal(await payer.post(claim))).toEqual([409, 'claimed'])
  await payer.post(claim, { takeOver: true })
  await owner.post('/api/admin/holds', { submissionId: payout.submissionId, reason: 'A dispute' })
  expect(refusal(await act(payout, 'paid', { reference: 'Z-1' }))).toEqual([409, 'on_hold'])
  await owner.send({
    method: 'DELETE',
    url: '/api/admin/holds',
    payload: { submissionId: payout.submissionId },
  })
  expect((await act(payout, 'paid', { reference: 'Z-1' })).json).toMatchObject({
    state: 'paid',
    reference: 'Z-1',
  })
})

it.each([
  ['a file share the number of the file', 'paypal', 200],
  ['a worksheet are sent one by one', 'zelle', 409],
] as const)('the payouts of %s', async (_case, paymentType, status) => {
  const fields = { paymentType, paymentAccountInfo: 'sally@example.com' }
  const both = [await due(fields), await due(fields)] as const
  await exportedBatch(
    server,
    both.map(({ submissionId }) => submissionId),
  )
  const body = { reference: `FILE-${both[0].number}`, checkReference: true }
  await accepted(act(both[0], 'paid', body))
  expect((await act(both[1], 'paid', body)).status).toBe(status)
})

it('a payout of zero closes itself once its approval cannot be undone, unless staff have to decide', async () => {
  payoutSettings.netReceivables = true
  payoutSettings.manual = false
  try {
    const bad = await submittedIn('completed', { seller, staff: owner })
    await owner.patch(`/api/admin/inventory/${bad}`, { state: 'bad' })
    const id = await submittedIn('processing', { seller, staff: owner })
    const payout = await latestPayoutOf(server, id)
    expect(payout).toMatchObject({ amount: 0, state: 'due' })
    const close = () => closeUnsent(server.context, new AbortController().signal)
    const wait = () =>
      server.pool.query("update payouts set due_at = due_at - interval '10 seconds' where id = $1", [
        payout.id,
      ])
    const status = async () => (await submission(id)).status
    await close()
    expect(await status()).toBe('processing')
    await wait()
    await owner.post('/api/admin/holds', { submissionId: id, reason: 'A dispute' })
    await close()
    expect(await status()).toBe('processing')
    await owner.send({ method: 'DELETE', url: '/api/admin/holds', payload: { submissionId: id } })
    await stopPayouts()
    await Promise.all([close(), close()])
    expect(await status()).toBe('completed')
    expect(await read(payout)).toMatchObject({ state: 'paid', amount: '0.00' })
    expect(
      (await owner.get(`/api/admin/audit?subject=${payout.id}`)).json.map(
        ({ actor, action }: { actor: string; action: string }) => [actor, action],
      ),
    ).toEqual([[null, 'payout.paid']])
    expect(
      await server.pool.query('select from ledger_entries where payout_id = $1 and event = $2', [
        payout.id,
        'paid',
      ]),
    ).toMatchObject({ rowCount: 0 })
    expect(await server.pool.query('select from inventory where gift_card_id = $1', [id])).toMatchObject({
      rowCount: 1,
    })

    // Who reverts it wants something else with it.
    await owner.patch(`/api/admin/submissions/${id}/status`, {
      status: 'processing',
      version: (await submission(id)).version,
    })
    await close()
    expect(await status()).toBe('processing')
  } finally {
    payoutSettings.netReceivables = false
    payoutSettings.manual = true
    await server.pool.query('update installation set payouts_stopped_at = null')
  }
})

const stopPayouts = () => server.pool.query('update installation set payouts_stopped_at = now()')

it('a payout is found by its account, amount, days, numbers and batch, and by its seller', async () => {
  const account = '4455667788'
  const fields = {
    denomination: '61',
    sellingPrice: '56.73',
    paymentType: 'bank_transfer',
    paymentRoutingNumber: '021000021',
  }
  const transfer = await due({ ...fields, paymentAccountNumber: account })
  const wallet = await due({
    denomination: '62',
    sellingPrice: '57.66',
    paymentAccountInfo: '+1 (555) 777-2211',
  })
  const batch = await exportedBatch(server, [transfer.submissionId])
  await payoutPaid(server, transfer.submissionId, 'ACH-77-Q')
  await server.db
    .update(payouts)
    .set({ sentAt: new Date('2026-01-05T23:59:59.999Z') })
    .where(eq(payouts.id, transfer.id))
  const { number, total } = (await owner.get(`/api/admin/payout-batches/${batch}`)).json
  const { email, username } = (await owner.get(`/api/admin/seller?id=${seller.id}`)).json
  const found = async (q: string) => {
    const { json } = await payer.get(`/api/admin/payouts?${new URLSearchParams({ q })}`)
    const ids = json.map(({ id }: WirePayout) => id)
    return { transfer: ids.includes(transfer.id), wallet: ids.includes(wallet.id) }
  }
  const ofTransfer = [
    ...['ach-77-q', shortReferenceOf(transfer.id), `12345678${String(transfer.number).padStart(7, '0')}`],
    ...[`021000021 ${account}`, '021000021/4455-667788', account.slice(-4), account],
    ...[transfer.amount, `$${transfer.amount}`, String(Number(transfer.amount)), '2026-01-05'],
    ...[`Batch ${number}`, `#${number}`, `$${total}`],
  ]
  for (const q of ofTransfer) expect([q, await found(q)]).toEqual([q, { transfer: true, wallet: false }])
  for (const q of ['555-777-2211', '15557772211', paypalIdOf(wallet.number), wallet.amount])
    expect([q, await found(q)]).toEqual([q, { transfer: false, wallet: true }])
  for (const q of [email, email.toUpperCase(), username]) {
    expect([q, await found(q)]).toEqual([q, { transfer: true, wallet: true }])
  }
  for (const q of ['2026-01-06', '2026-13-45', '%', 'ACH-77', '021000021', '$0.00', '99999999999999999']) {
    expect([q, await found(q)]).toEqual([q, { transfer: false, wallet: false }])
  }
})
