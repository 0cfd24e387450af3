import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readBrand } from '#brand/brand.ts'
import type { Seller } from '#server/http/actor.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails } from '#test/mails.ts'
import type { Person } from '#test/person.ts'
import { submit } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'
import { listPaymentMethods, openPaymentMethod } from './actions.ts'

const URL = '/api/payment-methods'
const paypal = { type: 'paypal', accountInfo: 'sally@pay.example', accountName: 'Sally Seller' }
const bank = {
  type: 'bank_transfer',
  accountName: 'Sally Seller',
  accountInfo: 'Routing: 1, Account: 2',
  routingNumber: '021000021',
  accountNumber: '987654321',
}

let server: TestApp
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  seller = await server.seller()
})

const add = (method: object, person = seller) => person.post(URL, method)
const list = async (person = seller) => (await person.get(URL)).json
const asSeller = ({ id }: Person): Seller => ({ kind: 'seller', id, username: 'x', locale: 'en', sid: 'x' })
const defaults = (methods: { isDefault: boolean }[]) => methods.map(({ isDefault }) => isDefault)

describe('saving a payment method', () => {
  it('returns all its fields; the first one is the default', async () => {
    const answer = await add({ ...paypal, isDefault: false, isActive: false, userId: 'x' })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      id: expect.any(String),
      userId: seller.id,
      ...paypal,
      accountType: null,
      isDefault: true,
      isActive: true,
      routingNumberSuspect: false,
      problem: null,
      createdAt: expect.any(String),
    })
    expect(await list()).toEqual([answer.json])
  })

  it('shows only the last four digits of bank account numbers', async () => {
    const answer = await add(bank)
    expect(answer.json).toMatchObject({
      accountInfo: 'Routing: •••• 0021, Account: •••• 4321',
      accountType: 'checking',
    })
    expect(withoutRandom(answer.text + JSON.stringify(await list()))).not.toMatch(/02100|98765/)
  })

  it('says that a routing number cannot be right', async () => {
    expect((await add({ ...bank, routingNumber: '123456789' })).json).toMatchObject({
      isActive: true,
      routingNumberSuspect: true,
    })
  })

  it('refuses an empty body', async () => {
    for (const body of ['null', '5', '[]', '"x"']) {
      const headers = { 'content-type': 'application/json' }
      expect((await seller.send({ method: 'POST', url: URL, payload: body, headers })).status, body).toBe(400)
    }
    expect((await seller.send({ method: 'POST', url: URL })).status).toBe(400)
  })

  it.each([
    [{}, ['type', 'accountInfo', 'accountName']],
    [{ ...paypal, accountInfo: '  ' }, ['accountInfo']],
    [{ ...paypal, accountInfo: 'sally' }, ['accountInfo']],
    [{ ...paypal, accountInfo: '@sally', accountName: '' }, ['accountInfo', 'accountName']],
    [{ ...bank, routingNumber: '1234', accountNumber: '12' }, ['routingNumber', 'accountNumber']],
    [{ ...paypal, type: 'bitcoin', accountName: null }, ['type', 'accountName']],
    [{ ...bank, accountNumber: '' }, ['routingNumber']],
    [{ ...bank, routingNumber: undefined }, ['routingNumber']],
    [{ ...bank, routingNumber: '1'.repeat(35) }, ['routingNumber']],
    [{ ...bank, routingNumber: ' ', accountName: '' }, ['accountName', 'routingNumber']],
    [{ ...paypal, accountInfo: 'x'.repeat(256) }, ['accountInfo']],
    [{ ...paypal, accountInfo: 'a\u0000b' }, ['accountInfo']],
    [{ ...paypal, accountInfo: { $gt: '' } }, ['accountInfo']],
    [{ ...paypal, isDefault: 'yes' }, ['isDefault']],
  ])('refuses %j', async (method, fields) => {
    const answer = await add(method)
    expect(answer.status).toBe(400)
    expect(answer.json.errors.map(({ path }: { path: string }) => path).sort()).toEqual(fields.sort())
    expect(await list()).toEqual([])
  })

  it('uses the words of the form', async () => {
    expect((await add({})).json.errors).toEqual([
      { path: 'type', message: 'Payment method type is required', code: 'payment_method_type_required' },
      { path: 'accountName', message: 'Account name is required', code: 'account_name_required' },
      {
        path: 'accountInfo',
        message: 'Account information is required',
        code: 'account_information_required',
      },
    ])
    expect((await add({ type: 'bank_transfer', accountName: 'Sally' })).json.errors).toEqual([
      {
        path: 'routingNumber',
        message: 'Routing number and account number are required for bank transfers',
        code: 'bank_numbers_required',
      },
    ])
  })

  it.each(['paypal', 'venmo', 'zelle', 'cash_app', 'chime', 'google_pay', 'apple_pay', 'other'])(
    'takes %s',
    async (type) => {
      expect((await add({ ...paypal, type })).json).toMatchObject({ type, accountInfo: paypal.accountInfo })
    },
  )

  it('accepts any text for another kind of account', async () => {
    const info = `<script>'"; drop table users; -- 💸`
    expect((await add({ ...paypal, type: 'other', accountInfo: info })).json.accountInfo).toBe(info)
  })

  it('says what to enter for an account that does not match its type', async () => {
    const answer = await add({ ...paypal, type: 'venmo', accountInfo: 'sally' })
    expect(answer.json.errors).toEqual([
      {
        path: 'accountInfo',
        message: 'Please enter an @handle, an email address or a US phone number',
        code: 'venmo_account_invalid',
      },
    ])
  })

  it('keeps one default, even with many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add({ ...paypal, isDefault: true })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(defaults(await list()).filter(Boolean)).toHaveLength(1)
    const last = await add({ ...paypal, isDefault: true })
    expect((await list()).find(({ isDefault }: { isDefault: boolean }) => isDefault).id).toBe(last.json.id)
  })

  it('allows at most twenty, even with many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => add(paypal)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.find(({ status }) => status === 400)?.json.message).toBe(
      'You can save at most 20 payment methods',
    )
    expect(await list()).toHaveLength(20)
  })

  it('corrects the holder of an account that is saved already, in any spelling', async () => {
    const [first, other] = [(await add(paypal)).json, (await add({ ...paypal, type: 'venmo' })).json]
    const again = { ...paypal, accountInfo: ' Sally@PAY.example', accountName: 'Sarah Seller' }
    expect((await add(again)).json).toEqual({ ...first, accountName: 'Sarah Seller' })
    await add(paypal, await server.seller())
    expect(await list()).toEqual([other, { ...first, accountName: 'Sarah Seller' }])
    for (let n = 0; n < 18; n++) await add({ ...paypal, accountInfo: `s${n}@pay.example` })
    expect((await add({ ...paypal, isDefault: true })).json).toEqual(first)
    expect(await list()).toHaveLength(20)
  })

  it('appears in no table and no email unencrypted', async () => {
    await add({ ...paypal, accountInfo: 'canary-4711@pay.example' })
    await add(bank)
    const { rows } = await server.pool.query('select * from payment_methods where user_id = $1', [seller.id])
    const jobs = await server.pool.query('select payload from jobs')
    const kept = rows.flatMap((row) => Object.values(row).map((value) => String(value)))
    expect(kept.join(' ') + JSON.stringify(jobs.rows)).not.toMatch(/canary-4711|021000021|987654321/)
    const mails = (await accountMails(server)).filter(({ html }) => html.includes('was added'))
    expect(mails.at(-1)?.text).toContain('Bank Transfer')
    expect(withoutRandom(JSON.stringify(mails))).not.toMatch(/canary|021000021|987654321/)
  })
})

