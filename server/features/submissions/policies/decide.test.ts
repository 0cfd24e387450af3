import crypto from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PolicyDecision } from '#contract/policies.ts'
import { type ConditionCode, conditionCodes } from '#domain/policy.ts'
import { ensureInstallation } from '#server/operator/installation.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accepted, type Person } from '#test/person.ts'
import { balanceService, policyIn, policyTerms, trustedSeller, workOnBalances } from '#test/policies.ts'
import { LiveClient } from '#test/socket.ts'
import { newNumber, submitted } from '#test/submissions.ts'
import type { WebhookReceiver } from '#test/webhook-receiver.ts'
import { decideByPolicy } from './decide.ts'

/** What policies draw, from 0 to 99. */
let drawn = 50
vi.spyOn(crypto, 'randomInt').mockImplementation(() => drawn)
// Files share their modules.
afterAll(() => void vi.restoreAllMocks())

let server: TestApp
let people: { author: Person; approver: Person }
let owner: Person
let service: WebhookReceiver
beforeAll(async () => {
  server = await createTestApp({ site: { webhooksAllowPrivate: true } })
  await ensureInstallation(server.db)
  owner = await server.staff()
  people = { author: await server.staff('mara', 'manager'), approver: await server.staff('max', 'manager') }
  service = await balanceService(owner)
})

afterEach(async () => {
  drawn = 50
  service.answer = found('100.00')
  // Later tests write their own policies.
  for (const { id, version, mode } of (await owner.get('/api/admin/policies')).json.policies) {
    if (mode !== 'off') await accepted(owner.post(`/api/admin/policies/${id}/mode`, { mode: 'off', version }))
  }
  await owner.post('/api/admin/policies/start')
  await server.pool.query("delete from policy_decisions where outcome <> 'person'")
})

const found = (amount: string, status = 'ok') => ({ json: JSON.stringify({ status, amount }) })
const on = (terms: Partial<typeof policyTerms> = {}) => policyIn('on', people, terms)
const work = () => workOnBalances(server)
const read = async (id: string, by = owner) => (await by.get(`/api/admin/submissions/${id}`)).json
const said = async (id: string) => {
  const { status, policyDecisions = [] } = await read(id)
  return { status, said: policyDecisions.map(({ outcome, reason }: PolicyDecision) => reason ?? outcome) }
}
const approved = { status: 'processing', said: ['approved'] }
const left = (reason: string) => ({ status: 'pending', said: [reason] })
const sql = (text: string, ...values: unknown[]) => server.pool.query(text, values)
const age = (id: string, minutes: number) =>
  sql('update gift_cards set created_at = now() - make_interval(mins => $2) where id = $1', id, minutes)
const agedCheck = (id: string, minutes: number) =>
  sql('update balance_checks set at = now() - make_interval(mins => $2) where gift_card_id = $1', id, minutes)

