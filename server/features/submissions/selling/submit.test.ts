import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { duePayout } from '#test/payouts.ts'
import { accepted, type Person } from '#test/person.ts'
import {
  type CardFields,
  field,
  photo,
  photoFiles,
  submit,
  submitted,
  submittedIn,
} from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'

let server: TestApp
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
})

const count = async (table: string) =>
  Number((await server.pool.query(`select count(*) from ${table}`)).rows[0].count)

describe('a submission', () => {
  it('is answered with its transaction and gift card, at the server’s quote', async () => {
    const answer = await submit(seller)
    expect(answer.status).toBe(201)
    const { transaction, giftCard } = answer.json
    expect(giftCard).toMatchObject({
      brand: 'amazon',
      brandName: 'Amazon',
      denomination: '100.00',
      sellingPrice: '93.00',
      status: 'pending',
      cardNumber: '•••• 5678',
      notes: 'A birthday present',
      sellerId: seller.id,
      discountPercentage: '7.00',
      available: true,
      verified: false,
    })
    expect(transaction).toMatchObject({
      giftCardId: giftCard.id,
      type: 'sell',
      amount: '93.00',
      status: 'pending',
      paymentType: 'paypal',
      paymentAccountInfo: 'sally@example.com',
      giftCard: { brand: 'amazon', brandName: 'Amazon', denomination: '100.00' },
    })
    const history = await seller.get(`/api/user/gift-cards/${giftCard.id}/history`)
    expect(history.json).toEqual([
      { from: null, to: 'pending', at: giftCard.createdAt, by: 'seller', move: 'submit' },
    ])
  })

  it('is dated by the database, including its ids, however wrong the server’s clock is', async () => {
    const before = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: before - 91 * 24 * 3600 * 1000 })
    const answer = await submit(seller).finally(() => vi.useRealTimers())
    const { transaction, giftCard } = answer.json
    // A UUIDv7 starts with the milliseconds.
    const msOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
    expect(msOf(giftCard.id)).toBeGreaterThanOrEqual(before)
    expect(msOf(transaction.id)).toBe(msOf(giftCard.id))
  })

  it('rounds half a cent up', async () => {
    const answer = await submit(seller, { brand: 'jcpenney', denomination: '25.25', sellingPrice: '20.71' })
    expect(answer.json.giftCard.sellingPrice).toBe('20.71')
  })

  it('accepts an unlisted brand at 85 % and marks it for staff', async () => {
    const id = await submitted(seller, { brand: 'corner_shop', denomination: '10', sellingPrice: '8.5' })
    const staff = await server.staff()
    const seen = await staff.get(`/api/admin/submissions/${id}`)
    expect(seen.json).toMatchObject({
      unlistedBrand: true,
      brandName: 'Corner Shop',
      discountPercentage: '15.00',
    })
    const [transaction] = (await staff.get(`/api/admin/transactions?q=${id}`)).json
    expect(transaction).toMatchObject({ brandName: 'Corner Shop', unlistedBrand: true })
    expect((await staff.get(`/api/admin/submissions/${id}/seller-record`)).json).toMatchObject({
      unlisted: 1,
    })
  })

  it.each([
    ['belk_', 'belk', '81.00'],
    ['Bath & Body Works', 'bath_body_works', '84.00'],
    ['STARBUCKS gift card', 'starbucks', '89.00'],
  ])('treats "%s" as %s, with its terms only', async (brand, slug, quote) => {
    const unlisted = await submit(seller, { brand, sellingPrice: '85.00' })
    expect(unlisted.json).toMatchObject({
      code: 'quote_changed',
      message: `The quote for this card is now $${quote}`,
    })
    const id = await submitted(seller, { brand, sellingPrice: quote })
    const staff = await server.staff()
    const { json } = await staff.get(`/api/admin/submissions/${id}`)
    expect(json).toMatchObject({ brand: slug, unlistedBrand: false, sellingPrice: quote })
  })

  it('applies the brand’s limits and rules to its other spellings', async () => {
    const small = await submit(seller, { brand: 'starbucks_', denomination: '10', sellingPrice: '8.50' })
    expect(small.json.message).toBe('Minimum amount for Starbucks is $100')
    const visa = await submit(seller, { brand: 'visa_gift_card', sellingPrice: '91.00' })
    expect(visa.status).toBe(400)
    expect(visa.json.errors.map(({ path }: { path: string }) => path)).toEqual(['images', 'expirationDate'])
  })

  it('accepts N/A as no number', async () => {
    const answer = await submit(seller, { cardNumber: 'N/A' })
    expect(answer.status).toBe(201)
    expect(answer.json.giftCard.cardNumber).toBe('N/A')
  })

  it('composes a bank account and shows only its last four digits', async () => {
    const answer = await submit(seller, {
      paymentType: 'bank_transfer',
      paymentAccountInfo: '',
      paymentRoutingNumber: '123456789',
      paymentAccountNumber: '000111222333',
    })
    expect(answer.json.transaction.paymentAccountInfo).toBe('Routing: •••• 6789, Account: •••• 2333')
    const staff = await server.staff()
    const seen = await staff.get(`/api/admin/submissions/${answer.json.giftCard.id}`)
    expect(seen.json).toMatchObject({ paymentRoutingNumber: '•••• 6789', routingNumberSuspect: true })
    const revealed = await staff.post(`/api/admin/submissions/${answer.json.giftCard.id}/reveal`)
    expect(revealed.json).toMatchObject({
      paymentAccountInfo: 'Routing: 123456789, Account: 000111222333',
      paymentRoutingNumber: '123456789',
      paymentAccountNumber: '000111222333',
    })
  })

  it('keeps the type of a bank account, typed or saved, which leaves in the file of its batch', async () => {
    const bank = {
      paymentType: 'bank_transfer',
      paymentRoutingNumber: '021000021',
      paymentAccountNumber: '5553331',
    }
    const typeOf = async (fields: CardFields) => {
      const { status, json } = await submit(seller, fields)
      return [status, json.giftCard?.paymentAccountType, json.errors?.[0].code]
    }
    expect(await typeOf(bank)).toEqual([201, 'checking', undefined])
    expect(await typeOf({ ...bank, paymentAccountType: '' })).toEqual([201, 'checking', undefined])
    expect(await typeOf({ ...bank, paymentAccountType: 'savings' })).toEqual([201, 'savings', undefined])
    expect(await typeOf({ ...bank, paymentAccountType: 'Savings' })).toEqual([
      400,
      undefined,
      'account_type_unknown',
    ])
    expect(await typeOf({ paymentAccountType: 'savings' })).toEqual([201, null, undefined])
    const saved = await seller.post('/api/payment-methods', {
      type: 'bank_transfer',
      accountName: 'Sally Seller',
      routingNumber: '021000021',
      accountNumber: '5553331',
      accountType: 'savings',
    })
    expect(saved.json.accountType).toBe('savings')
    expect(await typeOf({ paymentMethodId: saved.json.id, paymentAccountType: 'checking' })).toEqual([
      201,
      'savings',
      undefined,
    ])
    const staff = await server.staff()
    const payout = await duePayout(server, seller, staff, { ...bank, paymentAccountType: 'savings' })
    expect(payout.accountType).toBe('savings')
    expect((await staff.get(`/api/admin/submissions/${payout.submissionId}`)).json.paymentAccountType).toBe(
      'savings',
    )
  })

  it('stores no secret readably in the database or in files', async () => {
    const id = await submitted(seller, { cardNumber: '4929 1111 2222 3333', securityCode: 'PIN-CANARY-77' })
    const { rows } = await server.pool.query('select g::text as row from gift_cards g')
    const dump = JSON.stringify(rows)
    for (const secret of ['4929 1111 2222 3333', '4929111122223333', 'PIN-CANARY-77', 'sally@example.com']) {
      expect(dump).not.toContain(secret)
      expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
    }
    const staff = await server.staff()
    const { text } = await staff.get(`/api/admin/submissions/${id}`)
    expect(withoutRandom(text)).not.toMatch(/CANARY|2222/)
    const files = await photoFiles(server)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      const bytes = await readFile(file)
      expect(bytes.subarray(0, 3).toString('hex')).not.toBe('ffd8ff')
    }
  })
})

