import { createHash } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { WirePayout } from '#contract/payouts.ts'
import { toDecimal, toDollars } from '#domain/money.ts'
import type { PayoutLimits } from '#domain/payout-limits.ts'
import { referenceOf } from '#domain/reference.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { testBank } from '#test/nacha/bank.ts'
import { parseAch } from '#test/nacha/parser.ts'
import { batchOf, downloadFile, duePayout, pathOf } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { traceNumberOf } from './files/nacha.ts'

let server: TestApp
let owner: Person
let pia: Person
let pat: Person
let auditor: Person
let seller: Person
const limits: { -readonly [Name in keyof PayoutLimits]: PayoutLimits[Name] } = {}
const payoutSettings = {
  manual: true,
  alwaysTwoPersons: false,
  netReceivables: false,
  nacha: { cutoff: 1020 },
  limits,
}
afterEach(() => {
  for (const name of Object.keys(limits) as (keyof PayoutLimits)[]) delete limits[name]
})
beforeAll(async () => {
  server = await createTestApp({ site: { payouts: payoutSettings } })
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
  expect(batch.payers).toEqual(expect.arrayContaining(['admin', 'pat', 'pia']))
  expect(batch.payers).not.toContain('ada')
  const frozen = (await pia.post(`${pathOf(batch)}/freeze`)).json
  expect(frozen).toMatchObject({ state: 'frozen', frozenBy: 'pia' })
  expect(frozen.releasers).toEqual(expect.arrayContaining(['admin', 'pat']))
  expect(frozen.releasers).not.toContain('pia')
  expect(frozen.releasers).not.toContain((await auditor.get('/api/admin/me')).json.username)
  expect(refusal(await pia.post(`${pathOf(batch)}/release`))).toEqual([403, 'second_person_needed'])
  expect(refusal(await pat.get(`${pathOf(batch)}/file`))).toEqual([409, 'illegal_batch_move'])

  const released = (await pat.post(`${pathOf(batch)}/release`)).json
  expect(released).toMatchObject({
    state: 'released',
    releasedBy: 'pat',
    releasedAlone: false,
    payers: [],
    releasers: [],
  })
  expect((await pia.send({ method: 'HEAD', url: `${pathOf(batch)}/file` })).status).toBe(404)
  expect((await read(payouts[0] as WirePayout)).state).toBe('released')

  const early = await pia.get(`${pathOf(batch)}/file`)
  expect([...refusal(early), early.json.message]).toEqual([
    409,
    'illegal_batch_move',
    expect.stringContaining('as exported first'),
  ])
  expect((await pia.get(pathOf(batch))).json.state).toBe('released')
  const [marked, repeated] = [
    await pia.post(`${pathOf(batch)}/file`),
    await pat.post(`${pathOf(batch)}/file`),
  ]
  expect(marked.json).toMatchObject({ state: 'exported', exportedBy: 'pia' })
  expect(repeated.json).toEqual(marked.json)
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
    'payout_batch.marked_exported',
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
    {
      paymentType: 'paypal',
      count: 2,
      total: '186.00',
      readyCount: 1,
      readyTotal: '93.00',
      unconfirmedCount: 1,
    },
  ])
  const chosen = { paymentType: 'paypal', payoutIds: [ready.id, unconfirmed.id] }
  const refused = await pia.post('/api/admin/payout-batches', chosen)
  expect(refusal(refused)).toEqual([409, 'payout_not_batchable'])
  expect(refused.json.message).toMatch(/una has not confirmed/)
  const batch = await batchOf(pia, ['paypal', 'venmo'])
  expect(batch).toMatchObject({ count: 1, paymentType: 'paypal', paymentTypes: ['paypal'] })
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

it('leaves out a card whose number was bought, until that is acknowledged', async () => {
  const venmo = { paymentType: 'venmo' }
  const [first, second] = [await due(venmo), await due(venmo)]
  const { submissionId } = second
  // Approved before numbers of approved cards were compared.
  await server.pool.query(
    `update gift_cards set card_number_index = (select card_number_index from gift_cards where id = $1) where id = $2`,
    [first.submissionId, submissionId],
  )
  expect([(await read(first)).problem, (await read(second)).problem]).toEqual([null, 'risk_open'])
  const chosen = { ...venmo, payoutIds: [first.id, second.id] }
  const refused = await pia.post('/api/admin/payout-batches', chosen)
  expect(refusal(refused)).toEqual([409, 'payout_not_batchable'])
  expect(refused.json.message).toContain(referenceOf(submissionId))
  expect(refusal(await pia.post(`/api/admin/payouts/${second.id}/paid`, {}))).toEqual([
    409,
    'risk_not_acknowledged',
  ])
  const batch = await batchOf(pia, 'venmo')
  expect((await auditor.get(`/api/admin/payouts?batchId=${batch.id}`)).json).toMatchObject([{ id: first.id }])
  const { risks } = (await owner.get(`/api/admin/submissions/${submissionId}`)).json
  expect(risks[0]).toMatchObject({ code: 'same_number_completed', submissionId: first.submissionId })
  const reason = 'The seller has the receipts of both'
  await owner.post(`/api/admin/submissions/${submissionId}/acknowledge`, { code: risks[0].code, reason })
  expect((await read(second)).problem).toBeNull()
  expect((await batchOf(pia, 'venmo')).count).toBe(1)
})