describe('a card that meets every condition', () => {
  it('is approved at once, and says so to both sides', async () => {
    const policy = await on()
    const { seller, submit } = await trustedSeller(server)
    const url = await server.listen()
    const live = await LiveClient.open(url, { cookie: seller.cookieHeader })
    const id = await submit()
    await work()
    expect(await said(id)).toEqual(approved)
    const update = { type: 'STATUS_UPDATE', submissionId: id, status: 'approved' }
    await expect.poll(() => live.messages).toContainEqual(expect.objectContaining(update))
    const history = (await owner.get(`/api/admin/submissions/${id}/history`)).json
    expect(history.at(-1)).toMatchObject({
      move: 'start',
      by: 'system',
      policy: { name: policyTerms.name, version: 2 },
    })
    const own = (await seller.get(`/api/user/gift-cards/${id}/history`)).json
    expect(own.at(-1)).toMatchObject({ move: 'start', by: 'system', to: 'approved' })
    expect(JSON.stringify(own)).not.toContain(policyTerms.name)
    const [entry] = (await owner.get(`/api/admin/audit?subject=${id}`)).json
    expect(entry).toMatchObject({
      action: 'submission.moved',
      actorKind: 'system',
      details: { move: 'start', policy: policyTerms.name, version: 2 },
    })
    expect((await read(id)).policyDecisions).toMatchObject([
      { policyId: policy, version: 2, outcome: 'approved' },
    ])
    expect((await read(id)).payout).toMatchObject({ state: 'due' })
  })

  it('is decided once, however often the job runs', async () => {
    await on()
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await work()
    await Promise.all([1, 2, 3].map(() => decideByPolicy(server.context, { giftCardId: id })))
    expect(await said(id)).toEqual(approved)
    expect((await owner.get(`/api/admin/submissions/${id}/history`)).json).toHaveLength(2)
  })

  it('waits for a person in shadow mode, and without any policy nothing is enqueued', async () => {
    const { submit } = await trustedSeller(server)
    await policyIn('shadow', people)
    const id = await submit()
    await work()
    expect(await said(id)).toEqual(left('would_approve'))
    const { id: policy, version } = (await owner.get('/api/admin/policies')).json.policies.at(-1)
    await accepted(owner.post(`/api/admin/policies/${policy}/mode`, { mode: 'off', version }))
    const [other, { rows: before }] = [await submit(), await countJobs()]
    await work()
    expect(await said(other)).toEqual({ status: 'pending', said: [] })
    expect((await countJobs()).rows).toEqual(before)
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('is handed on to be paid if the policy pays at once: %s', async (paysAtOnce, jobs) => {
    await on({ paysAtOnce })
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await work()
    expect(await said(id)).toEqual(approved)
    const { rowCount } = await sql(
      "select from jobs where kind = 'payAtOnce' and payload->>'giftCardId' = $1",
      id,
    )
    expect(rowCount).toBe(jobs)
  })

  it('is left alone once somebody has moved it', async () => {
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await accepted(
      owner.patch(`/api/admin/submissions/${id}/status`, { status: 'under_review', reason: 'Which shop?' }),
    )
    await accepted(owner.patch(`/api/admin/submissions/${id}/status`, { status: 'pending' }))
    await on()
    await work()
    await decideByPolicy(server.context, { giftCardId: id })
    expect(await said(id)).toEqual({ status: 'pending', said: [] })
  })

  it('can be stopped by a person after the approval, and no policy decides again', async () => {
    await on()
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await work()
    const move = (status: string) =>
      owner.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'A mistake' })
    await accepted(move('failed'))
    expect((await read(id)).payout).toMatchObject({ state: 'void' })
    await on({ name: 'Another' })
    await decideByPolicy(server.context, { giftCardId: id })
    expect(await said(id)).toEqual({ status: 'failed', said: ['approved'] })
  })
})

const countJobs = () => sql("select count(*) from jobs where kind = 'decideByPolicy'")

type Trusted = Awaited<ReturnType<typeof trustedSeller>>

/** How each condition fails. A scene before the submission returns nothing, and one after it is a function. */
const scenes: Readonly<Record<Exclude<ConditionCode, 'brand'>, (scene: Trusted) => Promise<unknown>>> = {
  face_value: () => on({ maxFaceValue: '99.99' }),
  account_age: ({ seller }) =>
    sql("update users set created_at = now() - interval '29 days' where id = $1", seller.id),
  completed_sales: ({ seller }) => sql('update users set trade_count = 1 where id = $1', seller.id),
  email_confirmed: ({ seller }) => sql('update users set verified = false where id = $1', seller.id),
  no_failed_card: async ({ seller, account }) => {
    const id = await submitted(seller, account)
    await accepted(
      owner.patch(`/api/admin/submissions/${id}/status`, { status: 'rejected', reason: 'Blurry' }),
    )
    await sql(
      "update gift_cards set created_at = now() - interval '2 days', updated_at = now() - interval '179 days' where id = $1",
      id,
    )
  },
  no_risk: ({ seller }) => sql("update users set first_name = 'Ana' where id = $1", seller.id),
  seller_active: ({ seller }) =>
    accepted(owner.patch(`/api/admin/seller?id=${seller.id}`, { state: 'held', reason: 'Looking into it' })),
  no_hold: ({ seller }) =>
    accepted(owner.post('/api/admin/holds', { userId: seller.id, reason: 'A dispute about it' })),
  known_account: ({ seller }) =>
    sql("update gift_cards set created_at = now() - interval '71 hours' where seller_id = $1", seller.id),
  known_browser: ({ seller }) =>
    sql(
      "update known_browsers set known_since = now() - interval '71 hours' where account_id = $1",
      seller.id,
    ),
  same_credentials: ({ seller }) =>
    sql("update users set password_hash = 'another' where id = $1", seller.id),
  balance: async () => {
    service.answer = found('99.99')
  },
  fresh_balance: async () => {},
}

