import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { enqueueSecurityEmail } from '#server/features/accounts/sellers/account.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { auditLog, giftCards, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { momentIn } from '#server/platform/mail/dates.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails, sendMails } from '#test/mails.ts'
import { exportedBatch, latestPayoutOf, payoutReturned } from '#test/payouts.ts'
import { accepted, type Person } from '#test/person.ts'
import { type CardFields, submitted, submittedIn } from '#test/submissions.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
})

const bank = {
  type: 'bank_transfer',
  accountName: 'Sally Seller',
  routingNumber: '021000021',
  accountNumber: '987654321',
}

/** A completed submission whose payout has come back. */
async function returned(why?: { code?: string; reason?: string }, fields?: CardFields): Promise<string> {
  const id = await submittedIn('completed', { seller, staff }, fields)
  await payoutReturned(server, id, why)
  return id
}

const change = (id: string, account: object) =>
  seller.post(`/api/user/gift-cards/${id}/payout-account`, account)

const move = (id: string, status: string, more: object = {}) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, ...more })

const ownPayout = async (id: string) => (await seller.get(`/api/user/gift-cards/${id}`)).json.payout

const statusOf = async (id: string) => (await seller.get(`/api/user/gift-cards/${id}`)).json.status

const cardsOf = async (email: string, count: number, code = 'R03') => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await returned({ code }, { paymentAccountInfo: email }))
  return ids
}
const statesOf = (ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => (await ownPayout(id)).state + ((await ownPayout(id)).needsAccount ? '!' : '')),
  )
const shared = async (id: string, person = seller) =>
  (await person.get(`/api/user/gift-cards/${id}/payout-account`)).json

describe('the payout that a seller sees', () => {
  it('follows the submission from the approval on', async () => {
    const id = await submitted(seller)
    expect(await ownPayout(id)).toBeNull()
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    const { id: payoutId } = await latestPayoutOf(server, id)
    expect(await ownPayout(id)).toMatchObject({
      state: 'due',
      amount: '93.00',
      deducted: '0.00',
      paymentType: 'paypal',
      account: 's•••@example.com',
      reference: payoutId.slice(-4).toUpperCase(),
      isConfirmed: false,
      sentAt: null,
      needsAccount: false,
      waitsUntil: null,
      isUnclaimed: false,
    })
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'completed', reference: 'PP-77' })
    const paid = await ownPayout(id)
    expect(paid).toMatchObject({ state: 'paid', reference: 'PP-77', isConfirmed: true, returnReason: null })
    expect(paid.paidAt).toBe(paid.sentAt)
    const [listed] = (await seller.get('/api/my-transactions')).json
    expect(listed).toMatchObject({ giftCardId: id, payout: paid })
  })

  it('says why the money came back in the language of the seller', async () => {
    const coded = await returned({ code: 'R03' })
    const unknown = await returned({ code: 'R99' })
    const written = await returned(
      { reason: 'PayPal closed it' },
      { paymentAccountInfo: 'written@example.com' },
    )
    const reasons = () =>
      Promise.all([coded, unknown, written].map(async (id) => (await ownPayout(id)).returnReason))
    expect(await reasons()).toEqual([
      'The bank found no account with this number and name',
      'The money came back (code R99)',
      'PayPal closed it',
    ])
    await seller.put('/api/user/locale', { locale: 'es' })
    expect(await reasons()).toEqual([
      'El banco no encontró ninguna cuenta con este número y este nombre',
      'Nos devolvieron el dinero (código R99)',
      'PayPal closed it',
    ])
    await seller.put('/api/user/locale', { locale: 'en' })
  })
})

