import { beforeAll, describe, expect, it } from 'vitest'
import { MIN_ACKNOWLEDGEMENT, type WireRisk } from '#contract/staff-submissions.ts'
import { riskCodes } from '#domain/risk.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { payoutReturned } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { explain } from '#test/plans.ts'
import { type CardFields, submit, submitted, submittedIn } from '#test/submissions.ts'
import { eraseOldSecrets } from '../erase.ts'
import { readRisks } from './risks.ts'

let server: TestApp
let staff: Person
let sellers: Person[]
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  sellers = await Promise.all([1, 2, 3].map(() => server.seller()))
  await server.pool.query("update users set verified = true, created_at = now() - interval '1 year'")
})

let made = 0
/** The account of nobody else. */
const ownAccount = () => {
  made += 1
  return { paymentAccountInfo: `own${made}@example.com` }
}
/** A submission without risks but for the given fields. */
const card = (seller: Person | undefined, fields: CardFields = {}) =>
  submitted(seller as Person, { ...ownAccount(), ...fields })
const read = (id: string) => staff.get(`/api/admin/submissions/${id}`)
const risksOf = async (id: string): Promise<WireRisk[]> => (await read(id)).json.risks
const move = (id: string, status: string, by = staff) =>
  by.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'Because' })
const acknowledge = (id: string, body: object, by = staff) =>
  by.post(`/api/admin/submissions/${id}/acknowledge`, body)
const recordBalance = (id: string, amount: string) =>
  staff.post(`/api/admin/submissions/${id}/balance-checks`, { amount, source: 'website' })
const update = (table: string, set: string, id: string | undefined) =>
  server.pool.query(`update ${table} set ${set} where id = $1`, [id])

let numbers = 0
const newNumber = () => {
  numbers += 1
  return `SAME-${numbers}-NUMBER`
}

interface Risky {
  readonly id: string
  readonly message: string
  /** The other submission that the risk must name. */
  readonly other?: string
}

const scenes: Readonly<Record<(typeof riskCodes)[number], () => Promise<Risky>>> = {
  async same_number_completed() {
    const cardNumber = newNumber()
    const other = await submittedIn('completed', { seller: sellers[0] as Person, staff }, { cardNumber })
    await update('gift_cards', "updated_at = now() - interval '40 days'", other)
    return {
      id: await card(sellers[1], { cardNumber }),
      message: 'We bought a card with this number 40 days ago',
      other,
    }
  },
  async low_balance() {
    const id = await card(sellers[0])
    await recordBalance(id, '80.50')
    return { id, message: 'We found $80.50 on this card, $19.50 less than its face value' }
  },
  async same_number() {
    const cardNumber = newNumber()
    const other = await card(sellers[0], { cardNumber })
    await submittedIn('rejected', { seller: sellers[0] as Person, staff }, { cardNumber })
    const id = await card(sellers[1], { cardNumber })
    return { id, message: 'The same number is in 1 other open submission', other }
  },
  async similar_photo() {
    const [other, id] = [await card(sellers[0]), await card(sellers[1])]
    const likeness = 0x6c35a9d24e97b18dn
    for (const [of, bits] of [
      [other, likeness],
      [id, likeness ^ 5n],
    ]) {
      await server.pool.query('update photos set likeness = $2 where gift_card_id = $1', [of, bits])
    }
    return { id, message: '1 other submission has a similar photo', other }
  },
  async expired() {
    return {
      id: await card(sellers[0], { expirationDate: '01/24' }),
      message: 'The card expired in 01/24',
    }
  },
  async shared_account() {
    const account = { paymentAccountInfo: 'shared@example.com' }
    for (const seller of sellers) await card(seller, account)
    return {
      id: await card(sellers[0], account),
      message: 'The payout account is also used by 2 other sellers',
    }
  },
  async dead_account() {
    const account = ownAccount()
    const paid = await submittedIn('completed', { seller: sellers[0] as Person, staff }, account)
    const id = await card(sellers[0], account)
    await payoutReturned(server, paid, { code: 'RETURNED' })
    return { id, message: 'A payment to this account was refused (code RETURNED)' }
  },
  async holder_name() {
    return {
      id: await card(sellers[0], { paymentAccountName: 'Max Mustermann' }),
      message: 'The payout account belongs to “Max Mustermann”, but the seller is Sally Seller',
    }
  },
  async new_account_high_value() {
    const seller = await server.seller()
    await update('users', "verified = true, created_at = now() - interval '6.5 days'", seller.id)
    const id = await card(seller, { denomination: '1250.50', sellingPrice: '1162.97' })
    return { id, message: 'A $1,250.50 card from an account that was opened 6 days earlier' }
  },
  async many_cards() {
    const seller = await server.seller()
    await update('users', "verified = true, created_at = now() - interval '1 year'", seller.id)
    const cards = [await card(seller), await card(seller), await card(seller), await card(seller)]
    await update('gift_cards', "created_at = created_at - interval '25 hours'", cards[3])
    await card(seller)
    expect(await risksOf(cards[0] as string)).toEqual([])
    await card(seller)
    return { id: cards[0] as string, message: 'The seller submitted 5 cards within 24 hours' }
  },
  async unlisted_brand() {
    const unlisted = { brand: 'corner_shop', denomination: '100', sellingPrice: '85' }
    return { id: await card(sellers[2], unlisted), message: 'The brand is not in the catalog' }
  },
  async unconfirmed_email() {
    const seller = await server.seller()
    await update('users', "created_at = now() - interval '1 year'", seller.id)
    return { id: await card(seller), message: 'The seller has not confirmed their email address' }
  },
}