describe('a card that does not meet a condition', () => {
  it.each(conditionCodes.filter((code) => code !== 'brand' && code !== 'fresh_balance'))(
    'waits for a person: %s',
    async (code) => {
      if (code !== 'face_value') await on()
      const scene = await trustedSeller(server)
      await scenes[code as keyof typeof scenes](scene)
      const id = await scene.submit()
      await work()
      expect(await said(id)).toEqual(left(code))
    },
  )

  it('is not looked at if it is of another brand', async () => {
    await on({ brands: ['target'] })
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await work()
    expect(await said(id)).toEqual({ status: 'pending', said: [] })
  })

  it.each([
    [
      'a saved account',
      ({ seller }: Trusted) =>
        accepted(
          seller.post('/api/payment-methods', {
            type: 'paypal',
            accountName: 'Sally Seller',
            accountInfo: 'new@example.com',
          }),
        ),
      'known_account',
    ],
    [
      'another email address',
      ({ seller }: Trusted) => sql("update users set email = 'x' || email where id = $1", seller.id),
      'same_credentials',
    ],
    [
      'a bad card',
      async ({ seller }: Trusted) =>
        sql(
          `insert into inventory (gift_card_id, seller_id, brand, cost, state, left_at)
        select id, seller_id, brand, 9300, 'bad', now() from gift_cards where seller_id = $1 limit 1`,
          seller.id,
        ),
      'no_failed_card',
    ],
    [
      'a balance that is not known',
      async () => {
        service.answer = found('', 'not_found')
      },
      'balance',
    ],
    [
      'a service that is down',
      async () => {
        service.answer = 404
      },
      'balance',
    ],
  ] as const)('waits for a person after %s', async (_, scene, code) => {
    await on()
    const trusted = await trustedSeller(server)
    await scene(trusted)
    const id = await trusted.submit()
    await work()
    expect(await said(id)).toEqual(left(code))
  })

  it('waits for a person if a reviewer found less since', async () => {
    await on({ waitMinutes: 5 })
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await work()
    await accepted(
      owner.post(`/api/admin/submissions/${id}/balance-checks`, { amount: '80', source: 'phone' }),
    )
    await age(id, 5)
    await due()
    expect(await said(id)).toEqual(left('balance'))
  })

  it('counts a rejection for 180 days only', async () => {
    await on()
    const scene = await trustedSeller(server)
    await scenes.no_failed_card(scene)
    await sql(
      "update gift_cards set updated_at = now() - interval '181 days' where seller_id = $1 and status = 'rejected'",
      scene.seller.id,
    )
    const id = await scene.submit()
    await work()
    expect(await said(id)).toEqual(approved)
  })
})

/** Makes what waits due now, and works on it. */
async function due() {
  await sql("update jobs set run_at = now() where kind = 'decideByPolicy' and done_at is null")
  await work()
}