it('a person who is alone releases what they froze, unless two are always needed', async () => {
  const batch = await batchOf(owner, 'paypal', [(await due()).id])
  await owner.post(`${pathOf(batch)}/freeze`)
  const release = () => owner.post(`${pathOf(batch)}/release`)
  expect(refusal(await release())).toEqual([403, 'second_person_needed'])
  await server.pool.query("update administrators set disabled_at = now() where username <> 'admin'")
  payoutSettings.alwaysTwoPersons = true
  const releasers = async () => (await owner.get(pathOf(batch))).json.releasers
  try {
    expect(await releasers()).toEqual([])
    expect(refusal(await release())).toEqual([403, 'second_person_needed'])
    payoutSettings.alwaysTwoPersons = false
    expect(await releasers()).toEqual(['admin'])
    expect((await release()).json).toMatchObject({ state: 'released', releasedAlone: true })
  } finally {
    payoutSettings.alwaysTwoPersons = false
    await server.pool.query('update administrators set disabled_at = null')
  }
  const log = (await owner.get(`/api/admin/audit?subject=${batch.id}&action=payout_batch.released`)).json
  expect(log).toMatchObject([{ batchNumber: batch.number, details: { alone: true } }])
})

it('a batch is checked again when it is frozen and when it is released', async () => {
  const batch = await batchOf(pia, 'paypal', [(await due()).id])
  const hold = (state: string) =>
    owner.patch(`/api/admin/seller?id=${seller.id}`, { state, reason: 'Looks like two people' })
  await hold('held')
  const refused = await pia.post(`${pathOf(batch)}/freeze`)
  expect(refusal(refused)).toEqual([409, 'payout_not_batchable'])
  expect(refused.json.message).toMatch(/payments to .+ are on hold/)
  await hold('active')
  expect((await pia.post(`${pathOf(batch)}/freeze`)).status).toBe(200)
  await hold('held')
  expect(refusal(await pat.post(`${pathOf(batch)}/release`))).toEqual([409, 'payout_not_batchable'])
  await pat.post(`${pathOf(batch)}/void`)
  await hold('active')
})

it('does not leave for a seller who was held after the release, until that ends or it is dissolved', async () => {
  const [mine, other] = [await due(), await duePayout(server, await server.seller('ben'), owner)]
  const batch = await batchOf(pia, 'paypal', [mine.id, other.id])
  await pia.post(`${pathOf(batch)}/freeze`)
  await pat.post(`${pathOf(batch)}/release`)
  const hold = (state: string) =>
    owner.patch(`/api/admin/seller?id=${seller.id}`, { state, reason: 'Looks like two people' })
  const file = (by = pia) => downloadFile(by, batch)
  await hold('held')
  // What its seller changes does not keep everybody's money back.
  await server.pool.query("update users set verified = false where username = 'ben'")
  for (const refused of [await file(), await file(pat)]) {
    expect(refusal(refused)).toEqual([409, 'payout_not_batchable'])
    expect(refused.json.message).toContain(
      `on hold: ${referenceOf(mine.submissionId)} (${mine.username}). Ask`,
    )
  }
  expect(await read(mine)).toMatchObject({ state: 'released', sentAt: null, problem: 'seller_held' })
  expect(await read(other)).toMatchObject({ state: 'released', problem: null })
  expect((await pat.get(pathOf(batch))).json).toMatchObject({ state: 'released', count: 2 })
  expect((await owner.get(`/api/admin/audit?subject=${batch.id}&action=payout_batch.exported`)).json).toEqual(
    [],
  )

  // A blocked seller is still owed what was approved, but a hold stops it.
  await hold('blocked')
  await owner.post('/api/admin/holds', { submissionId: mine.submissionId, reason: 'A dispute' })
  await owner.post('/api/admin/holds', { userId: seller.id, reason: 'A lawsuit' })
  for (const about of [{ submissionId: mine.submissionId }, { userId: seller.id }]) {
    expect((await file()).json.message).toContain(
      `a hold stops this payout: ${referenceOf(mine.submissionId)}`,
    )
    expect((await read(mine)).problem).toBe('on_hold')
    await owner.send({ method: 'DELETE', url: '/api/admin/holds', payload: about })
  }
  const first = await file()
  expect([first.status, (await read(mine)).state]).toEqual([200, 'exported'])
  await hold('held')
  expect((await file()).text).toBe(first.text)
})