describe('the risks of a submission', () => {
  it.each(riskCodes)('include %s, and only that', async (code) => {
    await server.pool.query("update gift_cards set created_at = created_at - interval '2 days'")
    const { id, message, other = null } = await scenes[code]()
    const blocking = code === 'same_number_completed' || code === 'low_balance'
    expect(await risksOf(id)).toEqual([{ code, blocking, message, submissionId: other, acknowledged: null }])
    const [listed] = (await staff.get(`/api/admin/submissions?q=${id}`)).json
    expect(listed.risks).toBeNull()
  })

  it('are listed from the heaviest', async () => {
    const cardNumber = newNumber()
    const seller = await server.seller()
    await submittedIn('completed', { seller, staff }, { cardNumber })
    await card(sellers[0], { cardNumber })
    const id = await card(seller, { cardNumber, paymentAccountName: 'Nobody Else' })
    const codes = (await risksOf(id)).map(({ code }) => code)
    expect(codes).toEqual(['same_number_completed', 'same_number', 'holder_name', 'unconfirmed_email'])
  })

  it('are found by indexes', async () => {
    const id = await card(sellers[0])
    const whole = { id, dataKey: null, secretsErasedAt: null }
    const plans = await explain(server.pool, (db) => readRisks(db, server.context, { role: 'owner' }, whole))
    expect(plans.flatMap(({ scanned }) => scanned).filter((table) => table !== 'photos')).toEqual([])
  })
})

/** A submission of a number that was bought before. */
async function bought(): Promise<{ id: string; first: string; cardNumber: string }> {
  const cardNumber = newNumber()
  const first = await submittedIn('completed', { seller: sellers[0] as Person, staff }, { cardNumber })
  return { id: await card(sellers[1], { cardNumber }), first, cardNumber }
}

const accepted = { code: 'same_number_completed', reason: 'The receipt shows a reload; PIN 9876' }

describe('a blocking risk', () => {
  it('keeps the submission from being approved until it is acknowledged, which the audit log records', async () => {
    const { id, first } = await bought()
    for (const status of ['processing', 'completed']) {
      const refused = await move(id, status)
      expect([refused.status, refused.json.code]).toEqual([409, 'risk_not_acknowledged'])
      expect(refused.json.message).toBe(
        'We bought a card with this number less than a day ago. Acknowledge it with a reason before you approve.',
      )
    }
    const answer = await acknowledge(id, accepted)
    expect(answer.status).toBe(200)
    expect(answer.json.risks[0]).toMatchObject({
      submissionId: first,
      acknowledged: { by: 'admin', at: expect.stringMatching(/Z$/), reason: accepted.reason },
    })
    expect((await move(id, 'processing')).json.risks[0].acknowledged.by).toBe('admin')
    expect((await move(id, 'completed')).status).toBe(200)
    const { json } = await staff.get(`/api/admin/audit?subject=${id}&action=submission.risk_acknowledged`)
    expect(json).toMatchObject([
      {
        actor: 'admin',
        details: { code: 'same_number_completed', reason: 'The receipt shows a reload; PIN ••••' },
      },
    ])
  })

  it('does not keep it from being rejected or asked about', async () => {
    const { id } = await bought()
    expect((await move(id, 'under_review')).status).toBe(200)
    expect((await move(id, 'rejected')).status).toBe(200)
    // Going back to processing would pay for it.
    expect((await move(id, 'processing')).json.code).toBe('risk_not_acknowledged')
  })

  it('comes from an approved submission too, whose payout may leave, and keeps that one from nothing', async () => {
    const cardNumber = newNumber()
    const first = await submittedIn('processing', { seller: sellers[0] as Person, staff }, { cardNumber })
    const id = await card(sellers[1], { cardNumber })
    expect((await move(id, 'processing')).json.code).toBe('risk_not_acknowledged')
    expect((await acknowledge(id, accepted)).json.risks[0].submissionId).toBe(first)
    expect((await move(id, 'processing')).status).toBe(200)
    expect((await move(first, 'completed')).status).toBe(200)
    expect((await move(id, 'completed')).status).toBe(200)
  })

  it('has to be acknowledged again when another card of the number is bought', async () => {
    const { id, cardNumber } = await bought()
    await acknowledge(id, accepted)
    await submittedIn('completed', { seller: sellers[2] as Person, staff }, { cardNumber })
    expect((await move(id, 'completed')).json.code).toBe('risk_not_acknowledged')
    await acknowledge(id, accepted)
    expect((await move(id, 'completed')).status).toBe(200)
  })

  it('lets only one of two submissions of a number through that are approved at once', async () => {
    for (let round = 0; round < 5; round++) {
      const cardNumber = newNumber()
      const cards = [await card(sellers[0], { cardNumber }), await card(sellers[1], { cardNumber })]
      const answers = await Promise.all(cards.map((id) => move(id, 'completed')))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.json.code).toBe('risk_not_acknowledged')
    }
  })
})