describe('another account before the approval', () => {
  const wrong = {
    paymentType: 'bank_transfer',
    paymentAccountInfo: '',
    paymentRoutingNumber: '123456789',
    paymentAccountNumber: '987654321',
  }

  it('replaces one with a wrong routing number, and the payout does not wait', async () => {
    const person = await server.seller()
    const ids = [await submitted(person, wrong), await submitted(person, wrong)] as const
    await move(ids[1], 'under_review', { reason: 'Receipt?' })
    await accountMails(server)
    expect(await shared(ids[0], person)).toMatchObject({ count: 2, amount: '186.00' })
    const needsYou = async () => (await person.get('/api/user/home')).json.needsYou.count
    // The one with a question counts once.
    expect(await needsYou()).toBe(2)
    const url = (id: string) => `/api/user/gift-cards/${id}/payout-account`
    const { json } = await person.post(url(ids[0]), { ...bank, sameAccount: true })
    expect(json).toMatchObject({
      status: 'pending',
      payout: null,
      routingNumberSuspect: false,
      account: 'Routing: •••• 0021, Account: •••• 4321',
      accountChanged: { count: 2, amount: '186.00' },
    })
    expect(await needsYou()).toBe(1)
    const [mail, ...more] = await accountMails(server)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('The account for 2 of your cards was changed')
    expect(mail?.text).toContain('another account for 2 cards that are not decided yet. If we pay')
    expect(mail?.text).toContain('\nTotal value: 2 cards, $200.00\nWhen: ')
    const history = async (reader: Person, path: string) => (await reader.get(`${path}/history`)).json
    expect((await history(person, `/api/user/gift-cards/${ids[1]}`)).slice(-2)).toMatchObject([
      { move: 'ask', to: 'under_review' },
      { move: 'change_account', by: 'seller', from: 'under_review', to: 'under_review' },
    ])
    expect((await history(staff, `/api/admin/submissions/${ids[0]}`)).at(-1)).toMatchObject({
      ...{ move: 'change_account', by: expect.stringMatching(/^seller./), from: 'pending', to: 'pending' },
    })
    const [entry] = await server.db.select().from(auditLog).where(eq(auditLog.subjectId, ids[1]))
    expect(entry).toMatchObject({ actorKind: 'seller', action: 'payout.account_changed' })
    await move(ids[0], 'processing')
    expect((await person.get(`/api/user/gift-cards/${ids[0]}`)).json.payout).toMatchObject({
      state: 'due',
      needsAccount: false,
      waitsUntil: null,
    })
    expect((await person.post(url(ids[1]), bank)).json.code).toBe('illegal_payout_move')
  })

  it('replaces one that was refused, together with the payout that came back', async () => {
    const [person, other] = [await server.seller(), await server.seller()]
    const account = { paymentAccountInfo: 'refused@example.com' }
    const id = await submittedIn('completed', { seller: person, staff }, account)
    const waiting = await submitted(person, account)
    const others = await submitted(other, account)
    const refusal = async (of: string, owner = person) =>
      (await owner.get(`/api/user/gift-cards/${of}`)).json.accountRefusal
    const waitingIds = async () =>
      (await person.get('/api/user/home')).json.needsYou.cards.map((card: { id: string }) => card.id).sort()
    expect(await refusal(waiting)).toBeNull()
    await payoutReturned(server, id, { code: 'RETURNED' })
    expect(await refusal(waiting)).toBe('Nobody claimed the money within 30 days')
    expect(await refusal(others, other)).toBeNull()
    expect((await other.post(`/api/user/gift-cards/${others}/payout-account`, bank)).status).toBe(409)
    // The other card stays under way, and is taken along.
    expect(await waitingIds()).toEqual([id])
    expect((await person.get('/api/user/home')).json.underWay.cards).toMatchObject([{ id: waiting }])
    expect(await shared(id, person)).toEqual({ count: 1, amount: '93.00', undecided: 1 })
    await accountMails(server)
    const { json } = await person.post(`/api/user/gift-cards/${id}/payout-account`, {
      ...bank,
      sameAccount: true,
    })
    expect(json.accountChanged).toEqual({ count: 1, amount: '93.00', undecided: 1 })
    const [mail] = await accountMails(server)
    expect(mail?.subject).toBe('The account for a payout was changed')
    expect(mail?.text).toContain(
      'If we pay for another card that is not decided yet, we will send that money to this account too.',
    )
    expect(await refusal(waiting)).toBeNull()
    expect(await waitingIds()).toEqual([])
    // A payout that becomes due to the new account waits as long as the one that was changed.
    await move(waiting, 'processing')
    const payoutOf = async (of: string) => (await person.get(`/api/user/gift-cards/${of}`)).json.payout
    expect((await payoutOf(waiting)).waitsUntil).toBe((await payoutOf(id)).waitsUntil)
    expect((await payoutOf(waiting)).waitsUntil).not.toBeNull()
  })

  it('is refused for an account that can be paid, a wrong one, another seller and a final card', async () => {
    const fine = await submitted(seller)
    expect((await change(fine, bank)).json.code).toBe('illegal_payout_move')
    const id = await submitted(seller, wrong)
    expect((await change(id, { ...bank, routingNumber: '123456789' })).status).toBe(400)
    const other = await server.seller()
    expect((await other.post(`/api/user/gift-cards/${id}/payout-account`, bank)).status).toBe(404)
    expect((await staff.post(`/api/user/gift-cards/${id}/payout-account`, bank)).status).toBe(401)
    await move(id, 'rejected', { reason: 'Used' })
    expect((await change(id, bank)).json.code).toBe('illegal_payout_move')
  })

  it('is taken once, also while the card is approved', async () => {
    const id = await submitted(seller, wrong)
    const [first, second] = await Promise.all([change(id, bank), change(id, bank), move(id, 'processing')])
    expect([first?.status, second?.status].sort()).toEqual([200, 409])
    expect(await ownPayout(id)).toMatchObject({
      state: 'due',
      needsAccount: false,
      account: 'Routing: •••• 0021, Account: •••• 4321',
    })
  })
})