describe('the default', () => {
  const wrong = { ...bank, routingNumber: '123456789' }

  it('is a method that can be paid, once there is one', async () => {
    await add(wrong)
    await add({ ...wrong, accountNumber: '87654321' })
    expect(defaults(await list())).toEqual([false, true])
    await add(bank)
    expect(defaults(await list())).toEqual([true, false, false])
    await add({ ...wrong, accountNumber: '11654321', isDefault: true })
    await add(paypal)
    expect(defaults(await list())).toEqual([false, false, true, false, false])
  })

  it('can be changed, and the owner gets an email', async () => {
    const [first, second] = [(await add(paypal)).json, (await add(bank)).json]
    await accountMails(server)
    const answer = await seller.put(`${URL}/${second.id}/default`, {})
    expect([answer.status, answer.json]).toEqual([200, { ...second, isDefault: true }])
    expect(await list()).toEqual([
      { ...second, isDefault: true },
      { ...first, isDefault: false },
    ])
    const [mail, ...more] = await accountMails(server)
    expect([mail?.subject, more]).toEqual(['Your default payment method was changed', []])
    expect(mail?.text).toContain('Bank Transfer')
    expect(mail?.text).toMatch(/\nWhen: \w+day, \w+ \d+ at .+ Eastern Time\nBrowser: Unknown browser\n/)
    expect(withoutRandom(JSON.stringify(mail))).not.toMatch(/021000021|987654321/)
  })

  it('is one, even with many changes at once', async () => {
    const ids = [(await add(paypal)).json.id, (await add(bank)).json.id]
    const answers = await Promise.all([...ids, ...ids].map((id) => seller.put(`${URL}/${id}/default`, {})))
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200))
    expect(defaults(await list()).filter(Boolean)).toHaveLength(1)
  })

  it("cannot be another seller's, a deleted one, or one that cannot be paid", async () => {
    const own = (await add(paypal)).json.id
    const others = (await add(bank, await server.seller())).json.id
    const deleted = (await add({ ...paypal, type: 'venmo' })).json.id
    await seller.delete(`${URL}/${deleted}`)
    const suspect = (await add(wrong)).json.id
    for (const id of [others, deleted, '01890000-0000-7000-8000-000000000000', suspect]) {
      const refused = await seller.put(`${URL}/${id}/default`, {})
      expect([refused.status, refused.json.code], id).toEqual([400, 'invalid'])
    }
    expect((await list()).find(({ isDefault }: { isDefault: boolean }) => isDefault).id).toBe(own)
  })
})