describe('a balance below the face value', () => {
  const lowBalance = { code: 'low_balance', reason: 'The seller showed the receipt of the rest' }

  it('keeps the quoted price from being approved, until it is acknowledged for the newest balance', async () => {
    const id = await card(sellers[0])
    await recordBalance(id, '80')
    for (const status of ['processing', 'completed']) {
      expect((await move(id, status)).json).toMatchObject({
        code: 'risk_not_acknowledged',
        message:
          'We found $80.00 on this card, $20.00 less than its face value. Acknowledge it with a reason before you approve.',
      })
    }
    expect((await acknowledge(id, lowBalance)).json.risks[0].acknowledged.by).toBe('admin')
    await recordBalance(id, '70')
    expect((await risksOf(id))[0]?.acknowledged).toBeNull()
    expect((await move(id, 'processing')).json.code).toBe('risk_not_acknowledged')
    await acknowledge(id, lowBalance)
    expect((await move(id, 'processing')).status).toBe(200)
    expect((await move(id, 'completed')).status).toBe(200)
  })

  it('lets a lower offer be made, accepted and paid', async () => {
    const seller = sellers[0] as Person
    const id = await card(seller)
    await recordBalance(id, '80')
    const offer = { status: 'offered', amount: '74.40', reason: 'It holds $80' }
    expect((await staff.patch(`/api/admin/submissions/${id}/status`, offer)).status).toBe(200)
    expect((await seller.post(`/api/user/gift-cards/${id}/accept`, { amount: '74.40' })).status).toBe(200)
    expect((await risksOf(id)).map(({ code }) => code)).not.toContain('low_balance')
    expect((await move(id, 'completed')).status).toBe(200)
  })

  it('keeps an approved card out of batches', async () => {
    const id = await card(sellers[0])
    await move(id, 'processing')
    const problem = async () => (await staff.get(`/api/admin/payouts?q=${id}`)).json[0].problem
    expect(await problem()).toBeNull()
    await recordBalance(id, '80')
    expect(await problem()).toBe('risk_open')
    await acknowledge(id, lowBalance)
    expect(await problem()).toBeNull()
  })

  it('is no risk once a check finds the full balance', async () => {
    const id = await card(sellers[0])
    await recordBalance(id, '80')
    await recordBalance(id, '100')
    expect((await move(id, 'processing')).status).toBe(200)
  })
})