it('a batch that is exported while a payer puts a submission on hold does not leave', async () => {
  const payout = await due()
  const batch = await batchOf(pia, 'paypal', [payout.id])
  await pia.post(`${pathOf(batch)}/freeze`)
  await pat.post(`${pathOf(batch)}/release`)
  const client = await server.pool.connect()
  await client.query('begin')
  await client.query('lock table holds in share mode')
  const waiting = (count: number) =>
    expect
      .poll(async () => {
        const query =
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        return (await server.pool.query(query)).rowCount
      })
      .toBe(count)
  // The hold has locked the seller, so the export waits.
  const holding = pia.post('/api/admin/holds', { submissionId: payout.submissionId, reason: 'Stolen' })
  await waiting(1)
  const exporting = pat.post(`${pathOf(batch)}/file`)
  await waiting(2)
  await client.query('commit')
  client.release()
  expect((await holding).status).toBe(201)
  expect(refusal(await exporting)).toEqual([409, 'payout_not_batchable'])
})

it('leaves the payouts of held sellers out once the released batch is dissolved', async () => {
  const ben = await server.seller()
  const mine = [await due({ paymentType: 'venmo' }), await due({ paymentType: 'venmo' })]
  const other = await duePayout(server, ben, owner, { paymentType: 'venmo' })
  const batch = await batchOf(pia, 'venmo')
  expect(batch.count).toBe(3)
  await pia.post(`${pathOf(batch)}/freeze`)
  await pat.post(`${pathOf(batch)}/release`)
  await owner.patch(`/api/admin/seller?id=${seller.id}`, { state: 'held', reason: 'Looks like two people' })
  const refused = await pia.post(`${pathOf(batch)}/file`)
  for (const { submissionId } of mine) expect(refused.json.message).toContain(referenceOf(submissionId))
  expect(refused.json.message).toMatch(/without them\.$/)
  expect((await pat.post(`${pathOf(batch)}/void`)).json.state).toBe('void')
  expect(refusal(await pia.post(`${pathOf(batch)}/file`))).toEqual([409, 'illegal_batch_move'])
  const next = await batchOf(pia, 'venmo')
  expect((await auditor.get(`/api/admin/payouts?batchId=${next.id}`)).json).toMatchObject([{ id: other.id }])
})

it('does not leave while a card in it was bought under another submission after the release', async () => {
  const zelle = { paymentType: 'zelle', paymentAccountInfo: 'sally@example.com' }
  const payout = await due(zelle)
  const bought = await due(zelle)
  const batch = await batchOf(pia, 'zelle', [payout.id])
  await pia.post(`${pathOf(batch)}/freeze`)
  await pat.post(`${pathOf(batch)}/release`)
  await owner.patch(`/api/admin/submissions/${bought.submissionId}/status`, { status: 'completed' })
  await server.pool.query(
    `update gift_cards set card_number_index = (select card_number_index from gift_cards where id = $1) where id = $2`,
    [bought.submissionId, payout.submissionId],
  )
  const file = () => pia.post(`${pathOf(batch)}/file`)
  expect(refusal(await file())).toEqual([409, 'payout_not_batchable'])
  expect((await read(payout)).problem).toBe('risk_open')
  const reason = 'The seller has the receipts of both'
  const acknowledged = { code: 'same_number_completed', reason }
  await owner.post(`/api/admin/submissions/${payout.submissionId}/acknowledge`, acknowledged)
  expect((await file()).status).toBe(200)
})

it('a batch that is exported while its seller is being held does not leave', async () => {
  const batch = await batchOf(pia, 'paypal', [(await due()).id])
  await pia.post(`${pathOf(batch)}/freeze`)
  await pat.post(`${pathOf(batch)}/release`)
  const client = await server.pool.connect()
  await client.query('begin')
  await client.query('select from users where id = $1 for update', [seller.id])
  await client.query("update users set state = 'held' where id = $1", [seller.id])
  const exporting = pia.post(`${pathOf(batch)}/file`)
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await expect.poll(async () => (await server.pool.query(waiting)).rowCount).toBe(1)
  await client.query('commit')
  client.release()
  expect(refusal(await exporting)).toEqual([409, 'payout_not_batchable'])
})

it('needs the settings of the bank, and a payout in the batch', async () => {
  const bank = { paymentRoutingNumber: '021000021', paymentAccountNumber: '987650001' }
  const payout = await due({ paymentType: 'bank_transfer', ...bank })
  const batch = await batchOf(pia, 'bank_transfer', [payout.id])
  expect(refusal(await pia.post(`${pathOf(batch)}/freeze`))).toEqual([409, 'payout_file_not_configured'])
  await pia.post(`/api/admin/payouts/${payout.id}/void`, { reason: 'Stolen' })
  expect((await pia.get(pathOf(batch))).json).toMatchObject({ state: 'open', count: 0 })
  expect(refusal(await pia.post(`${pathOf(batch)}/freeze`))).toEqual([409, 'nothing_due'])
})