describe('deleting a payment method', () => {
  it('makes the newest of the others the default, and emails the owner', async () => {
    const [first, second] = [(await add(paypal)).json, (await add(bank)).json]
    const third = (await add({ ...paypal, type: 'venmo' })).json
    await accountMails(server)
    const answer = await seller.delete(`${URL}/${first.id}`)
    expect([answer.status, answer.json]).toEqual([200, { message: 'The payment method has been removed.' }])
    expect((await list()).map(({ id, isDefault }: typeof first) => [id, isDefault])).toEqual([
      [third.id, true],
      [second.id, false],
    ])
    const [mail, ...more] = await accountMails(server)
    expect([mail?.subject, more]).toEqual(['A payment method was removed', []])
    expect(mail?.text, 'an unconfirmed address').toContain('\nAccount: PayPal, s•••@•••\n')
    await seller.delete(`${URL}/${second.id}`)
    expect(defaults(await list())).toEqual([true])
  })

  it('gives the same answer for a missing, deleted or foreign one, and leaves the foreign one', async () => {
    const other = await server.seller()
    const others = (await add(paypal, other)).json.id
    const own = (await add(paypal)).json.id
    const removals = await Promise.all([1, 2].map(() => seller.delete(`${URL}/${own}`)))
    expect(removals.map(({ status }) => status).sort()).toEqual([200, 404])
    const missing = await seller.delete(`${URL}/01890000-0000-7000-8000-000000000000`)
    for (const id of [others, own]) {
      const answer = await seller.delete(`${URL}/${id}`)
      expect([answer.status, answer.text]).toEqual([404, missing.text])
    }
    expect((await seller.delete(`${URL}/1%20or%201=1`)).status).toBe(400)
    expect(await list(other)).toHaveLength(1)
    expect(await list()).toEqual([])
  })
})