/** A card that has waited for an hour, with a balance of 11 minutes ago. Also the number of calls of its service until then. */
async function waited(submit: () => Promise<string>) {
  const id = await submit()
  await work()
  const calls = service.received.length
  await age(id, 60)
  await agedCheck(id, 11)
  await sql(
    "update balance_requests set asked_at = now() - interval '61 minutes' where gift_card_id = $1",
    id,
  )
  return { id, calls }
}

describe('a policy that waits', () => {
  it('decides only after the wait', async () => {
    await on({ waitMinutes: 5 })
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await work()
    await decideByPolicy(server.context, { giftCardId: id })
    expect(await said(id)).toEqual({ status: 'pending', said: [] })
    const { rows } = await sql(
      "select round(extract(epoch from run_at - created_at) / 60) as minutes from jobs where kind = 'decideByPolicy' and payload->>'giftCardId' = $1",
      id,
    )
    expect(rows).toEqual([{ minutes: '5' }])
    await age(id, 5)
    await due()
    expect(await said(id)).toEqual(approved)
  })

  it('asks again, once, if the balance is older than 10 minutes by then', async () => {
    await on({ waitMinutes: 60 })
    const { seller, submit } = await trustedSeller(server)
    const { id, calls } = await waited(submit)
    await due()
    expect(service.received).toHaveLength(calls + 1)
    expect(await said(id)).toEqual(approved)
    expect((await seller.get(`/api/user/gift-cards/${id}/reveals`)).json).toHaveLength(2)
  })

  it.each([
    [404, 'fresh_balance'],
    [found('99.00'), 'balance'],
    [found('', 'blocked'), 'balance'],
  ] as const)('leaves the card to a person if the second answer is %j', async (answer, reason) => {
    await on({ waitMinutes: 60 })
    const { submit } = await trustedSeller(server)
    const { id, calls } = await waited(submit)
    service.answer = answer
    await due()
    expect(service.received).toHaveLength(calls + 1)
    expect(await said(id)).toEqual(left(reason))
  })

  it('does not ask again about a card that a person decides anyway', async () => {
    await on({ waitMinutes: 60 })
    const { seller, submit } = await trustedSeller(server)
    const { id, calls } = await waited(submit)
    await sql('update users set verified = false where id = $1', seller.id)
    await due()
    expect(service.received).toHaveLength(calls)
    expect(await said(id)).toEqual(left('email_confirmed'))
  })

  it('needs a fresh balance without a wait too', async () => {
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await policyIn('shadow', people)
    await work()
    await on()
    await agedCheck(id, 11)
    await decideByPolicy(server.context, { giftCardId: id })
    expect((await said(id)).said.sort()).toEqual(['fresh_balance', 'would_approve'])
  })
})

describe('limits of the day', () => {
  it.each([
    ['seller_limit', { sellerLimit: '185.99' }, 1],
    ['shop_limit', { shopLimit: '185.99' }, 2],
  ] as const)('keep %s with two cards at once', async (reason, terms, sellers) => {
    await on(terms)
    const trusted = await Promise.all(Array.from({ length: sellers }, () => trustedSeller(server)))
    const ids = [await trusted[0]?.submit(), await trusted.at(-1)?.submit()] as string[]
    await withoutDecisions()
    await Promise.all(ids.map((giftCardId) => decideByPolicy(server.context, { giftCardId })))
    const outcomes = await Promise.all(ids.map(said))
    expect(outcomes).toEqual(expect.arrayContaining([approved, left(reason)]))
  })

  it('count what was approved and failed, but not yesterday', async () => {
    await on({ sellerLimit: '186.00' })
    const { submit } = await trustedSeller(server)
    const first = await submit()
    await work()
    await sql(
      "update policy_decisions set at = date_trunc('day', now()) - interval '1 second' where gift_card_id = $1",
      first,
    )
    const [second, third] = [await submit(), await submit()]
    await work()
    expect([await said(second), await said(third)]).toEqual([approved, approved])
    const fourth = await submit()
    await work()
    expect(await said(fourth)).toEqual(left('seller_limit'))
  })

  it('count for all policies together', async () => {
    await on({ shopLimit: '100.00' })
    const { submit } = await trustedSeller(server)
    const first = await submit()
    await work()
    expect(await said(first)).toEqual(approved)
    await on({ name: 'Another', shopLimit: '185.99' })
    const second = await submit()
    await work()
    expect((await said(second)).said).toEqual(['shop_limit', 'shop_limit'])
  })
})