it('a routing number with a wrong check digit is never in a batch', async () => {
  const bank = { paymentRoutingNumber: '021000022', paymentAccountNumber: '987650002' }
  const payout = await due({ paymentType: 'bank_transfer', ...bank })
  expect(payout.problem).toBe('routing_number')
  const chosen = { paymentType: 'bank_transfer', payoutIds: [payout.id] }
  expect(refusal(await pia.post('/api/admin/payout-batches', chosen))).toEqual([409, 'payout_not_batchable'])
})

it('of two who release, export or void a batch at once, one does', async () => {
  let payout = await due()
  const steps = (batch: { id: string }) => ({
    release: (by: Person) => by.post(`${pathOf(batch)}/release`),
    void: () => owner.post(`${pathOf(batch)}/void`),
  })
  for (let round = 0; round < 8; round++) {
    const batch = await batchOf(pia, 'paypal', [payout.id])
    await pia.post(`${pathOf(batch)}/freeze`)
    const { release, void: voidBatch } = steps(batch)
    const both = await Promise.all([release(pat), release(owner)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const cancel = () => pia.post(`/api/admin/payouts/${payout.id}/void`, { reason: 'Stolen' })
    const [file, voided] = await Promise.all([
      pat.post(`${pathOf(batch)}/file`),
      round % 2 ? cancel() : voidBatch(),
    ])
    expect([file.status, voided.status].sort()).toEqual([200, 409])
    const { state } = (await pia.get(pathOf(batch))).json
    expect(state).toBe(file.status === 200 ? 'exported' : 'void')
    if (file.status === 200 || round % 2) payout = await due()
    else expect((await read(payout)).state).toBe('due')
  }
})

it('a release and a void of its payout leave no batch behind', async () => {
  for (let round = 0; round < 5; round++) {
    const [wrong, fine] = [await due(), await due()]
    const batch = await batchOf(pia, 'paypal', [wrong.id, fine.id])
    await pia.post(`${pathOf(batch)}/freeze`)
    const [released, voided] = await Promise.all([
      pat.post(`${pathOf(batch)}/release`),
      pia.post(`/api/admin/payouts/${wrong.id}/void`, { reason: 'Stolen' }),
    ])
    expect(voided.status).toBe(200)
    expect([200, 409]).toContain(released.status)
    expect((await pia.get(pathOf(batch))).json.state).toBe('void')
    expect([(await read(wrong)).state, (await read(fine)).state]).toEqual(['void', 'due'])
  }
})

it('of a release and a clear-all at once, the batch is either released whole or void', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 12; round++) {
    const payouts = [await due(), await due()]
    const batch = await batchOf(
      pia,
      'paypal',
      payouts.map(({ id }) => id),
    )
    await pia.post(`${pathOf(batch)}/freeze`)
    const clear = () => owner.delete('/api/admin/submissions')
    const [released, cleared] = await Promise.all(
      round % 2
        ? [pat.post(`${pathOf(batch)}/release`), clear()]
        : [clear(), pat.post(`${pathOf(batch)}/release`)].reverse(),
    )
    expect(cleared?.status).toBe(200)
    const { state } = (await pia.get(pathOf(batch))).json
    expect([released?.status, state]).toEqual(released?.status === 200 ? [200, 'released'] : [409, 'void'])
    seen.add(state)
    for (const payout of payouts) {
      const kept = (await owner.get(`/api/admin/submissions/${payout.submissionId}`)).status
      expect([kept, (await read(payout)).state]).toEqual(
        state === 'released' ? [200, 'released'] : [404, 'void'],
      )
    }
    const log = (await owner.get(`/api/admin/audit?subject=${batch.id}&action=payout_batch.voided`)).json
    if (state === 'void') expect(log).toMatchObject([{ actor: 'admin', details: { cleared: true } }])
    else await owner.post(`${pathOf(batch)}/void`)
  }
  await owner.delete('/api/admin/submissions')
})

it('clear-all keeps what a batch holds that was released while it waited', async () => {
  const payout = await due()
  const batch = await batchOf(pia, 'paypal', [payout.id])
  await pia.post(`${pathOf(batch)}/freeze`)
  const client = await server.pool.connect()
  onTestFinished(() => client.release())
  await client.query('begin')
  await client.query('select from payout_batches where id = $1 for update', [batch.id])
  const waiting = async () => {
    const { rowCount } = await server.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rowCount
  }
  const released = pat.post(`${pathOf(batch)}/release`)
  await expect.poll(waiting).toBe(1)
  const cleared = owner.delete('/api/admin/submissions')
  await expect.poll(waiting).toBe(2)
  await client.query('commit')
  expect((await released).status).toBe(200)
  expect((await cleared).json).toMatchObject({
    deletedCount: 0,
    message: expect.stringMatching(/kept because (its payout is on its|their payouts are on their) way$/),
  })
  expect((await read(payout)).state).toBe('released')
  await pia.post(`${pathOf(batch)}/void`)
})