describe('missing or invalid fields', () => {
  it('are reported together, in the order of the form', async () => {
    const answer = await seller.upload('/api/gift-cards', [field('brand', 'amazon')])
    expect(answer.status).toBe(400)
    expect(answer.json.message).toBe(
      'Please upload at least one clear photo of your gift card for verification.',
    )
    expect(answer.json.errors.map((error: { path: string }) => error.path)).toEqual([
      'images',
      'paymentType',
      'paymentAccountName',
      'paymentAccountInfo',
      'cardNumber',
      'denomination',
      'sellingPrice',
      'discountPercentage',
    ])
  })

  it.each([
    [{ brand: '' }, 'brand', 'Brand is required'],
    [{ cardNumber: ' ' }, 'cardNumber', 'Card number is required'],
    [{ paymentType: '' }, 'paymentType', 'Payment type is required'],
    [{ paymentType: 'cash' }, 'paymentType', 'Payment type is required'],
    [{ paymentAccountName: '' }, 'paymentAccountName', 'Account name is required'],
    [{ paymentAccountInfo: '' }, 'paymentAccountInfo', 'Account info is required'],
    [{ denomination: 'abc' }, 'denomination', 'Please enter a valid amount'],
    [{ denomination: '1e2' }, 'denomination', 'Please enter a valid amount'],
    [{ denomination: '10.001' }, 'denomination', 'Please enter a valid amount'],
    [{ denomination: '24.99' }, 'denomination', 'Minimum amount for Amazon is $25'],
    [{ denomination: '-5' }, 'denomination', 'Minimum amount for Amazon is $25'],
    [{ denomination: '2000.01' }, 'denomination', 'Maximum amount for Amazon is $2000'],
    [{ brand: 'No Brand!' }, 'brand', 'Invalid brand selected'],
    [{ expirationDate: '1/27' }, 'expirationDate', 'Please enter the expiration date as MM/YY'],
    [{ expirationDate: '13/27' }, 'expirationDate', 'The month is 01 to 12'],
    [{ cardNumber: 'ab' }, 'cardNumber', 'Please enter the whole card number, or N/A if the card has none'],
    [
      { paymentType: 'cash_app', paymentAccountInfo: 'sally' },
      'paymentAccountInfo',
      'Please enter a $cashtag, an email address or a US phone number',
    ],
    [
      { paymentType: 'bank_transfer', paymentRoutingNumber: '1234', paymentAccountNumber: '12345678' },
      'paymentRoutingNumber',
      'Please enter a routing number of 9 digits',
    ],
    [{ submissionNotes: 'a\u0000bcd' }, 'submissionNotes', 'This text has characters that cannot be stored'],
  ])('%o are 400 at %s', async (fields, path, message) => {
    const answer = await submit(seller, fields as Record<string, string>)
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toMatchObject([{ path, message }])
    expect(answer.json.message).toBe(message)
  })

  it('include both numbers of a bank transfer', async () => {
    const answer = await submit(seller, { paymentType: 'bank_transfer', paymentRoutingNumber: '021000021' })
    expect(answer.json.errors).toEqual([
      {
        path: 'paymentAccountNumber',
        message: 'Routing number and account number are required for bank transfers',
        code: 'bank_numbers_required',
      },
    ])
  })

  it('include the second photo and the date of a physical Visa card', async () => {
    const visa = { brand: 'visa', denomination: '100', sellingPrice: '91' }
    const one = await submit(seller, visa)
    expect(one.json.errors.map((error: { path: string }) => error.path)).toEqual(['images', 'expirationDate'])
    const digital = await submit(seller, { ...visa, cardFormat: 'digital', expirationDate: '11/29' })
    expect(digital.status).toBe(201)
    const photos = [await photo(1), await photo(2)]
    expect((await submit(seller, { ...visa, expirationDate: '11/29' }, { photos })).status).toBe(201)
  })

  it('include a wrong quote, answered with the right one', async () => {
    const answer = await submit(seller, { sellingPrice: '95.00' })
    expect(answer.status).toBe(409)
    expect(answer.json).toMatchObject({ code: 'quote_changed', message: expect.stringContaining('$93.00') })
  })
})