describe('an acknowledgement', () => {
  it('needs a reason of some length and a risk that the submission has', async () => {
    const id = await card(sellers[0])
    const short = 'x'.repeat(MIN_ACKNOWLEDGEMENT - 1)
    expect((await acknowledge(id, { ...accepted, reason: ` ${short} ` })).json).toMatchObject({
      code: 'invalid',
      errors: [{ path: 'reason', message: 'At least 10 characters' }],
    })
    expect((await acknowledge(id, { ...accepted, code: 'bad_weather' })).json.errors).toMatchObject([
      { path: 'code', code: 'risk_unknown' },
    ])
    const gone = await acknowledge(id, accepted)
    expect([gone.status, gone.json.code]).toEqual([409, 'risk_gone'])
  })

  it('is possible only for roles that decide', async () => {
    const { id } = await bought()
    for (const role of ['payer', 'auditor'] as const) {
      const colleague = await server.staff(`acknowledging-${role}`, role)
      expect((await acknowledge(id, accepted, colleague)).json.code).toBe('not_permitted')
      expect((await colleague.get(`/api/admin/submissions/${id}`)).json.risks[0].acknowledged).toBeNull()
    }
  })

  it('is stored sealed, and its reason is erased with the secrets', async () => {
    const { id } = await bought()
    await acknowledge(id, accepted)
    const { rows } = await server.pool.query('select sealed_reason from risk_acknowledgements')
    for (const row of rows) expect(String(row.sealed_reason)).not.toContain('receipt')
    await move(id, 'rejected')
    await update('gift_cards', "updated_at = now() - interval '91 days'", id)
    await eraseOldSecrets(server.context, 90)
    expect((await risksOf(id))[0]?.acknowledged?.reason).toBe('(This text was erased)')
    // It still counts, and a new one can be made.
    expect((await acknowledge(id, accepted)).json.risks[0].acknowledged.reason).toBe(accepted.reason)
    expect((await move(id, 'processing')).status).toBe(200)
  })
})

it('a submission without a number has no risk from other cards without one', async () => {
  await server.pool.query("update gift_cards set created_at = created_at - interval '2 days'")
  const first = await submit(sellers[0] as Person, { ...ownAccount(), cardNumber: 'N/A' })
  await move(first.json.giftCard.id, 'completed')
  expect(await risksOf(await card(sellers[1], { cardNumber: 'N/A' }))).toEqual([])
})

describe('a card that was paid', () => {
  const NUMBER = '0O6006493012'
  const bought = async (fields: CardFields = { cardNumber: NUMBER }) =>
    submittedIn('completed', { seller: sellers[0] as Person, staff }, { ...ownAccount(), ...fields })

  it('is not accepted with other characters', async () => {
    const odd = ['.', '/', '_', '\u034f', '\u3164', '\u2800', '\u200b', '\u0430', '\u0669', '\u0301']
    for (const cardNumber of odd.flatMap((character) => [
      `${NUMBER}${character}1`,
      `60${character}${NUMBER}`,
    ])) {
      const answer = await submit(sellers[1] as Person, {
        ...ownAccount(),
        cardNumber,
        securityCode: cardNumber,
      })
      expect(answer.json.errors, cardNumber).toMatchObject([
        { path: 'cardNumber', code: 'card_characters' },
        { path: 'securityCode', code: 'card_characters' },
      ])
    }
  })

  it.each(['0o60 0649-3012', '0 O6006493012', '０Ｏ６００６４９３０１２', '0O6006–4930\u20111 2'])(
    'is not paid again as %j',
    async (cardNumber) => {
      const other = await bought()
      const id = await card(sellers[1], { cardNumber })
      expect((await risksOf(id))[0]).toMatchObject({ code: 'same_number_completed', submissionId: other })
      expect((await move(id, 'completed')).json.code).toBe('risk_not_acknowledged')
      expect(
        (await staff.get('/api/admin/submissions?q=0o60.0649.3012')).json.map(({ id }: { id: string }) => id),
      ).toContain(id)
    },
  )

  it('is another one if a zero is left out or written as the letter O', async () => {
    await bought()
    for (const cardNumber of [NUMBER.slice(1), NUMBER.replace('O', '0')]) {
      const id = await card(sellers[1], { cardNumber })
      expect((await move(id, 'completed')).status, cardNumber).toBe(200)
    }
  })

  it('is not paid again by its code in the PIN field', async () => {
    await bought({ cardNumber: 'N/A', securityCode: 'XMG7-AB12-99' })
    for (const fields of [
      { cardNumber: 'N/A', securityCode: 'xmg7 ab12 99' },
      { cardNumber: 'XMG7AB1299', securityCode: '1234' },
    ]) {
      const id = await card(sellers[1], fields)
      expect((await move(id, 'processing')).json.code).toBe('risk_not_acknowledged')
    }
  })
})

it('a phone number is the same account with every method', async () => {
  const account = { paymentType: 'zelle', paymentAccountInfo: '(212) 555-5942' }
  await card(sellers[0], account)
  const id = await card(sellers[1], { paymentType: 'venmo', paymentAccountInfo: '+1 212 555 5942' })
  expect((await risksOf(id))[0]).toMatchObject({ code: 'shared_account' })
  expect((await staff.get(`/api/admin/submissions/${id}/duplicates`)).json).toMatchObject([
    { reasons: ['payment_account'] },
  ])
})