it('confirming again, or after a payout came back, pays each payout once', async () => {
  const payouts = [await due(), await due({ paymentAccountInfo: 'back@example.com' })]
  const [kept, back] = payouts as [WirePayout, WirePayout]
  const batch = await batchOf(
    pia,
    'paypal',
    payouts.map(({ id }) => id),
  )
  expect(refusal(await pia.post(`${pathOf(batch)}/paid`))).toEqual([409, 'illegal_batch_move'])
  await pia.post(`${pathOf(batch)}/freeze`)
  await pat.post(`${pathOf(batch)}/release`)
  await pat.post(`${pathOf(batch)}/file`)
  await pia.post(`/api/admin/payouts/${back.id}/return`, { reason: 'No such account' })
  const open = { total: '186.00', openTotal: '93.00' }
  expect((await pia.get(pathOf(batch))).json).toMatchObject(open)
  await owner.patch(`/api/admin/seller?id=${seller.id}`, { state: 'held', reason: 'The money has left' })
  await Promise.all([pia.post(`${pathOf(batch)}/paid`), pat.post(`${pathOf(batch)}/paid`)])
  await Promise.all([sendMails(server), sendMails(server)])
  expect([(await read(kept)).state, (await read(back)).state]).toEqual(['paid', 'returned'])
  expect((await pia.get(pathOf(batch))).json).toMatchObject({ paidCount: 1, returnedCount: 1 })
  const log = (await owner.get(`/api/admin/audit?subject=${kept.id}&action=payout.paid`)).json
  expect(log).toHaveLength(1)
})

it('bank transfers leave in an ACH file, and are expected later if it is downloaded late', async () => {
  payoutSettings.nacha = testBank
  onTestFinished(() => {
    payoutSettings.nacha = { cutoff: 1020 }
  })
  const account = { paymentRoutingNumber: '021000021', paymentAccountNumber: '000123456789' }
  const payout = await due({ paymentType: 'bank_transfer', ...account })
  const batch = await batchOf(pia, 'bank_transfer', [payout.id])
  await pia.post(`${pathOf(batch)}/freeze`)
  const released = (await pat.post(`${pathOf(batch)}/release`)).json
  const { expectedOn } = released
  expect(Date.parse(released.cutoff.at)).toBeGreaterThan(Date.now())
  expect(released.cutoff.settlesOn).toBe(expectedOn)
  await server.pool.query(`update payout_batches set expected_on = '2026-01-02' where id = $1`, [batch.id])
  const { text } = await downloadFile(pia, batch)
  expect(parseAch(Buffer.from(text)).entries).toEqual([
    expect.objectContaining({
      routingNumber: '021000021',
      account: '000123456789',
      cents: 9300n,
      trace: traceNumberOf(payout.number, testBank),
    }),
  ])
  const exported = (await pia.get(pathOf(batch))).json
  expect(exported.expectedOn >= expectedOn).toBe(true)
})

/** A batch of new payouts that pia froze, pat released and pia exported. */
async function sent(payouts: readonly WirePayout[]) {
  const ids = payouts.map(({ id }) => id)
  const batch = await batchOf(pia, payouts[0]?.paymentType ?? '', ids)
  await pia.post(`${pathOf(batch)}/freeze`)
  await pat.post(`${pathOf(batch)}/release`)
  expect((await pia.post(`${pathOf(batch)}/file`)).json.state).toBe('exported')
  return batch
}
const reject = (by: Person, batch: { id: string }, reason = 'The company id is wrong') =>
  by.post(`${pathOf(batch)}/reject`, { reason })
const confirmRejection = (by: Person, batch: { id: string }) => by.post(`${pathOf(batch)}/reject/confirm`)
const withdraw = (by: Person, batch: { id: string }) => by.post(`${pathOf(batch)}/reject/withdraw`)
const messageOf = ({ json }: { json: { message: string } }) => json.message

