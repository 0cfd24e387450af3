import { beforeAll, describe, expect, it } from 'vitest'
import type { DueTotal, WirePayout } from '#contract/payouts.ts'
import { deadAccountReasons } from '#domain/failure.ts'
import { referenceOf } from '#domain/reference.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { testBank } from '#test/nacha/bank.ts'
import { nachaReturns } from '#test/nacha/returns.ts'
import {
  batchOf,
  downloadFile,
  duePayout,
  exportedBatch,
  latestPayoutOf,
  pathOf,
  payoutReturned,
} from '#test/payouts.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import { accepted, type Person, type TestAnswer } from '#test/person.ts'
import { moveAnyway, submit, submitted } from '#test/submissions.ts'
import { traceNumberOf } from './files/nacha.ts'

const payoutSettings = { manual: true, alwaysTwoPersons: false, netReceivables: false, nacha: testBank }

let server: TestApp
let sally: Person
let ben: Person
let payer: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp({ site: { payouts: payoutSettings } })
  sally = await server.seller('sally')
  ben = await server.seller('ben')
  staff = await server.staff()
  payer = await server.staff('petra', 'payer')
})

let accounts = 0
/** The fields of a submission with a bank account that nobody has used. */
function newBank() {
  accounts += 1
  return {
    paymentType: 'bank_transfer',
    paymentRoutingNumber: '021000021',
    paymentAccountNumber: `55500${String(accounts).padStart(4, '0')}`,
  }
}
type Bank = ReturnType<typeof newBank>

const due = (seller: Person, fields: object = {}): Promise<WirePayout> =>
  duePayout(server, seller, staff, fields)
const read = async ({ id }: { id: string }): Promise<WirePayout> =>
  (await staff.get(`/api/admin/payouts/${id}`)).json

/** A payout to the account that has come back, or about which the bank has reported. */
async function refused(seller: Person, fields: object, code: string): Promise<WirePayout> {
  const payout = await due(seller, fields)
  await exportedBatch(server, [payout.submissionId])
  if (code.startsWith('C')) await report(payout, code)
  else await payoutReturned(server, payout.submissionId, { code })
  return payout
}

async function report({ number, submissionId, accountName }: WirePayout, code: string): Promise<void> {
  const text = nachaReturns([
    {
      trace: traceNumberOf(number, testBank),
      reference: referenceOf(submissionId),
      name: accountName?.toUpperCase() ?? '',
      code,
      correction: '111222333',
    },
  ])
  const file = { name: 'file', filename: 'r.txt', type: 'text/plain', bytes: Buffer.from(text) }
  expect((await staff.upload('/api/admin/payout-returns', [file])).json.matched).toBe(1)
}

const lift = (by: Person, { id }: { id: string }, reason = 'The bank apologized') =>
  by.post(`/api/admin/payouts/${id}/lift-account`, { reason })
