import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { WirePayout } from '#contract/payouts.ts'
import { referenceOf } from '#domain/reference.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { batchIn, batchOf, duePayout, latestPayoutOf, pathOf } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'

const payoutSettings = { manual: true, alwaysTwoPersons: false, netReceivables: false, nacha: {} }
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
  await owner.patch(`/api/admin/seller?id=${seller.id}`, { state: 'active', reason: 'ID is fine' })
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
  expect(staff.find(({ username }: { username: string }) => username === 'pia').reveals).toBeGreaterThan(1)
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
    batchId: null,
  })
  expect((await payer.get(pathOf(batch))).json).toMatchObject({ state: 'open', count: 1, total: '93.00' })
  await payer.post(`${pathOf(batch)}/freeze`)
  await owner.post(`${pathOf(batch)}/release`)
  await payer.get(`${pathOf(batch)}/file`)
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
    // Whoever fails a card in an open batch leaves a trace there.
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

it('undo cannot take back a submission whose payout left in a file', async () => {
  const id = await submitted(seller)
  await server.pool.query('update users set verified = true where id = $1', [seller.id])
  const approve = { status: 'processing', undoable: true }
  const { version } = (await owner.patch(`/api/admin/submissions/${id}/status`, approve)).json
  const { id: payoutId } = await latestPayoutOf(server, id)
  const batch = await batchOf(payer, 'paypal', [payoutId])
  await payer.post(`${pathOf(batch)}/freeze`)
  await owner.post(`${pathOf(batch)}/release`)
  await payer.get(`${pathOf(batch)}/file`)
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
  expect(refusal(await payer.get(`${pathOf(batch)}/file`))).toEqual([409, 'illegal_batch_move'])
  expect((await owner.get(`/api/admin/payouts/${fine.id}`)).json).toMatchObject({
    state: 'due',
    batchId: null,
  })
  expect(await submission(wrong.submissionId)).toMatchObject({
    status: 'failed',
    statusReason: 'The account is closed',
    payout: null,
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
  await payer.get(`/api/admin/payout-batches/${batch}/file`)
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
  expect(await ids('q=sally seller&paymentType=venmo')).toEqual([])
  expect(await ids(`q=${username}&state=paid`)).toEqual([])
})