it('a file that the bank rejected makes its payouts due again under new numbers, and sellers hear nothing', async () => {
  const payouts = [await due(), await due()]
  const batch = await sent(payouts)
  const heard = async () =>
    (await server.pool.query("select key from jobs where kind in ('payoutMail', 'push')")).rows
  await sendMails(server)
  const before = await heard()
  expect(refusal(await confirmRejection(pat, batch))).toEqual([409, 'illegal_batch_move'])
  expect((await reject(pia, batch, ' ')).status).toBe(400)
  expect((await reject(pia, batch, 'Card 6006 4930 1234 5678')).json).toMatchObject({
    state: 'exported',
    rejectionReportedBy: 'pia',
    rejectionReason: 'Card ••••',
  })
  for (const refused of [await reject(pat, batch), await pat.post(`${pathOf(batch)}/paid`)])
    expect([refusal(refused), messageOf(refused)]).toEqual([
      [409, 'illegal_batch_move'],
      expect.stringContaining('Confirm or withdraw'),
    ])
  expect(refusal(await confirmRejection(pia, batch))).toEqual([403, 'second_person_needed'])
  expect((await withdraw(pat, batch)).json).toMatchObject({
    rejectionReportedBy: null,
    rejectionReason: null,
  })
  await reject(pia, batch)
  const both = await Promise.all([confirmRejection(pat, batch), confirmRejection(owner, batch)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await pia.get(pathOf(batch))).json).toMatchObject({
    state: 'rejected',
    count: 2,
    rejectedBy: expect.stringMatching(/^(pat|admin)$/),
    rejectionReason: 'The company id is wrong',
  })
  expect(refusal(await pia.get(`${pathOf(batch)}/file`))).toEqual([409, 'illegal_batch_move'])

  const renewed: WirePayout[] = []
  for (const old of payouts) {
    expect(await read(old)).toMatchObject({ state: 'void', voidReason: 'file_rejected', batchId: batch.id })
    expect(refusal(await pia.post(`/api/admin/payouts/${old.id}/paid`, {}))).toEqual([
      409,
      'illegal_payout_move',
    ])
    const [again] = (await owner.get(`/api/admin/payouts?q=${old.submissionId}&state=due`)).json
    const before = await read(old)
    expect(again).toMatchObject({
      ...{ amount: before.amount, deducted: before.deducted, account: before.account, dueAt: before.dueAt },
      ...{ problem: null, sentAt: null, batchId: null },
    })
    expect(again.number).toBeGreaterThan(Math.max(...payouts.map(({ number }) => number)))
    renewed.push(again)
    const own = (await seller.get(`/api/user/gift-cards/${old.submissionId}`)).json
    expect(own.payout).toMatchObject({ state: 'due', sentAt: null })
  }
  expect(await heard()).toEqual(before)
  const log = (await owner.get(`/api/admin/audit?subject=${batch.id}`)).json
  expect(log.slice(0, 4).map(({ action }: { action: string }) => action)).toEqual([
    'payout_batch.rejected',
    'payout_batch.rejection_reported',
    'payout_batch.rejection_withdrawn',
    'payout_batch.rejection_reported',
  ])
  expect(JSON.stringify(log)).not.toContain('company id')

  // What the service reports late about the rejected file changes nothing.
  const late = payouts.map(({ number, amount }) => `payout-${number},Returned,${amount}`)
  const bytes = Buffer.from(`Unique ID,Status,Amount\n${late.join('\n')}\n`)
  const imported = await pia.upload('/api/admin/payout-returns', [
    { name: 'file', filename: 'late.csv', type: 'text/csv', bytes },
  ])
  expect(imported.json).toMatchObject({ matched: 0, already: 0, unmatched: [{ line: 2 }, { line: 3 }] })

  const next = await sent(renewed)
  await pia.post(`${pathOf(next)}/paid`)
  await sendMails(server)
  expect((await pia.get(pathOf(next))).json.paidCount).toBe(2)
})

it('a batch is not rejected before it was exported, after a payout was paid or came back, or if it is a worksheet', async () => {
  const released = await batchOf(pia, 'paypal', [(await due()).id])
  expect(refusal(await reject(pia, released))).toEqual([409, 'illegal_batch_move'])
  await pia.post(`${pathOf(released)}/void`)
  const worksheet = await sent([await due({ paymentType: 'zelle' })])
  expect(messageOf(await reject(pia, worksheet))).toContain('worksheet')

  const [paid, other] = [await due(), await due()]
  const batch = await sent([paid, other])
  await reject(pia, batch)
  await pia.post(`/api/admin/payouts/${paid.id}/paid`, {})
  expect(messageOf(await confirmRejection(pat, batch))).toContain('the bank accepted the file')
  expect((await read(other)).state).toBe('exported')
  await withdraw(pat, batch)
  expect(messageOf(await reject(pia, batch))).toContain('the bank accepted the file')

  const confirmed = await sent([await due()])
  await pia.post(`${pathOf(confirmed)}/paid`)
  expect(messageOf(await reject(pia, confirmed))).toContain('the bank accepted the file')
  await pia.post(`${pathOf(batch)}/paid`)
  await sendMails(server)
})

it('a person who is alone confirms the rejection that they reported, unless two are always needed', async () => {
  const batch = await sent([await due()])
  await reject(owner, batch)
  await server.pool.query("update administrators set disabled_at = now() where username <> 'admin'")
  payoutSettings.alwaysTwoPersons = true
  try {
    expect(refusal(await confirmRejection(owner, batch))).toEqual([403, 'second_person_needed'])
    payoutSettings.alwaysTwoPersons = false
    expect((await confirmRejection(owner, batch)).json.state).toBe('rejected')
  } finally {
    payoutSettings.alwaysTwoPersons = false
    await server.pool.query('update administrators set disabled_at = null')
  }
  const log = (await owner.get(`/api/admin/audit?subject=${batch.id}&action=payout_batch.rejected`)).json
  expect(log).toMatchObject([{ details: { alone: true } }])
})