const fieldErrors = ({ status, json }: TestAnswer) => [
  status,
  ...(json.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
]

describe('a dead account', () => {
  it.each(['R02', 'R03', 'R04', 'R16', 'R20', 'C01', 'C02', 'C03'])(
    'after %s keeps payouts out of batches',
    async (code) => {
      const account = newBank()
      const other = await due(sally, {
        ...account,
        paymentAccountNumber: account.paymentAccountNumber.replace(/(...)$/, ' $1'),
      })
      await refused(sally, account, code)
      expect((await read(other)).problem).toBe('account_dead')
      expect((await read(other)).deadAccount).toMatchObject({ code })
      const chosen = { paymentType: 'bank_transfer', payoutIds: [other.id] }
      const { status, json } = await payer.post('/api/admin/payout-batches', chosen)
      expect([status, json.code]).toEqual([409, 'payout_not_batchable'])
      expect(json.message).toMatch(/the account of sally was refused \(Th.+\)$/)
    },
  )

  it.each(['R01', 'R06', 'R23', 'R24', 'C04'])('is not one after %s', async (code) => {
    const account = newBank()
    const other = await due(sally, account)
    await refused(sally, account, code)
    expect((await read(other)).problem).toBeNull()
  })

  it('is not one after R23, which the other payouts to it say until one has arrived', async () => {
    const account = newBank()
    const [other, next] = [await due(sally, account), await due(sally, account)]
    const elsewhere = [await due(sally, newBank()), await due(ben, account)]
    const came = await refused(sally, account, 'R23')
    const cameBackOf = async (one: { id: string }) => (await read(one)).cameBack
    expect(await read(other)).toMatchObject({
      problem: null,
      cameBack: { code: 'R23', reason: expect.stringMatching(/^The .*refused/), at: expect.any(String) },
    })
    for (const one of elsewhere) expect(await cameBackOf(one)).toBeNull()
    const path = `/api/user/gift-cards/${came.submissionId}/payout-account`
    expect((await sally.post(path, bankOf(newBank()))).status).toBe(200)
    expect(await cameBackOf(other)).toMatchObject({ code: 'R23' })
    expect(await cameBackOf(await latestPayoutOf(server, came.submissionId))).toBeNull()
    await staff.post(`/api/admin/payouts/${other.id}/paid`, { reference: 'WIRE-2' })
    expect(await cameBackOf(next)).toBeNull()
  })

  it('counts in the batch the payouts to an account that sent back another one', async () => {
    const account = newBank()
    const other = await due(sally, account)
    const fine = await due(ben, newBank())
    await refused(sally, account, 'R23')
    const totals = (await staff.get('/api/admin/payouts/due')).json
    const listed: WirePayout[] = (await staff.get('/api/admin/payouts?state=due&paymentType=bank_transfer'))
      .json
    expect(totals.find((one: DueTotal) => one.paymentType === 'bank_transfer').cameBackCount).toBe(
      listed.filter(({ cameBack }) => cameBack).length,
    )
    const chosen = { paymentType: 'bank_transfer', payoutIds: [other.id, fine.id] }
    const { json: batch } = await payer.post('/api/admin/payout-batches', chosen)
    expect(batch).toMatchObject({ count: 2, cameBackCount: 1 })
    expect((await read(other)).cameBack).toMatchObject({ code: 'R23' })
    await accepted(payer.post(`${pathOf(batch)}/freeze`))
    expect((await accepted(staff.post(`${pathOf(batch)}/release`))).json).toMatchObject({ cameBackCount: 1 })
    expect((await read(other)).cameBack).toMatchObject({ code: 'R23' })
  })

  it('marks and counts the payouts of a frozen batch that keep it from being released', async () => {
    const account = newBank()
    const [came, other] = [await due(sally, account), await due(sally, account)]
    const fine = await due(ben, newBank())
    const batch = await batchOf(payer, 'bank_transfer', [other.id, fine.id])
    await payer.post(`${pathOf(batch)}/freeze`)
    const problemCount = async () => (await staff.get(pathOf(batch))).json.problemCount
    expect(await problemCount()).toBe(0)
    await exportedBatch(server, [came.submissionId])
    await payoutReturned(server, came.submissionId, { code: 'R02' })

    expect([await problemCount(), (await read(other)).problem, (await read(fine)).problem]).toEqual([
      1,
      'account_dead',
      null,
    ])
    const refused = await staff.post(`${pathOf(batch)}/release`)
    expect([refused.status, refused.json.code]).toEqual([409, 'payout_not_batchable'])
    expect(refused.json.message).toMatch(
      `First take payout ${other.number} out of the batch. The payout for ${referenceOf(other.submissionId)}`,
    )

    expect((await payer.post(`/api/admin/payouts/${other.id}/take-out`)).status).toBe(200)
    expect((await payer.post(`${pathOf(batch)}/freeze`)).json).toMatchObject({ count: 1, problemCount: 0 })
    expect((await staff.post(`${pathOf(batch)}/release`)).status).toBe(200)
  })

  it('stops a released batch, and frees it when a payer lifts that with a reason', async () => {
    const account = newBank()
    const [came, other] = [await due(sally, account), await due(sally, account)]
    const batch = await batchOf(payer, 'bank_transfer', [other.id])
    await payer.post(`${pathOf(batch)}/freeze`)
    expect((await staff.post(`${pathOf(batch)}/release`)).status).toBe(200)
    await exportedBatch(server, [came.submissionId])
    await payoutReturned(server, came.submissionId, { code: 'R02' })
    const stopped = await downloadFile(payer, batch)
    expect([stopped.status, stopped.json.code]).toEqual([409, 'payout_not_batchable'])
    expect(stopped.json.message).toContain(
      `${referenceOf(other.submissionId)} (sally: The bank account is closed)`,
    )
    expect((await read(other)).problem).toBe('account_dead')

    expect((await lift(await server.staff('rita', 'reviewer'), other)).status).toBe(403)
    expect((await lift(payer, other, ' ')).status).toBe(400)
    expect((await lift(payer, other)).json).toMatchObject({ deadAccount: null, problem: null })
    expect((await lift(payer, other)).status).toBe(200)
    const log = (await staff.get(`/api/admin/audit?subject=${other.id}&action=payout.account_lifted`)).json
    expect(log).toMatchObject([
      { actor: 'petra', details: { codes: ['R02'], reason: 'The bank apologized' } },
    ])
    expect((await downloadFile(payer, batch)).status).toBe(200)
  })

  it('stays dead although a payment by hand says otherwise', async () => {
    const account = newBank()
    const other = await due(sally, account)
    await refused(sally, account, 'R02')
    expect((await staff.post(`/api/admin/payouts/${other.id}/paid`, { reference: 'WIRE-1' })).status).toBe(
      200,
    )
    expect((await read(await due(ben, account))).problem).toBe('account_dead')
  })

  it('is one of its service: the same address can be paid by another', async () => {
    const paymentAccountInfo = 'both@example.com'
    const zelle = await due(sally, { paymentType: 'zelle', paymentAccountInfo })
    const paypal = await due(sally, { paymentType: 'paypal', paymentAccountInfo: 'Both@Example.com' })
    await refused(sally, { paymentType: 'paypal', paymentAccountInfo }, 'RETURNED')
    expect([(await read(zelle)).problem, (await read(paypal)).problem]).toEqual([null, 'account_dead'])
  })

  it('is not one that a payer says has reached a limit, in the language of the seller', async () => {
    const cash = { paymentType: 'cash_app', paymentAccountInfo: '$sally-limit' }
    const [first, other] = [await due(sally, cash), await due(sally, cash)]
    await exportedBatch(server, [first.submissionId])
    const reason = server.context.words.en('reasons.text.payout_limit_reached')
    await accepted(payer.post(`/api/admin/payouts/${first.id}/return`, { reason }))
    expect(await read(other)).toMatchObject({ problem: null, cameBack: { reason } })
  })

  it('is one of which a payer recorded a return', async () => {
    const zelle = { paymentType: 'zelle', paymentAccountInfo: '(212) 555-0188' }
    const [first, other] = [
      await due(sally, zelle),
      await due(sally, { ...zelle, paymentAccountInfo: '2125550188' }),
    ]
    await exportedBatch(server, [first.submissionId])
    const body = { reason: 'Zelle does not know this number' }
    expect((await payer.post(`/api/admin/payouts/${first.id}/return`, body)).status).toBe(200)
    expect(await read(other)).toMatchObject({
      problem: 'account_dead',
      deadAccount: { code: null, reason: 'Zelle does not know this number' },
    })
  })
})

describe('the account of a payout that failed', () => {
  const paypal = { paymentType: 'paypal', paymentAccountName: 'Sally Seller' }
  const of = (name: string) => ({ ...paypal, paymentAccountInfo: `${name}@example.com` })
  const failed = async (name: string, reason: string) => {
    const [payout, other] = [await due(sally, of(name)), await due(sally, of(name))]
    expect((await payer.post(`/api/admin/payouts/${payout.id}/void`, { reason })).status).toBe(200)
    return { payout, other }
  }
  const enter = ({ submissionId }: WirePayout, accountInfo: string) =>
    sally.post(`/api/user/gift-cards/${submissionId}/payout-account`, {
      type: 'paypal',
      accountName: 'Sally Seller',
      accountInfo,
    })

  it.each(deadAccountReasons)('is dead for its seller after %s', async (reason) => {
    const { other } = await failed(reason, reason)
    expect(await read(other)).toMatchObject({ problem: 'account_dead', deadAccount: { code: reason } })
    expect(fieldErrors(await submit(sally, of(reason)))).toEqual([400, 'paymentAccountInfo account_refused'])
    expect((await read(await due(ben, of(reason)))).problem).toBeNull()
  })

  it('stops as many other payouts to it as the payout had said', async () => {
    const cara = await server.seller()
    const [payout, other, batched] = [
      await due(cara, of('shared')),
      await due(cara, of('shared')),
      await due(cara, of('shared')),
    ]
    await due(cara, of('another'))
    await due(ben, of('shared'))
    await batchOf(payer, 'paypal', [batched.id])
    expect(payout).not.toHaveProperty('sameAccount')
    expect((await read(payout)).sameAccount).toEqual({ count: 2, total: '186.00' })
    await payer.post(`/api/admin/payouts/${payout.id}/void`, { reason: 'payout_account_closed' })
    const problemOf = async (one: WirePayout) => (await read(one)).deadAccount?.code
    expect([await problemOf(other), await problemOf(batched)]).toEqual(Array(2).fill('payout_account_closed'))
    expect(await read(payout)).not.toHaveProperty('sameAccount')
  })

  it.each(['payout_name_mismatch', 'payout_limit_reached', 'usage_payout_name', 'Gone', 'usage_redeemed'])(
    'is not after %s',
    async (reason) => {
      const { other } = await failed(`not-${reason.toLowerCase()}`, reason)
      expect((await read(other)).problem).toBeNull()
    },
  )

  it('is marked where the seller saved it, in their language, and is no choice for a sale', async () => {
    const accountInfo = 'saved@example.com'
    await sally.post('/api/payment-methods', { type: 'paypal', accountName: 'Sally Seller', accountInfo })
    await failed('saved', 'payout_account_closed')
    const saved = async () =>
      (await sally.get('/api/payment-methods')).json.find(
        (method: { accountInfo: string }) => method.accountInfo === accountInfo,
      )
    expect(await saved()).toMatchObject({
      isActive: false,
      problem: expect.stringMatching(/^We cannot pay this account: “The payout account is closed\.” /),
    })
    await sally.put('/api/user/locale', { locale: 'es' })
    expect((await saved()).problem).toMatch(
      /^No podemos pagar a esta cuenta: “La cuenta de pago está cerrada”\. /,
    )
    await sally.put('/api/user/locale', { locale: 'en' })
  })

  it('can be entered again once a payer has allowed it', async () => {
    const { payout, other } = await failed('allowed', 'payout_account_closed')
    expect(fieldErrors(await enter(payout, 'allowed@example.com'))).toEqual([
      400,
      'accountInfo account_refused',
    ])
    expect((await lift(payer, payout)).json.deadAccount).toBeNull()
    expect((await read(other)).problem).toBeNull()
    expect((await enter(payout, 'allowed@example.com')).json).toMatchObject({ status: 'approved' })
  })

  it('can be paid again after staff revert the failure, unless something else had marked it', async () => {
    const revert = ({ submissionId }: WirePayout) =>
      staff.patch(`/api/admin/submissions/${submissionId}/status`, { status: 'processing' })
    const { payout, other } = await failed('reverted', 'payout_account_closed')
    expect((await revert(payout)).status).toBe(200)
    expect((await read(other)).problem).toBeNull()
    expect((await latestPayoutOf(server, payout.submissionId)).state).toBe('due')
    const twice = await failed('twice', 'payout_account_closed')
    const void_ = { reason: 'payout_account_not_found' }
    expect((await payer.post(`/api/admin/payouts/${twice.other.id}/void`, void_)).status).toBe(200)
    await revert(twice.payout)
    const { id } = await latestPayoutOf(server, twice.payout.submissionId)
    expect((await read({ id })).deadAccount).toMatchObject({ code: void_.reason })
  })

  it('stays dead after the seller has named another one', async () => {
    const { payout, other } = await failed('replaced', 'payout_account_closed')
    expect((await enter(payout, 'fresh@example.com')).status).toBe(200)
    expect((await read(other)).problem).toBe('account_dead')
    expect(fieldErrors(await submit(sally, of('replaced')))).toEqual([
      400,
      'paymentAccountInfo account_refused',
    ])
  })
})

describe('its seller', () => {
  it('reads why, and can name another account for each payout that is due', async () => {
    const cara = await server.seller('cara')
    const account = newBank()
    const other = await due(cara, account)
    const path = `/api/user/gift-cards/${other.submissionId}`
    const another = { type: 'paypal', accountName: 'Sally Seller', accountInfo: 'sally2@example.com' }
    expect((await cara.post(`${path}/payout-account`, another)).status).toBe(409)
    await refused(cara, account, 'R02')
    const needsYou = async () =>
      (await cara.get('/api/user/home')).json.needsYou.cards.map(({ id }: { id: string }) => id)
    expect(await needsYou()).toContain(other.submissionId)
    const shownToStaff = async () => {
      const cards = (await staff.get(`/api/admin/chat/cards?userId=${cara.id}`)).json
      const { totals, submissions } = (await staff.get(`/api/admin/seller?id=${cara.id}`)).json
      const isOther = ({ id }: { id: string }) => id === other.submissionId
      const desk = (await staff.get('/api/admin/submissions?view=pay&q=cara')).json.find(isOther)
      const places = [cards.find(isOther), submissions.find(isOther), desk]
      return [...places.map(({ needsAccount }) => needsAccount), desk.payout.waitsUntil, totals]
    }
    expect(await shownToStaff()).toMatchObject([
      true,
      true,
      true,
      null,
      { owed: '186.00', unpayable: '186.00' },
    ])
    expect((await cara.get(path)).json.payout).toMatchObject({
      state: 'due',
      needsAccount: true,
      returnReason: 'The bank account is closed',
    })
    const same = bankOf(account)
    expect(fieldErrors(await cara.post(`${path}/payout-account`, same))).toEqual([
      400,
      'accountNumber account_refused',
    ])
    const changed = await cara.post(`${path}/payout-account`, another)
    expect(changed.json.payout).toMatchObject({ state: 'due', needsAccount: false, paymentType: 'paypal' })
    expect((await latestPayoutOf(server, other.submissionId)).id).toBe(other.id)
    expect(await read(other)).toMatchObject({ problem: 'account_new', deadAccount: null, amount: '93.00' })
    expect(await needsYou()).not.toContain(other.submissionId)
    expect(await shownToStaff()).toMatchObject([
      false,
      false,
      false,
      (await read(other)).batchableAt,
      { owed: '186.00', unpayable: '93.00' },
    ])
    expect((await cara.post(`${path}/payout-account`, another)).status).toBe(409)
  })

  it('is asked for another account when a card is approved after its account was refused', async () => {
    const dora = await server.seller('dora')
    const account = newBank()
    const id = await submitted(dora, account)
    await refused(dora, account, 'R02')
    await server.pool.query('delete from jobs')
    const approved = await accepted(moveAnyway(staff, id, { status: 'processing' }))
    expect(approved.json).toMatchObject({ needsAccount: true, payout: { state: 'due' } })
    const [mail] = await sendMails(server)
    expect(mail?.subject).toBe('Approved: we need another account to pay you $93.00')
    expect(mail?.text).toMatch(
      /We cannot pay this account: bank transfer, .*\.\n\nReason: “The bank account is closed”/,
    )
    expect(mail?.text).toContain('Please use the link below to enter another account.')
    expect(mail?.text).toContain('Status: Account Needed')
    expect(mail?.text).toContain(`Enter Another Account: http://localhost/account/card?id=${id}`)
    expect(mail?.text).not.toMatch(/preparing your payout|should arrive|Expected by/)
  })

  it('cannot enter it again anywhere, in any spelling, until it is allowed', async () => {
    const account = newBank()
    const saved = (await sally.post('/api/payment-methods', bankOf(account))).json
    const came = await refused(sally, account, 'R02')
    const spelled = {
      ...account,
      paymentAccountNumber: account.paymentAccountNumber.replace(/^/, ' ').replace(/(..)$/, '-$1'),
    }
    const typed = await submit(sally, spelled)
    expect(fieldErrors(typed)).toEqual([400, 'paymentAccountNumber account_refused'])
    expect(typed.json.errors[0].message).toBe(
      'We cannot pay this account: “The bank account is closed.” Please enter another one, or ask support if it is right.',
    )
    expect(fieldErrors(await submit(sally, { paymentMethodId: saved.id }))).toEqual([
      400,
      'paymentMethodId account_refused',
    ])
    expect(fieldErrors(await sally.post('/api/payment-methods', bankOf(account)))).toEqual([
      400,
      'accountNumber account_refused',
    ])
    const disguised = {
      type: 'other',
      accountName: 'S',
      accountInfo: saved.accountInfo.replace(/Routing.*/, plain(account)),
    }
    expect(fieldErrors(await sally.post('/api/payment-methods', disguised))).toEqual([
      400,
      'accountInfo account_refused',
    ])
    const methods = async () => (await sally.get('/api/payment-methods')).json
    expect((await methods())[0]).toMatchObject({
      isActive: false,
      problem: expect.stringContaining('closed'),
    })
    await sally.put('/api/user/locale', { locale: 'es' })
    expect((await submit(sally, account)).json.errors[0].message).toMatch(
      /^No podemos pagar a esta cuenta: “La cuenta bancaria está cerrada/,
    )
    await sally.put('/api/user/locale', { locale: 'en' })
    expect((await lift(payer, came)).status).toBe(200)
    expect((await methods())[0]).toMatchObject({ isActive: true, problem: null })
    expect((await submit(sally, account)).status).toBe(201)
  })

  it('is the only one who reads that it was refused', async () => {
    const account = newBank()
    await refused(sally, account, 'R02')
    expect((await submit(ben, account)).status).toBe(201)
    const saved = await ben.post('/api/payment-methods', bankOf(account))
    expect([saved.status, saved.json.problem]).toEqual([201, null])
    expect((await read(await due(ben, account))).problem).toBe('account_dead')
  })

  it('cannot make the account of somebody else dead with a wrong name', async () => {
    const account = newBank()
    const victim = await due(ben, account)
    await refused(sally, { ...account, paymentAccountName: 'Not Ben' }, 'R03')
    expect((await read(victim)).problem).toBeNull()
    expect((await read(await due(ben, account))).deadAccount).toBeNull()
  })

  it('takes the mark along when the account is deleted', async () => {
    const gone = await server.seller()
    const account = newBank()
    const came = await refused(gone, account, 'R02')
    await staff.patch(`/api/admin/submissions/${came.submissionId}/status`, { status: 'completed' })
    expect(
      (await gone.send({ method: 'DELETE', url: '/api/user', payload: { password: SELLER_PASSWORD } }))
        .status,
    ).toBe(200)
    const { rows } = await server.pool.query('select 1 from dead_accounts where payout_id = $1', [came.id])
    expect(rows).toEqual([])
  })
})

it('marks nothing if the report is about an account that the seller has replaced', async () => {
  const account = newBank()
  const payout = await refused(sally, account, 'R06')
  const fresh = newBank()
  const path = `/api/user/gift-cards/${payout.submissionId}/payout-account`
  expect((await sally.post(path, bankOf(fresh))).status).toBe(200)
  await report(payout, 'C01')
  // It waits only as long as the payout whose account was changed.
  expect((await read(await due(sally, fresh))).problem).toBe('account_new')
  expect(await submitted(sally, fresh)).toBeTruthy()
})

const bankOf = ({ paymentRoutingNumber, paymentAccountNumber }: Bank) => ({
  type: 'bank_transfer',
  accountName: 'Sally Seller',
  routingNumber: paymentRoutingNumber,
  accountNumber: paymentAccountNumber,
})

const plain = ({ paymentRoutingNumber, paymentAccountNumber }: Bank) =>
  `Routing: ${paymentRoutingNumber}, Account: ${paymentAccountNumber}`