describe('a saved payment method for a submission', () => {
  it('returns its complete fields', async () => {
    const [first, second] = [(await add(paypal)).json.id, (await add(bank)).json.id]
    expect(await openPaymentMethod(server.context, asSeller(seller), first)).toEqual({
      paymentType: 'paypal',
      paymentAccountName: 'Sally Seller',
      paymentAccountInfo: 'sally@pay.example',
    })
    expect(await openPaymentMethod(server.context, asSeller(seller), second)).toEqual({
      paymentType: 'bank_transfer',
      paymentAccountName: 'Sally Seller',
      paymentRoutingNumber: '021000021',
      paymentAccountNumber: '987654321',
      paymentAccountType: 'checking',
    })
  })

  it("must be the seller's own", async () => {
    const other = await server.seller()
    const { id } = (await add(paypal)).json
    for (const wrong of [id, 'x', '', '01890000-0000-7000-8000-000000000000']) {
      await expect(openPaymentMethod(server.context, asSeller(other), wrong)).rejects.toMatchObject({
        code: 'invalid',
        errors: [{ path: 'paymentMethodId' }],
      })
    }
  })

  it('that predates validation is shown with a note and cannot be used', async () => {
    const { id } = (await add({ ...paypal, type: 'other', accountInfo: 'ask me' })).json
    await server.pool.query("update payment_methods set type = 'venmo' where id = $1", [id])
    const note =
      'This saved account cannot be used. Please remove it and add it again. Please enter an @handle, an email address or a US phone number.'
    expect(await list()).toMatchObject([{ id, accountInfo: 'ask me', isActive: false, problem: note }])
    await expect(openPaymentMethod(server.context, asSeller(seller), id)).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path: 'paymentMethodId', code: 'payment_method_unusable' }],
    })
    expect((await seller.delete(`${URL}/${id}`)).status).toBe(200)
  })

  it('cannot be decrypted in another row', async () => {
    const [first, second] = [(await add(paypal)).json.id, (await add(bank)).json.id]
    await server.pool.query(
      `update payment_methods set account_info = o.account_info, data_key = o.data_key
       from payment_methods o where payment_methods.id = $1 and o.id = $2`,
      [first, second],
    )
    await expect(openPaymentMethod(server.context, asSeller(seller), first)).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path: 'paymentMethodId', code: 'payment_method_unreadable' }],
    })
    const answer = await seller.get(URL)
    expect(answer.json).toMatchObject([
      { id: second, isActive: true, accountInfo: 'Routing: •••• 0021, Account: •••• 4321' },
      { id: first, isActive: false, accountInfo: 'It cannot be read. Please remove it and add it again.' },
    ])
    expect((await seller.delete(`${URL}/${first}`)).status).toBe(200)
  })
})

describe('a shop that does not pay by every method', () => {
  it('refuses the others like unknown types', async () => {
    const shop = await createTestApp({ brand: { ...readBrand(), payoutMethods: ['venmo', 'bank_transfer'] } })
    const person = await shop.seller()
    expect((await add(bank, person)).status).toBe(201)
    for (const type of ['paypal', 'unknown']) {
      const refused = await add({ ...paypal, type }, person)
      expect(refused.status).toBe(400)
      expect(refused.json.errors).toEqual([
        { path: 'type', message: 'Payment method type is required', code: 'payment_method_type_required' },
      ])
      const card = await submit(person, { paymentType: type })
      expect(card.status).toBe(400)
      expect(card.json.errors).toEqual([
        { path: 'paymentType', message: 'Payment type is required', code: 'payment_type_required' },
      ])
    }
    expect((await submit(person, { paymentType: 'venmo' })).status).toBe(201)
  })

  it('says so at a method that was saved before', async () => {
    const id = (await add(paypal)).json.id
    const context = { ...server.context, site: { ...server.context.site, payoutMethods: ['venmo'] as const } }
    const note = 'We no longer pay this way. Please choose another payment method.'
    expect(await listPaymentMethods(context, asSeller(seller), context.words.en)).toMatchObject([
      { id, isActive: false, problem: note },
    ])
    await expect(openPaymentMethod(context, asSeller(seller), id)).rejects.toMatchObject({
      errors: [{ path: 'paymentMethodId', code: 'payment_method_dropped' }],
    })
  })
})