it('of a rejection and a payment, a return or a clear-all at once, one is refused and nothing is lost', async () => {
  for (let round = 0; round < 12; round++) {
    const back = { paymentAccountInfo: `back${round}@example.com` }
    const payouts = [await due(), await due(back)] as const
    const batch = await sent(payouts)
    await reject(pia, batch)
    const rivals = [
      () => pat.post(`/api/admin/payouts/${payouts[0].id}/paid`, {}),
      () => pat.post(`/api/admin/payouts/${payouts[1].id}/return`, { reason: 'Closed' }),
      () => owner.delete('/api/admin/submissions'),
    ]
    const rival = rivals[round % rivals.length] as () => Promise<{ status: number }>
    const [rejected, other] = await Promise.all(
      round % 2 ? [confirmRejection(pat, batch), rival()] : [rival(), confirmRejection(pat, batch)].reverse(),
    )
    const isCleared = round % rivals.length === 2
    expect([rejected?.status, other?.status]).toEqual(
      isCleared ? [200, 200] : rejected?.status === 200 ? [200, 409] : [409, 200],
    )
    for (const { submissionId } of payouts) {
      const live = (await owner.get(`/api/admin/payouts?q=${submissionId}`)).json
      const states = live.map(({ state }: WirePayout) => state)
      // Clear-all keeps what was on its way, and voids what was due again.
      if (isCleared)
        expect([
          ['due', 'void'],
          ['void', 'void'],
        ]).toContainEqual(states)
      else if (rejected?.status === 200) expect(states).toEqual(['due', 'void'])
      else expect(states).toHaveLength(1)
    }
    if (rejected?.status !== 200) await withdraw(pia, batch)
  }
  await owner.delete('/api/admin/submissions')
})

it('leaves books that agree', async () => {
  expect((await verifyLedger(server.db)).problems).toEqual([])
})

it('takes a payout of a seller from before addresses were confirmed, until the address changes', async () => {
  const payout = await due()
  const address = `earlier${seller.id}@example.com`
  await server.pool.query(
    'update users set verified = false, confirmation_waived = true, email = $2 where id = $1',
    [seller.id, address],
  )
  expect((await read(payout)).problem).toBeNull()
  const batch = await batchOf(pia, 'paypal', [payout.id])
  expect(batch).toMatchObject({ count: 1 })
  await pia.post(`${pathOf(batch)}/void`)
  const profile = { firstName: 'Sally', lastName: 'Seller' }
  for (const email of [`other${seller.id}@example.com`, address]) {
    expect((await seller.put('/api/user/profile', { ...profile, email })).status).toBe(200)
    expect((await read(payout)).problem).toBe('email_unconfirmed')
  }
})