describe('another account', () => {
  it('is asked for when the routing number is wrong, from the approval on', async () => {
    const wrong = { paymentRoutingNumber: '123456789', paymentAccountNumber: '987654321' }
    const fields = { paymentType: 'bank_transfer', paymentAccountInfo: '', ...wrong }
    const id = await submitted(seller, fields)
    const read = async () => (await seller.get(`/api/user/gift-cards/${id}`)).json
    expect(await read()).toMatchObject({ routingNumberSuspect: true, payout: null })
    await move(id, 'processing')
    expect((await read()).payout).toMatchObject({ state: 'due', needsAccount: true, returnReason: null })
    const idsInHome = async () =>
      (await seller.get('/api/user/home')).json.needsYou.cards.map((card: { id: string }) => card.id)
    expect(await idsInHome()).toContain(id)
    const [receipt, approval] = (await sendMails(server)).slice(-2)
    expect(receipt?.text).toContain('so we cannot pay this account. Please enter another one.')
    expect(receipt?.text).not.toContain('nothing for you to do')
    expect(approval?.subject).toBe('Approved: we need another account to pay you $93.00')
    expect(approval?.text).toContain('Your $93.00 is safe with us.')
    expect(approval?.text).toContain('Status: Account Needed')
    expect(approval?.text).toContain(`Enter Another Account: http://localhost/account/card?id=${id}`)
    expect((await change(id, { ...bank, routingNumber: '123456789' })).status).toBe(400)
    expect((await change(id, bank)).json).toMatchObject({
      routingNumberSuspect: false,
      payout: { state: 'due', needsAccount: false, returnReason: null },
    })
    expect(await idsInHome()).not.toContain(id)
    expect((await change(id, bank)).status).toBe(409)
  })

  it('can be for cards that wait to be paid to an account that sent money back', async () => {
    const person = await server.seller()
    const scene = { seller: person, staff }
    const id = await submittedIn('completed', scene)
    const waiting = await submittedIn('processing', scene)
    const saved = { type: 'paypal', accountName: 'Sally Seller', accountInfo: 'sally@example.com' }
    await accepted(person.post('/api/payment-methods', saved))
    const cameBackAt = async () => (await person.get('/api/payment-methods')).json[0].cameBackAt
    expect(await cameBackAt()).toBeUndefined()
    await payoutReturned(server, id, { code: 'R23' })
    expect(await cameBackAt()).toMatch(/^20/)
    const returnReason = server.context.words.es('reasons.text.payout_limit_reached')
    const isOfCard = eq(payouts.giftCardId, id)
    await server.db.update(payouts).set({ returnReason }).where(isOfCard)
    expect(await cameBackAt()).toBeUndefined()
    await server.db.update(payouts).set({ returnReason: null }).where(isOfCard)
    expect((await person.get('/api/user/home')).json.needsYou.count).toBe(1)
    expect(await shared(id, person)).toMatchObject({ count: 2, amount: '186.00' })
    const { json } = await person.post(`/api/user/gift-cards/${id}/payout-account`, {
      ...bank,
      sameAccount: true,
    })
    expect(json.accountChanged).toMatchObject({ count: 2, amount: '186.00' })
    const { payout } = (await person.get(`/api/user/gift-cards/${waiting}`)).json
    expect(payout).toMatchObject({
      state: 'due',
      paymentType: 'bank_transfer',
      waitsUntil: expect.any(String),
    })
  })

  it('saves a new account if asked, and says so in the same mail', async () => {
    const person = await server.seller()
    const id = await submittedIn('completed', { seller: person, staff })
    await payoutReturned(server, id)
    await accountMails(server)
    const venmo = { type: 'venmo', accountName: 'Sally Seller', accountInfo: '@sally-again' }
    const { status } = await person.post(`/api/user/gift-cards/${id}/payout-account`, {
      ...venmo,
      remember: true,
    })
    expect(status).toBe(200)
    expect((await person.get('/api/payment-methods')).json).toMatchObject([{ ...venmo, isDefault: true }])
    await server.pool.query('update users set verified = true where id = $1', [person.id])
    const mails = await accountMails(server)
    expect(mails).toMatchObject([{ subject: 'The account for a payout was changed' }])
    expect(mails[0]?.text).toContain('We also saved this account for your next sale.')
  })

  it('makes the payout due again a day later, and tells the owner', async () => {
    const id = await returned()
    expect(await ownPayout(id)).toMatchObject({ state: 'returned', needsAccount: true })
    await accountMails(server)
    const { status, json } = await change(id, bank)
    expect(status).toBe(200)
    expect(json).toMatchObject({ paymentType: 'bank_transfer', paymentAccountName: 'Sally Seller' })
    expect(json.payout).toMatchObject({
      state: 'due',
      amount: '93.00',
      paymentType: 'bank_transfer',
      account: 'Routing: •••• 0021, Account: •••• 4321',
      returnReason: null,
      needsAccount: false,
    })
    const { batchableAt, dueAt } = await latestPayoutOf(server, id)
    expect(json.payout.waitsUntil).toBe(batchableAt.toISOString())
    expect(batchableAt.getTime() - dueAt.getTime()).toBe(24 * 3_600_000)
    await server.pool.query('update users set verified = true where id = $1', [seller.id])
    const mails = await accountMails(server)
    expect(mails).toMatchObject([{ subject: 'The account for a payout was changed' }])
    const date = momentIn(server.context.words.en, batchableAt)
    expect(mails[0]?.text).toContain(`We will send the money there after ${date}, 24 hours after the change.`)
    expect(mails[0]?.text).toContain(
      [
        'New account: Bank Transfer, Routing: •••• 0021, Account: •••• 4321',
        'Account holder name: Sally Seller',
        'Gift card: Amazon •••• 5678, $100.00',
        `Card reference: ${referenceOf(id)}`,
        'You receive: $93.00',
        'When: ',
      ].join('\n'),
    )
    expect(mails[0]?.text).not.toContain('saved')
    const { json: revealed } = await staff.post(`/api/admin/submissions/${id}/reveal`)
    expect(revealed).toMatchObject({
      paymentRoutingNumber: bank.routingNumber,
      paymentAccountNumber: bank.accountNumber,
    })
    await server.pool.query('update users set verified = true where id = $1', [seller.id])
    const problem = async () => (await staff.get(`/api/admin/payouts?state=due&q=${id}`)).json[0].problem
    expect(await problem()).toBe('account_new')
    const own = eq(payouts.giftCardId, id)
    await server.db.update(payouts).set({ batchableAt: sql`now()` }).where(own)
    expect(await ownPayout(id)).toMatchObject({ state: 'due', waitsUntil: null })
    expect(await problem()).toBeNull()
  })

  it('is mailed too by a job of an earlier version', async () => {
    await transaction(server.db, (tx) =>
      enqueueSecurityEmail(tx, seller, { kind: 'payoutAccountChanged', type: 'paypal' }),
    )
    const [mail] = await accountMails(server)
    expect(mail?.text).toContain('We will wait 24 hours before we send the money there.')
    expect(mail?.text).toContain('\nNew account: PayPal\nWhen: ')
  })

  it('is in the history of the card, as is a payout that came back before it was confirmed', async () => {
    const id = await submittedIn('processing', { seller, staff })
    await exportedBatch(server, [id])
    await payoutReturned(server, id)
    await change(id, bank)
    const history = async (person: Person) => (await person.get(`/api/user/gift-cards/${id}/history`)).json
    expect((await history(seller)).slice(-2)).toMatchObject([
      { move: 'return', by: 'system', from: 'approved', to: 'approved' },
      { move: 'change_account', by: 'seller', from: 'approved', to: 'approved' },
    ])
    expect(await history(await server.seller())).toMatchObject({ code: 'not_found' })
    const paid = await returned()
    const moves = (await seller.get(`/api/user/gift-cards/${paid}/history`)).json
    expect(moves.filter(({ move }: { move: string }) => move === 'return')).toHaveLength(1)
  })

  it('can be a saved one, and is recorded without its numbers', async () => {
    const id = await returned()
    const saved = await seller.post('/api/payment-methods', bank)
    const { json } = await change(id, { paymentMethodId: saved.json.id })
    expect(json.payout).toMatchObject({ state: 'due', paymentType: 'bank_transfer' })
    const payout = await latestPayoutOf(server, id)
    const [entry] = await server.db.select().from(auditLog).where(eq(auditLog.subjectId, payout.id))
    expect(entry).toMatchObject({
      actorKind: 'seller',
      action: 'payout.account_changed',
      details: { giftCardId: id, from: 'paypal', to: 'bank_transfer' },
    })
  })

  it('is still needed after a payment by hand or a failure is taken back', async () => {
    const id = await returned()
    const payment = { undoable: true, reference: 'PP-9' }
    const owed = async () => (await staff.get(`/api/admin/seller?id=${seller.id}`)).json.totals.owed
    const owedBefore = await owed()
    for (const step of ['revert', 'undo', 'fail']) {
      if (step === 'fail') await move(id, 'failed', { reason: 'No account' })
      else await move(id, 'completed', step === 'undo' ? payment : {})
      const { version } = (await staff.get(`/api/admin/submissions/${id}`)).json
      if (step === 'undo') await staff.post(`/api/admin/submissions/${id}/undo`, { version })
      else await move(id, 'processing', { version })
      expect(await ownPayout(id), step).toMatchObject({ state: 'returned', needsAccount: true })
      expect((await staff.get(`/api/admin/submissions/${id}`)).json.payout).toMatchObject({
        state: 'returned',
      })
      expect(await owed()).toBe(owedBefore)
    }
    expect((await staff.get(`/api/admin/payouts?state=due&q=${id}`)).json).toEqual([])
    expect((await verifyLedger(server.db)).problems).toEqual([])
    expect((await change(id, bank)).json.payout).toMatchObject({ state: 'due', paymentType: 'bank_transfer' })
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('stays the one to pay after a payment to it, or a failure, is taken back', async () => {
    const id = await returned()
    await change(id, bank)
    for (const [status, more] of [['completed'], ['failed', { reason: 'No account' }]] as const) {
      const { json } = await move(id, status, more)
      await move(id, 'processing', { version: json.version })
      expect(await ownPayout(id)).toMatchObject({ state: 'due', paymentType: 'bank_transfer' })
    }
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('is found on other submissions, as risks are', async () => {
    const id = await returned()
    await change(id, { type: 'paypal', accountName: 'Sally', accountInfo: 'shared@example.com' })
    const other = await server.seller()
    const theirs = await submitted(other, { paymentAccountInfo: 'shared@example.com' })
    const { json } = await staff.get(`/api/admin/submissions/${theirs}/duplicates`)
    expect(JSON.stringify(json)).toContain(id)
  })

  it('is taken once, even if two are sent at the same time', async () => {
    const id = await returned()
    const answers = await Promise.all([change(id, bank), change(id, bank)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await server.db.$count(payouts, eq(payouts.giftCardId, id))).toBe(2)
  })

  it('has to be one that can be paid', async () => {
    const id = await returned()
    const codes = async (account: object) => {
      const { json } = await change(id, account)
      return json.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
    }
    expect(await codes({})).toEqual([
      'type payment_method_type_required',
      'accountName account_name_required',
      'accountInfo account_information_required',
    ])
    expect(await codes({ ...bank, routingNumber: '021000022' })).toEqual([
      'routingNumber routing_number_wrong',
    ])
    expect(await codes({ ...bank, accountNumber: '12' })).toEqual(['accountNumber account_number_invalid'])
    expect(await codes({ paymentMethodId: id })).toEqual(['paymentMethodId payment_method_gone'])
    expect(await ownPayout(id)).toMatchObject({ state: 'returned', needsAccount: true })
  })

  it('has to be another one than the account that failed, however it is entered', async () => {
    const email = 'same@example.com'
    const id = await returned({ code: 'R23' }, { paymentAccountInfo: email })
    const same = { type: 'paypal', accountName: 'Sally Seller', accountInfo: ` ${email.toUpperCase()}` }
    const refused = (path: string) => ({
      status: 400,
      json: { errors: [{ path, code: 'account_refused', message: expect.stringContaining('refused') }] },
    })
    expect(await change(id, same)).toMatchObject(refused('accountInfo'))
    const saved = await seller.post('/api/payment-methods', same)
    expect(await change(id, { paymentMethodId: saved.json.id })).toMatchObject(refused('paymentMethodId'))
    expect(await ownPayout(id)).toMatchObject({ state: 'returned', needsAccount: true })
    expect(await server.db.$count(payouts, eq(payouts.giftCardId, id))).toBe(1)
    expect((await change(id, { ...same, type: 'venmo' })).status).toBe(200)
  })

  it('can be the one that failed once a payer has allowed it again', async () => {
    const email = 'again@example.com'
    const id = await returned({ code: 'RETURNED' }, { paymentAccountInfo: email })
    const same = { type: 'paypal', accountName: 'Sally Seller', accountInfo: email }
    expect((await change(id, same)).status).toBe(400)
    const { id: payoutId } = await latestPayoutOf(server, id)
    await staff.post(`/api/admin/payouts/${payoutId}/lift-account`, { reason: 'PayPal apologized' })
    expect((await change(id, same)).status).toBe(200)
  })

  it('is refused for a payout that did not come back, and after the secrets were erased', async () => {
    const due = await submittedIn('processing', { seller, staff })
    expect(await change(due, bank)).toMatchObject({ status: 409, json: { code: 'illegal_payout_move' } })
    const failed = await returned()
    await staff.patch(`/api/admin/submissions/${failed}/status`, { status: 'failed', reason: 'No account' })
    expect(await change(failed, bank)).toMatchObject({ status: 409, json: { code: 'illegal_payout_move' } })
    const erased = await returned()
    await server.db
      .update(giftCards)
      .set({ dataKey: null, secretsErasedAt: sql`now()` })
      .where(eq(giftCards.id, erased))
    expect(await ownPayout(erased)).toMatchObject({ state: 'returned', needsAccount: false })
    expect(await change(erased, bank)).toMatchObject({ status: 409, json: { code: 'erased' } })
  })
})

describe('another account for all cards of the failed one', () => {
  it('changes them in one request, each by the same rules, and says how many', async () => {
    const ids = await cardsOf('six@example.com', 3)
    const [first = ''] = ids
    const [sameMask] = await cardsOf('sally@example.com', 1)
    const venmo = await returned(undefined, { paymentType: 'venmo', paymentAccountInfo: 'six@example.com' })
    expect(await shared(first)).toEqual({ count: 3, amount: '279.00' })
    await accountMails(server)
    const { status, json } = await change(first, { ...bank, sameAccount: true })
    expect(status).toBe(200)
    expect(json).toMatchObject({ id: first, accountChanged: { count: 3, amount: '279.00' } })
    expect(await statesOf([...ids, sameMask ?? '', venmo])).toEqual([
      'due',
      'due',
      'due',
      'returned!',
      'returned!',
    ])
    for (const id of ids) {
      const payout = await latestPayoutOf(server, id)
      expect(payout.batchableAt.getTime() - payout.dueAt.getTime()).toBe(24 * 3_600_000)
      const [entry] = await server.db.select().from(auditLog).where(eq(auditLog.subjectId, payout.id))
      expect(entry).toMatchObject({ action: 'payout.account_changed', details: { giftCardId: id } })
      const { json: revealed } = await staff.post(`/api/admin/submissions/${id}/reveal`)
      expect(revealed).toMatchObject({ paymentAccountNumber: bank.accountNumber })
    }
    await server.pool.query('update users set verified = true where id = $1', [seller.id])
    expect(await accountMails(server)).toHaveLength(1)
    expect((await verifyLedger(server.db)).problems).toEqual([])
    expect((await change(first, { ...bank, sameAccount: true })).status).toBe(409)
  })

  it('changes one card only, unless it is asked for all', async () => {
    const [first = '', second = ''] = await cardsOf('one@example.com', 2)
    expect((await change(first, bank)).json.accountChanged).toEqual({ count: 1, amount: '93.00' })
    expect(await statesOf([first, second])).toEqual(['due', 'returned!'])
    expect(await shared(first)).toEqual({ count: 0, amount: '0.00' })
    expect(await shared(second)).toEqual({ count: 1, amount: '93.00' })
  })

  it('leaves out a card that has moved or whose numbers are erased', async () => {
    const [first = '', paid = '', erased = '', failed = ''] = await cardsOf('moved@example.com', 4)
    await move(paid, 'completed')
    await move(failed, 'failed', { reason: 'No account' })
    await server.pool.query(
      'update gift_cards set secrets_erased_at = now(), data_key = null where id = $1',
      [erased],
    )
    const { json } = await change(first, { ...bank, sameAccount: true })
    expect(json.accountChanged).toEqual({ count: 1, amount: '93.00' })
    expect(await statesOf([first, paid])).toEqual(['due', 'paid'])
  })

  it('takes each card once, even if it is asked from two cards at the same time', async () => {
    const ids = await cardsOf('twice@example.com', 4)
    const ask = (id = '') => change(id, { ...bank, sameAccount: true })
    const answers = await Promise.all([ask(ids[0]), ask(ids[3]), ask(ids[1]), ask(ids[0])])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const counts = answers.flatMap(({ json }) => json.accountChanged?.count ?? [])
    expect(counts).toEqual([4])
    for (const id of ids) expect(await server.db.$count(payouts, eq(payouts.giftCardId, id))).toBe(2)
  })

  it('shows and changes nothing of another seller with the same account', async () => {
    const [own = ''] = await cardsOf('both@example.com', 1)
    const other = await server.seller()
    const theirs = await submittedIn(
      'completed',
      { seller: other, staff },
      { paymentAccountInfo: 'both@example.com' },
    )
    await payoutReturned(server, theirs)
    expect(await shared(own)).toEqual({ count: 1, amount: '93.00' })
    expect(await shared(theirs)).toMatchObject({ code: 'not_found' })
    expect((await change(theirs, { ...bank, sameAccount: true })).status).toBe(404)
    expect((await change(own, { ...bank, sameAccount: true })).json.accountChanged.count).toBe(1)
    expect((await other.get(`/api/user/gift-cards/${theirs}`)).json.payout.state).toBe('returned')
  })

  it('never uses the failed account again, and prefers the saved one that was chosen', async () => {
    const person = await server.seller()
    const own = { seller: person, staff }
    const save = async (accountInfo: string) => {
      const account = { type: 'paypal', accountName: 'Sally Seller', accountInfo }
      return (await person.post('/api/payment-methods', account)).json.id
    }
    const failing = await save('old@example.com')
    const working = await save('new@example.com')
    const ids: string[] = []
    for (let n = 0; n < 2; n++) {
      ids.push(await submittedIn('completed', own, { paymentAccountInfo: 'old@example.com' }))
    }
    // The code is about the payment, so the account may be used again for other cards.
    for (const id of ids) await payoutReturned(server, id, { code: 'FAILED' })
    const path = `/api/user/gift-cards/${ids[0]}/payout-account`
    const defaults = async () =>
      (await person.get('/api/payment-methods')).json.filter(
        (method: { isDefault: boolean }) => method.isDefault,
      )
    expect(await defaults()).toMatchObject([{ id: failing }])
    const refused = await person.post(path, { paymentMethodId: failing, sameAccount: true })
    expect(refused.json.errors).toMatchObject([{ code: 'account_refused' }])
    expect(await defaults()).toMatchObject([{ id: failing }])
    const { json } = await person.post(path, { paymentMethodId: working, sameAccount: true })
    expect(json.accountChanged).toEqual({ count: 2, amount: '186.00' })
    expect(await defaults()).toMatchObject([{ id: working }])
  })

  it('refuses anything but true and false', async () => {
    const [id = ''] = await cardsOf('odd@example.com', 1)
    expect((await change(id, { ...bank, sameAccount: 'all' })).status).toBe(400)
    expect(await statesOf([id])).toEqual(['returned!'])
  })
})

describe('another account for a payout that failed because of its account', () => {
  let accounts = 0
  /** To an account that nobody has used, because some reasons make it dead. */
  const failed = async (
    reason: string,
    fields: CardFields = { paymentAccountInfo: `s${++accounts}@example.com` },
  ) => {
    const id = await submittedIn('processing', { seller, staff }, fields)
    await accepted(move(id, 'failed', { reason }))
    return id
  }
  const paypal = (accountInfo: string, accountName = 'Sally Seller') => ({
    type: 'paypal',
    accountName,
    accountInfo,
  })

  it('approves the card again, waits a day, and is mailed and recorded once', async () => {
    const id = await failed('payout_account_closed')
    expect((await seller.get(`/api/user/gift-cards/${id}`)).json).toMatchObject({
      status: 'failed',
      payout: {
        state: 'failed',
        amount: '93.00',
        account: 's•••@example.com',
        returnReason: 'The payout account is closed',
        needsAccount: true,
      },
    })
    await server.pool.query('update users set verified = true where id = $1', [seller.id])
    await accountMails(server)
    await sendMails(server)
    expect((await change(id, bank)).json).toMatchObject({
      status: 'approved',
      paymentType: 'bank_transfer',
      payout: { state: 'due', amount: '93.00', needsAccount: false, waitsUntil: expect.any(String) },
      accountChanged: { count: 1, amount: '93.00' },
    })
    const { batchableAt, dueAt } = await latestPayoutOf(server, id)
    expect(batchableAt.getTime() - dueAt.getTime()).toBe(24 * 3_600_000)
    expect(await accountMails(server)).toMatchObject([{ subject: 'The account for a payout was changed' }])
    expect(await sendMails(server)).toEqual([])
    const [due] = (await staff.get(`/api/admin/payouts?state=due&q=${id}`)).json
    expect(due).toMatchObject({ problem: 'account_new', amount: '93.00' })
    const history = async (path: string) => (await (path.includes('admin') ? staff : seller).get(path)).json
    expect((await history(`/api/user/gift-cards/${id}/history`)).slice(-2)).toMatchObject([
      { move: 'fail', to: 'failed' },
      { move: 'change_account', by: 'seller', from: 'failed', to: 'approved' },
    ])
    expect((await history(`/api/admin/submissions/${id}/history`)).at(-1)).toMatchObject({
      move: 'change_account',
      by: expect.stringMatching(/^seller./),
    })
    const entries = await server.db.select().from(auditLog).where(eq(auditLog.subjectId, due.id))
    expect(entries).toMatchObject([
      { actorKind: 'seller', action: 'payout.account_changed', details: { move: 'change_account' } },
    ])
    expect((await change(id, bank)).status).toBe(409)
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('is never taken for a reason that staff wrote, or one about the card or the amount', async () => {
    for (const reason of ['Stolen card', 'usage_redeemed']) {
      const id = await failed(reason)
      expect((await seller.get(`/api/user/gift-cards/${id}`)).json.payout, reason).toBeNull()
      expect(await change(id, bank), reason).toMatchObject({
        status: 409,
        json: { code: 'illegal_payout_move' },
      })
      for (const verb of ['accept', 'decline', 'withdraw']) {
        const { status } = await seller.post(`/api/user/gift-cards/${id}/${verb}`, { amount: '93.00' })
        expect(status, verb).toBe(409)
      }
      expect(await statusOf(id), reason).toBe('failed')
    }
  })

  it('follows the newest reason, so an earlier one about the account does not count', async () => {
    const id = await failed('payout_account_closed')
    await accepted(move(id, 'processing'))
    await accepted(move(id, 'failed', { reason: 'Stolen card' }))
    expect((await change(id, bank)).status).toBe(409)
    expect(await statusOf(id)).toBe('failed')
  })

  it('has to be another one, unless its limit was reached or the name was wrong', async () => {
    const refused = { errors: [{ path: 'accountInfo', code: 'account_refused' }] }
    const of = (email: string) => ({ paymentAccountInfo: email })
    const closed = await failed('payout_account_closed', of('closed@example.com'))
    const answer = await change(closed, paypal('closed@example.com', 'Sarah Seller'))
    expect(answer.json).toMatchObject(refused)
    expect(answer.json.errors[0].message).toContain('The payout account is closed')
    expect(await statusOf(closed)).toBe('failed')
    expect(await ownPayout(closed)).toMatchObject({ mayCorrectName: false })
    const limited = await failed('payout_limit_reached', of('limit@example.com'))
    expect((await change(limited, paypal('limit@example.com'))).status).toBe(200)
    const named = await failed('payout_name_mismatch', of('name@example.com'))
    const { paymentAccountName } = (await seller.get(`/api/user/gift-cards/${named}`)).json
    const sameName = await change(named, paypal('name@example.com', ` ${paymentAccountName.toUpperCase()}`))
    expect(sameName.json).toMatchObject({ errors: [{ path: 'accountName', code: 'account_name_refused' }] })
    expect(sameName.json.errors[0].message).toMatch(
      /you gave us\.” Correct the name or enter another account\.$/,
    )
    expect(await ownPayout(named)).toMatchObject({ mayCorrectName: true })
    const { id: voided } = await latestPayoutOf(server, named)
    const ofStaff = async () => (await staff.get(`/api/admin/payouts/${voided}`)).json
    expect(await ofStaff()).toMatchObject({
      accountName: paymentAccountName,
      voided: { reasonCode: 'payout_name_mismatch' },
    })
    const renamed = await change(named, paypal('name@example.com', 'Sarah Seller'))
    expect(renamed.json).toMatchObject({ status: 'approved', paymentAccountName: 'Sarah Seller' })
    expect(await ofStaff()).toMatchObject({ accountName: null, accountType: null })
    const due = await latestPayoutOf(server, named)
    expect((await staff.get(`/api/admin/payouts/${due.id}`)).json.accountName).toBe('Sarah Seller')
  })

  it('renews a payout that had come back before it failed', async () => {
    const id = await returned({ code: 'R03' })
    await accepted(move(id, 'failed', { reason: 'payout_refused' }))
    expect(await ownPayout(id)).toMatchObject({ state: 'failed', needsAccount: true })
    expect((await change(id, bank)).json.payout).toMatchObject({ state: 'due', amount: '93.00' })
    expect((await latestPayoutOf(server, id)).batchableAt.getTime()).toBeGreaterThan(Date.now())
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('can be for all cards of the failed account, returned and failed ones', async () => {
    const email = 'mixed@example.com'
    const [back = ''] = await cardsOf(email, 1)
    const stolen = await failed('Stolen card', { paymentAccountInfo: email })
    const closed = await failed('payout_account_closed', { paymentAccountInfo: email })
    const mail = (await sendMails(server)).at(-1)?.text
    expect(mail).toContain('Payout to: PayPal, m•••@')
    expect(mail).toContain('1 more card ($93.00) needs another account too.')
    expect(await shared(back)).toEqual({ count: 2, amount: '186.00' })
    expect(await shared(closed)).toEqual({ count: 2, amount: '186.00' })
    const open = (await seller.get('/api/user/gift-cards?open=true')).json
    expect(open.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([back, closed]))
    expect(open.map(({ id }: { id: string }) => id)).not.toContain(stolen)
    const { json } = await change(closed, { ...bank, sameAccount: true })
    expect(json.accountChanged).toEqual({ count: 2, amount: '186.00' })
    await server.pool.query('update users set verified = true where id = $1', [seller.id])
    const [changed] = (await accountMails(server)).slice(-1)
    expect(changed?.subject).toBe('The account for 2 payouts was changed')
    for (const id of [back, closed]) {
      expect(changed?.text).toContain(`\nAmazon •••• 5678, $100.00 (${referenceOf(id)}): $93.00\n`)
    }
    expect(changed?.text).toContain('\nTotal value: 2 cards, $200.00\nYou receive: $186.00\n')
    expect(changed?.text).toContain('See Your Cards: ')
    expect(await statesOf([back, closed])).toEqual(['due', 'due'])
    expect(await statusOf(stolen)).toBe('failed')
  })

  it('of a held seller waits until the hold ends', async () => {
    const held = await server.seller()
    const id = await submittedIn('processing', { seller: held, staff })
    await accepted(move(id, 'failed', { reason: 'payout_account_closed' }))
    await server.pool.query("update users set state = 'held' where id = $1", [held.id])
    const { json } = await held.post(`/api/user/gift-cards/${id}/payout-account`, bank)
    expect(json).toMatchObject({ status: 'approved', payout: { state: 'due' } })
    await server.pool.query('update users set verified = true where id = $1', [held.id])
    await server.pool.query('update payouts set batchable_at = now() where gift_card_id = $1', [id])
    const [due] = (await staff.get(`/api/admin/payouts?state=due&q=${id}`)).json
    expect(due.problem).toBe('seller_held')
  })

  it('is refused after the secrets were erased, for a cleared card, and for the card of another', async () => {
    const erased = await failed('payout_account_closed')
    const cleared = await failed('payout_account_closed')
    const { pool } = server
    await pool.query('update gift_cards set secrets_erased_at = now(), data_key = null where id = $1', [
      erased,
    ])
    await pool.query('update gift_cards set cleared_at = now() where id = $1', [cleared])
    expect(await ownPayout(erased)).toBeNull()
    expect((await change(erased, bank)).json).toMatchObject({ code: 'erased' })
    expect((await change(cleared, bank)).status).toBe(404)
    const own = await failed('payout_account_closed')
    const stranger = await server.seller()
    expect((await stranger.post(`/api/user/gift-cards/${own}/payout-account`, bank)).status).toBe(404)
    expect(await statusOf(own)).toBe('failed')
  })

  it('makes one payout, even if it is sent twice and staff revert the failure at the same time', async () => {
    const id = await failed('payout_account_closed')
    const answers = await Promise.all([change(id, bank), move(id, 'processing'), change(id, bank)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const payable = "state = 'due' and gift_card_id = $1"
    const { rows } = await server.pool.query(`select count(*)::int from payouts where ${payable}`, [id])
    expect(rows).toEqual([{ count: 1 }])
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })
})