describe('the idempotency key', () => {
  it('returns the first result again', async () => {
    const key = randomUUID()
    const photos = [await photo(7)]
    const first = await submit(seller, {}, { key, photos })
    const again = await submit(seller, {}, { key, photos })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.json).toEqual(first.json)
  })

  it('makes one submission of twenty requests at once', async () => {
    const key = randomUUID()
    const photos = [await photo(8)]
    const kept = await count('gift_cards')
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(seller, {}, { key, photos })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map(({ json }) => json.giftCard.id)).size).toBe(1)
    expect(await count('gift_cards')).toBe(kept + 1)
  })

  it('refuses different fields or photos', async () => {
    const key = randomUUID()
    const photos = [await photo(9)]
    await submit(seller, {}, { key, photos })
    expect((await submit(seller, { securityCode: '1111' }, { key, photos })).status).toBe(409)
    expect((await submit(seller, {}, { key, photos: [await photo(10)] })).status).toBe(409)
  })

  it('can be used again after a refusal, and by another seller', async () => {
    const key = randomUUID()
    const photos = [await photo(11)]
    expect((await submit(seller, { paymentAccountName: '' }, { key, photos })).status).toBe(400)
    expect((await submit(seller, {}, { key, photos })).status).toBe(201)
    expect((await submit(await server.seller(), {}, { key, photos })).status).toBe(201)
  })

  it('returns the first result even after the saved payment method was deleted', async () => {
    const key = randomUUID()
    const photos = [await photo(14)]
    const method = { type: 'venmo', accountInfo: '@sally', accountName: 'Sally' }
    const { id } = (await seller.post('/api/payment-methods', method)).json
    const fields = { paymentMethodId: id, paymentType: '', paymentAccountName: '', paymentAccountInfo: '' }
    const first = await submit(seller, fields, { key, photos })
    expect(first.json.transaction).toMatchObject({
      paymentType: 'venmo',
      paymentAccountName: 'Sally',
      paymentAccountInfo: '@sally',
    })
    await seller.send({ method: 'DELETE', url: `/api/payment-methods/${id}` })
    expect((await submit(seller, fields, { key, photos })).status).toBe(200)
    const again = await submit(seller, fields, { photos })
    expect(again.status).toBe(400)
    expect(again.json.errors[0].path).toBe('paymentMethodId')
    const others = await submit(await server.seller(), fields, { photos })
    expect(others.text).toBe(again.text)
  })

  it('says that staff removed the first submission, and makes no second one', async () => {
    const key = randomUUID()
    const photos = [await photo(15)]
    await submit(seller, {}, { key, photos })
    const kept = await count('gift_cards')
    const owner = await server.staff()
    const [, ...answers] = await Promise.all([
      owner.delete('/api/admin/submissions'),
      submit(seller, {}, { key, photos }),
      submit(seller, {}, { key, photos }),
    ])
    for (const { status } of answers) expect([200, 409]).toContain(status)
    for (const fields of [{}, { securityCode: '1111' }]) {
      const { status, json } = await submit(seller, fields, { key, photos })
      expect([status, json.code]).toEqual([409, 'submission_cleared'])
    }
    expect(await count('gift_cards')).toBe(kept)
    expect((await submit(seller, {}, { photos })).status).toBe(201)
  })

  it('has to be visible ASCII', async () => {
    expect((await submit(seller, {}, { key: 'x'.repeat(256) })).status).toBe(400)
  })
})