describe('limits', () => {
  const inCents = (amount: string) => Math.round(Number(amount) * 100)
  const frozen = async (payouts: readonly { id: string }[]) => {
    const batch = await batchOf(
      pia,
      'paypal',
      payouts.map(({ id }) => id),
    )
    await pia.post(`${pathOf(batch)}/freeze`)
    return batch
  }
  const release = (by: Person, batch: { id: string }) => by.post(`${pathOf(batch)}/release`)
  /** What was released and paid by hand today, in the whole file of tests. */
  const sentToday = async () => {
    limits.perDay = 0
    const { json } = await pia.post(`/api/admin/payouts/${(await due()).id}/paid`, {})
    delete limits.perDay
    return inCents(/^\$([\d,.]+) was released/.exec(json.message)?.[1]?.replaceAll(',', '') ?? '')
  }

  it('of one payout holds in batches and by hand, in every way to complete a card', async () => {
    const payout = await due()
    limits.perPayout = 9_299
    const refused = [
      await pia.post('/api/admin/payout-batches', { paymentType: 'paypal', payoutIds: [payout.id] }),
      await pia.post(`/api/admin/payouts/${payout.id}/paid`, { reference: 'X' }),
      await owner.patch(`/api/admin/submissions/${payout.submissionId}/status`, { status: 'completed' }),
    ]
    expect(refused.map(refusal)).toEqual(Array(3).fill([409, 'payout_limit']))
    expect(refused[0]?.json.message).toBe(
      'A payout of $93.00 is above the limit of $92.99 for one payout. The operator can raise PAYOUT_LIMIT.',
    )
    limits.perPayout = 9_300
    const batch = await frozen([payout])
    limits.perPayout = 9_299
    expect((await pat.get(pathOf(batch))).json.limitProblem).toBe(refused[0]?.json.message)
    expect(refusal(await release(pat, batch))).toEqual([409, 'payout_limit'])
  })

  it('of one batch is kept by a batch of all that is due', async () => {
    const made = [await due(), await due(), await due()]
    limits.perBatch = 9_300 * 2 + 9_299
    const chosen = { paymentType: 'paypal', payoutIds: made.map(({ id }) => id) }
    expect(refusal(await pia.post('/api/admin/payout-batches', chosen))).toEqual([409, 'payout_limit'])
    const { count, total } = await batchOf(pia, 'paypal')
    expect([count, total]).toEqual([2, '186.00'])
  })

  it('of one day counts batches and payments by hand, and two at once keep it exactly', async () => {
    const before = await sentToday()
    const [one, other] = [await frozen([await due()]), await frozen([await due()])]
    const byHand = [await due(), await due()]
    limits.perDay = before + 2 * 9_300
    const answers = await Promise.all([
      release(pat, one),
      release(pat, other),
      ...byHand.map(({ id }) => pia.post(`/api/admin/payouts/${id}/paid`, {})),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    for (const { status, json } of answers) {
      if (status !== 409) continue
      expect(json.code).toBe('payout_limit')
      expect(json.message).toContain(
        `which leaves $0.00 of the limit of ${toDollars(before + 2 * 9_300)} for one day. This would send $93.00. Send less, wait until midnight (UTC), or ask`,
      )
    }
    const { today } = (await pia.get('/api/admin/payouts/provider')).json
    const all = toDecimal(before + 2 * 9_300)
    expect(today).toEqual({ limit: all, sent: all, left: '0.00' })
    expect(await sentToday()).toBe(before + 2 * 9_300)
  })

  it('of one day counts no dissolved batch, but a payment by hand that was reverted and may have been sent', async () => {
    const before = await sentToday()
    const batch = await frozen([await due()])
    await release(pat, batch)
    await pat.post(`${pathOf(batch)}/void`)
    expect(await sentToday()).toBe(before)
    const payout = await due()
    await pia.post(`/api/admin/payouts/${payout.id}/paid`, {})
    const { version } = (await owner.get(`/api/admin/submissions/${payout.submissionId}`)).json
    await owner.patch(`/api/admin/submissions/${payout.submissionId}/status`, {
      status: 'processing',
      version,
    })
    expect(await sentToday()).toBe(before + 9_300)
    await pia.post(`/api/admin/payouts/${payout.id}/not-sent`)
    expect(await sentToday()).toBe(before)
  })

  it('a batch above an amount needs two approvers besides its makers, and loses an approval when it changes', async () => {
    const [first, second] = [await due(), await due()]
    const maya = await server.staff('maya', 'manager')
    const olga = await server.staff('olga', 'owner')
    limits.secondApprovalAbove = 9_299
    const batch = await batchOf(maya, 'paypal', [first.id, second.id])
    await pia.post(`${pathOf(batch)}/freeze`)
    for (const maker of [maya, pia]) {
      expect(refusal(await release(maker, batch))).toEqual([403, 'second_person_needed'])
    }
    const releasers = async () => (await auditor.get(pathOf(batch))).json.releasers
    for (const maker of ['maya', 'pia']) expect(await releasers()).not.toContain(maker)
    expect(await releasers()).toContain('pat')
    const both = await Promise.all([release(pat, batch), release(pat, batch)])
    expect(await releasers()).not.toContain('pat')
    expect(await releasers()).toContain('olga')
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    expect((await auditor.get(pathOf(batch))).json).toMatchObject({
      state: 'frozen',
      needsTwoApprovals: true,
      twoApprovalsAbove: '92.99',
      approvedBy: 'pat',
      approvedAt: expect.any(String),
    })
    await pia.post(`/api/admin/payouts/${second.id}/take-out`)
    await pia.post(`${pathOf(batch)}/freeze`)
    expect((await auditor.get(pathOf(batch))).json).toMatchObject({ state: 'frozen', approvedBy: null })
    expect((await release(olga, batch)).json).toMatchObject({ state: 'frozen', approvedBy: 'olga' })
    expect(refusal(await release(olga, batch))).toEqual([403, 'second_person_needed'])
    expect((await release(pat, batch)).json).toMatchObject({
      state: 'released',
      approvedBy: 'olga',
      releasedBy: 'pat',
      releasedAlone: false,
    })
    const log = (await owner.get(`/api/admin/audit?subject=${batch.id}`)).json
    expect(
      log.map(({ action, actor }: { action: string; actor: string }) => `${action} ${actor}`).reverse(),
    ).toEqual([
      'payout_batch.created maya',
      'payout_batch.frozen pia',
      'payout_batch.approved pat',
      'payout_batch.payout_taken_out pia',
      'payout_batch.frozen pia',
      'payout_batch.approved olga',
      'payout_batch.released pat',
    ])
  })

  it('with two persons always, nobody freezes what they created', async () => {
    payoutSettings.alwaysTwoPersons = true
    try {
      const batch = await batchOf(pia, 'paypal', [(await due()).id])
      expect(batch.needsOtherToFreeze).toBe(true)
      expect(refusal(await pia.post(`${pathOf(batch)}/freeze`))).toEqual([403, 'second_person_needed'])
      expect((await pat.post(`${pathOf(batch)}/freeze`)).json.state).toBe('frozen')
      expect((await release(pia, batch)).json.state).toBe('released')
    } finally {
      payoutSettings.alwaysTwoPersons = false
    }
  })
})