/** Asks for balances, but lets no policy decide. */
async function withoutDecisions() {
  await sql("update jobs set done_at = now() where kind = 'decideByPolicy' and done_at is null")
  await expect
    .poll(async () => {
      const { rows } = await sql("select 1 from jobs where kind = 'askBalance' and done_at is null")
      return rows.length
    })
    .toBeGreaterThan(0)
  const hold = await server.pool.connect()
  try {
    // Their jobs wait in the table until the test runs them itself.
    await hold.query('begin')
    await hold.query(
      "create function leave_decisions() returns trigger language plpgsql as 'begin return null; end'",
    )
    await hold.query(
      "create trigger leave_decisions before insert on jobs for each row when (new.kind = 'decideByPolicy') execute function leave_decisions()",
    )
    await hold.query('commit')
    await work()
  } finally {
    await hold.query('drop trigger leave_decisions on jobs; drop function leave_decisions()')
    hold.release()
  }
}

it('never approves two cards of one number', async () => {
  await on()
  const [one, other] = [await trustedSeller(server), await trustedSeller(server)]
  const cardNumber = newNumber()
  const first = await submitted(one.seller, { ...one.account, cardNumber })
  await work()
  const second = await submitted(other.seller, { ...other.account, cardNumber })
  await work()
  expect([await said(first), await said(second)]).toEqual([approved, left('no_risk')])
})

it('approves neither of two cards of one number that arrive together', async () => {
  await on()
  const sellers = [await trustedSeller(server), await trustedSeller(server)]
  const cardNumber = newNumber()
  const ids = await Promise.all(
    sellers.map(({ seller, account }) => submitted(seller, { ...account, cardNumber })),
  )
  await withoutDecisions()
  await Promise.all(ids.map((giftCardId) => decideByPolicy(server.context, { giftCardId })))
  expect(await Promise.all(ids.map(said))).toEqual([left('no_risk'), left('no_risk')])
})

describe('the sample', () => {
  it('goes to a person, whatever another policy says', async () => {
    await on()
    await on({ name: 'Another' })
    drawn = 4
    const { submit } = await trustedSeller(server)
    const id = await submit()
    await work()
    drawn = 99
    await decideByPolicy(server.context, { giftCardId: id })
    expect(await said(id)).toEqual(left('sample'))
    const { rows } = await sql('select draw from policy_decisions where gift_card_id = $1', id)
    expect(rows).toEqual([{ draw: 4 }])
  })

  it('is as large as the policy says', async () => {
    await on({ samplePercent: 40 })
    const { submit } = await trustedSeller(server)
    drawn = 39
    const id = await submit()
    await work()
    drawn = 40
    const other = await submit()
    await work()
    expect([await said(id), await said(other)]).toEqual([left('sample'), approved])
  })
})

describe('the stop', () => {
  it('reaches a decision that has not committed, and lets shadow mode go on', async () => {
    await on()
    await policyIn('shadow', people, { name: 'In shadow' })
    const { submit } = await trustedSeller(server)
    const id = await submit()
    const admin = await server.pool.connect()
    try {
      await admin.query('begin')
      await admin.query('update installation set policies_stopped_at = now()')
      const working = work()
      await expect
        .poll(
          async () =>
            (
              await sql(
                "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%policies_stopped_at%'",
              )
            ).rowCount,
        )
        .toBe(1)
      await admin.query('commit')
      await working
    } finally {
      admin.release()
    }
    expect((await said(id)).status).toBe('pending')
    expect((await said(id)).said.sort()).toEqual(['stopped', 'would_approve'])
  })
})