describe('a rejected card that is submitted again', () => {
  let staff: Person
  beforeAll(async () => {
    staff = await server.staff()
  })
  const read = async (id: string) => (await seller.get(`/api/user/gift-cards/${id}`)).json
  const again = (resubmissionOf: string, key?: string) =>
    submit(seller, { resubmissionOf }, key === undefined ? {} : { key })
  const refused = { errors: [{ path: 'resubmissionOf', code: 'resubmission_unknown' }] }

  it('is linked to the rejected one, once', async () => {
    const id = await submittedIn('rejected', { seller, staff })
    expect(await read(id)).toMatchObject({
      resubmittable: true,
      cardFormat: 'physical',
      cardCondition: 'brand_new',
      paymentType: 'paypal',
      paymentAccountName: 'Sally Seller',
    })
    const first = await again(id)
    expect(first.status).toBe(201)
    const staffs = await staff.get(`/api/admin/submissions/${first.json.giftCard.id}`)
    expect(staffs.json.resubmissionOf).toBe(id)
    expect(await read(id)).toMatchObject({ status: 'rejected', resubmittable: false, appealUntil: null })
    const second = await again(id)
    expect([second.status, second.json.code]).toEqual([409, 'taken'])
    expect(second.json.errors).toMatchObject([{ path: 'resubmissionOf', code: 'resubmitted_before' }])
    const appeal = [field('message', 'Please look at it again')]
    expect((await seller.upload(`/api/user/gift-cards/${id}/appeal`, appeal)).status).toBe(409)
  })

  it('keeps the number, PIN and date that are not sent again', async () => {
    const id = await submittedIn('rejected', { seller, staff }, { expirationDate: '12/30' })
    expect(await read(id)).toMatchObject({ numbersKept: true })
    const sent = { resubmissionOf: id, cardNumber: '', securityCode: '', expirationDate: '' }
    const key = randomUUID()
    const first = await submit(seller, sent, { key })
    expect(first).toMatchObject({ status: 201, json: { giftCard: { numbersKept: false } } })
    expect(await submit(seller, sent, { key })).toMatchObject({ status: 200, json: first.json })
    const path = `/api/admin/submissions/${first.json.giftCard.id}`
    const [before, after] = await Promise.all(
      [`/api/admin/submissions/${id}/reveal`, `${path}/reveal`].map((reveal) => staff.post(reveal)),
    )
    expect(after?.json).toMatchObject({ cardNumber: before?.json.cardNumber, securityCode: '9876' })
    expect((await staff.get(path)).json.expirationDate).toBe('12/30')
    // The next one takes them from this one. What is typed counts.
    await accepted(staff.patch(`${path}/status`, { status: 'rejected', reason: 'Torn' }))
    const next = await submit(seller, {
      ...sent,
      resubmissionOf: first.json.giftCard.id,
      securityCode: '1111',
    })
    const last = await staff.post(`/api/admin/submissions/${next.json.giftCard.id}/reveal`)
    expect(last.json).toMatchObject({ cardNumber: before?.json.cardNumber, securityCode: '1111' })
  })

  it('needs the number again if it is erased, was wrong, or belongs to another seller or another status', async () => {
    const numbersOf = (id: string, by = seller) => submit(by, { resubmissionOf: id, cardNumber: ' ' })
    const missing = { status: 400, json: { errors: [{ path: 'cardNumber', code: 'card_number_required' }] } }
    const erased = await submittedIn('rejected', { seller, staff })
    await server.pool.query(
      'update gift_cards set data_key = null, secrets_erased_at = now() where id = $1',
      [erased],
    )
    const wrong = await submitted(seller)
    const reason = 'card_number_invalid'
    await accepted(staff.patch(`/api/admin/submissions/${wrong}/status`, { status: 'rejected', reason }))
    for (const id of [erased, wrong]) expect(await read(id)).toMatchObject({ numbersKept: false })
    for (const id of [erased, wrong, await submitted(seller), randomUUID()])
      expect(await numbersOf(id), id).toMatchObject(missing)
    const rejected = await submittedIn('rejected', { seller, staff })
    expect(await numbersOf(rejected, await server.seller())).toMatchObject(missing)
  })

  it.each(['image_blurry', 'note_receipt_required'])(
    'needs a photo that it did not have, rejected for %s',
    async (reason) => {
      const [old, other] = [await photo(1), await photo(2)]
      const id = await submitted(seller, {}, { photos: [old, other] })
      await accepted(staff.patch(`/api/admin/submissions/${id}/status`, { status: 'rejected', reason }))
      const { images } = await read(id)
      const [stored] = await Promise.all(images.map(async (path: string) => (await seller.get(path)).bytes))
      const again = (photos: Buffer[]) => submit(seller, { resubmissionOf: id }, { photos })
      for (const photos of [[old], [other, old], [stored], [stored, old, old]])
        expect(await again(photos)).toMatchObject({
          status: 400,
          json: { code: 'invalid', errors: [{ path: 'images', code: 'new_photo_required' }] },
        })
      const spanish = await submit(seller, { resubmissionOf: id, paymentAccountName: '' }, { photos: [old] })
      expect(spanish.json.errors).toMatchObject([
        { path: 'images', code: 'new_photo_required' },
        { path: 'paymentAccountName' },
      ])
      expect((await again([old, await photo(3)])).status).toBe(201)
    },
  )

  it('may have the same photos if they were not the reason', async () => {
    const photos = [await photo(1)]
    for (const reason of ['card_balance_lower', 'card_not_activated', 'The chip is torn']) {
      const id = await submitted(seller, {}, { photos })
      await accepted(staff.patch(`/api/admin/submissions/${id}/status`, { status: 'rejected', reason }))
      expect((await submit(seller, { resubmissionOf: id }, { photos })).status, reason).toBe(201)
    }
  })

  it('has to be rejected, and the seller’s own', async () => {
    const other = await server.seller()
    for (const id of [
      await submitted(seller),
      await submittedIn('cancelled', { seller, staff }),
      await submittedIn('rejected', { seller: other, staff }),
      randomUUID(),
      'not-an-id',
    ]) {
      const answer = await again(id)
      expect([answer.status, answer.json]).toMatchObject([400, refused])
    }
  })

  it('is one submission when the same request is sent twice at once', async () => {
    const id = await submittedIn('rejected', { seller, staff })
    const key = randomUUID()
    const answers = await Promise.all([again(id, key), again(id, key)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    const rivals = await submittedIn('rejected', { seller, staff })
    const statuses = (await Promise.all([again(rivals), again(rivals)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
  })
})

test('the key of drafts belongs to one session', async () => {
  const keyOf = async (person: Person) => (await person.get('/api/user/draft-key')).json.key
  const own = await keyOf(seller)
  expect(Buffer.from(own, 'base64')).toHaveLength(32)
  expect(await keyOf(seller)).toBe(own)
  expect(await keyOf(await server.seller())).not.toBe(own)
})
