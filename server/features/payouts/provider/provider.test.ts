import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import type { WireBatch } from '#contract/payouts.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { ensureInstallation } from '#server/operator/installation.ts'
import { auditLog, jobs } from '#server/platform/database/schema.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { batchOf, duePayout, latestPayoutOf, pathOf } from '#test/payouts.ts'
import { PaypalEmulator } from '#test/paypal.ts'
import { accepted, type Person } from '#test/person.ts'
import { advanceBatches } from './advance.ts'

const emulator = await PaypalEmulator.start()
const server: TestApp = await createTestApp({ payoutProvider: emulator.provider() })
await ensureInstallation(server.db)
const seller = await server.seller('sally')
const staff = await server.staff()
const fred = await server.staff('fred', 'payer')

beforeEach(async () => {
  // PayPal forgets the batches of earlier tests.
  await server.db.execute(sql`update payout_batches set provider_next_at = null`)
  emulator.batches.length = 0
  emulator.calls.length = 0
  emulator.outcomes.clear()
  emulator.isSlow = false
  emulator.denies = undefined
  emulator.items = 'all'
})

let wallets = 0
const newWallet = () => `wallet${++wallets}@example.com`

interface Sent {
  readonly batch: WireBatch
  readonly wallets: string[]
  /** Submissions. */
  readonly cards: string[]
}

/** A released batch of new payouts of $93. */
async function released(
  count = 1,
  { by = staff, types = ['paypal'] }: { by?: Person; types?: string[] } = {},
): Promise<Sent> {
  const accounts = Array.from({ length: count }, newWallet)
  const due = []
  for (const account of accounts)
    due.push(await duePayout(server, seller, staff, { paymentAccountInfo: account }))
  const batch = await batchOf(
    by,
    types,
    due.map(({ id }) => id),
  )
  await accepted(fred.post(`${pathOf(batch)}/freeze`))
  const { json } = await accepted(staff.post(`${pathOf(batch)}/release`))
  return { batch: json, wallets: accounts, cards: due.map(({ submissionId }) => submissionId) }
}

/** Makes the next step of every batch, even if it is not due yet. */
async function step(
  on: Pick<TestApp, 'context'> = server,
  signal = new AbortController().signal,
): Promise<void> {
  await server.db.execute(
    sql`update payout_batches set provider_next_at = now() where provider_next_at is not null`,
  )
  await advanceBatches(on.context, signal)
}

const batchNow = async ({ batch }: Sent): Promise<WireBatch> => (await staff.get(pathOf(batch))).json
const stateOf = async ({ cards }: Sent) =>
  Promise.all(cards.map(async (id) => (await latestPayoutOf(server, id)).state))

/** Nobody got more than one payout, and the books agree. */
async function expectPaidOnce(...all: Sent[]): Promise<void> {
  for (const wallet of all.flatMap((sent) => sent.wallets))
    expect(emulator.paidTo(wallet)).toBeLessThanOrEqual(9300)
  expect((await verifyLedger(server.db)).problems).toEqual([])
}

describe('a released batch', () => {
  it('is sent through PayPal, paid, booked with its fees, and settled', async () => {
    const sent = await released(2)
    expect(sent.batch).toMatchObject({ state: 'released', sentBy: 'paypal', providerState: 'waiting' })
    await step()
    const body = JSON.parse(emulator.calls.find(({ call }) => call === 'create')?.body ?? '')
    const { number } = await latestPayoutOf(server, sent.cards[0] ?? '')
    expect(body.sender_batch_header.sender_batch_id).toBe(sent.batch.id)
    expect(body.items[0]).toEqual({
      recipient_type: 'EMAIL',
      recipient_wallet: 'PAYPAL',
      receiver: sent.wallets[0],
      amount: { value: '93.00', currency: 'USD' },
      note: expect.stringMatching(/^Unspent \w{4}$/),
      sender_item_id: `payout-${number}`,
    })
    expect(await stateOf(sent)).toEqual(['paid', 'paid'])
    expect(await batchNow(sent)).toMatchObject({
      ...{ state: 'settled', providerState: 'success', providerProblem: null, providerFee: '0.50' },
      ...{ exportedBy: null, settledBy: null, paidCount: 2 },
    })
    const { rows } = await server.db.execute(sql`
      select account, sum(ledger_lines.amount)::int as cents from ledger_lines join ledger_entries on ledger_entries.id = entry_id
      where batch_id = ${sent.batch.id} group by account order by account`)
    expect(rows).toEqual([
      { account: 'cash:paypal', cents: -50 },
      { account: 'fees', cents: 50 },
    ])
    await expectPaidOnce(sent)
    const subjects = (await sendMails(server)).map(({ subject }) => subject)
    expect(subjects).toContainEqual(expect.stringMatching(/^Your payout is on its way: \$93\.00/))
  })

  it('pays Venmo handles and phone numbers, and puts payouts of one seller together', async () => {
    const accounts = [
      { paymentType: 'venmo', paymentAccountInfo: '@sally-seller' },
      { paymentType: 'venmo', paymentAccountInfo: '(212) 555-0142' },
    ]
    const due = []
    for (const fields of accounts) due.push(await duePayout(server, seller, staff, fields))
    const wallet = newWallet()
    for (let i = 0; i < 2; i++)
      due.push(await duePayout(server, seller, staff, { paymentAccountInfo: wallet }))
    const body = { paymentType: ['paypal', 'venmo'], payoutIds: due.map(({ id }) => id), onePerSeller: true }
    const { json: batch } = await accepted(staff.post('/api/admin/payout-batches', body))
    await accepted(fred.post(`${pathOf(batch)}/freeze`))
    await accepted(staff.post(`${pathOf(batch)}/release`))
    await step()
    const { items } = JSON.parse(emulator.calls.find(({ call }) => call === 'create')?.body ?? '')
    const shown = items.map((item: Record<string, unknown>) => [
      item.recipient_type,
      item.recipient_wallet,
      item.receiver,
    ])
    expect(shown).toEqual([
      ['USER_HANDLE', 'VENMO', 'sally-seller'],
      ['PHONE', 'VENMO', '212-555-0142'],
      ['EMAIL', 'PAYPAL', wallet],
    ])
    expect(emulator.paidTo(wallet)).toBe(18_600)
    const sent = { batch, wallets: [], cards: due.map(({ submissionId }) => submissionId) }
    expect(await stateOf(sent)).toEqual(['paid', 'paid', 'paid', 'paid'])
    expect(await batchNow(sent)).toMatchObject({ state: 'settled', providerProblem: null })
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('has no file, and is not recorded by hand', async () => {
    const sent = await released()
    emulator.isSlow = true
    const refused = async (method: 'get' | 'post', path: string, body?: Record<string, string>) => {
      const { status, json } = await staff[method](`${pathOf(sent.batch)}${path}`, body)
      expect([status, json.code]).toEqual([409, 'illegal_batch_move'])
      return json.message
    }
    expect(await refused('post', '/file')).toContain('PayPal sends this batch')
    expect(await refused('get', '/file')).toContain('PayPal sends this batch')
    await step()
    emulator.batches[0]!.status = 'PROCESSING'
    await step()
    expect((await batchNow(sent)).state).toBe('exported')
    for (const path of ['/file', '/paid', '/void']) await refused('post', path)
    await refused('get', '/file')
    await refused('post', '/settle', { reference: 'X' })
    await refused('post', '/reject', { reason: 'X' })
    await expectPaidOnce(sent)
  })

  it('that was released as a file stays a file', async () => {
    const payoutProvider = server.context.payoutProvider
    Object.assign(server.context, { payoutProvider: undefined })
    const sent = await released()
    Object.assign(server.context, { payoutProvider })
    await step()
    expect(emulator.calls).toEqual([])
    expect(await batchNow(sent)).toMatchObject({ sentBy: null, providerState: null })
    expect((await staff.post(`${pathOf(sent.batch)}/file`)).json.state).toBe('exported')
    await step()
    expect(emulator.count('create')).toBe(0)
  })

  it('waits while payouts are stopped, or while a seller is on hold', async () => {
    const sent = await released()
    await server.db.execute(sql`update installation set payouts_stopped_at = now()`)
    await step()
    expect(await batchNow(sent)).toMatchObject({
      state: 'released',
      providerState: 'waiting',
      providerProblem: 'held',
    })
    await server.db.execute(sql`update installation set payouts_stopped_at = null`)
    await accepted(staff.post('/api/admin/holds', { submissionId: sent.cards[0], reason: 'Dispute' }))
    await step()
    expect(await batchNow(sent)).toMatchObject({ providerState: 'waiting', providerProblem: 'held' })
    expect(emulator.count('create')).toBe(0)
  })
})

describe('an outage', () => {
  it.each([
    ['of the address that gives tokens', 'token', { connection: 'drop' }, 'unreachable'],
    ['with wrong credentials', 'token', { status: 401, name: 'invalid_client' }, 'sign_in'],
    [
      'with too many requests',
      'create',
      { status: 429, name: 'RATE_LIMIT_REACHED', retryAfter: 700 },
      'rate_limited',
    ],
    ['without money', 'create', { status: 422, name: 'INSUFFICIENT_FUNDS' }, 'no_money'],
    ['without permission', 'create', { status: 403, name: 'AUTHORIZATION_ERROR' }, 'not_permitted'],
    ['with a refused request', 'create', { status: 400, name: 'VALIDATION_ERROR' }, 'refused'],
  ] as const)(
    '%s leaves the batch released, says so, and lets it be dissolved',
    async (_, call, failure, problem) => {
      Object.assign(server.context, { payoutProvider: emulator.provider() })
      emulator.fail(call, failure)
      const sent = await released()
      await step()
      expect(await batchNow(sent)).toMatchObject({
        ...{ state: 'released', providerState: 'waiting', providerProblem: problem },
      })
      expect(await stateOf(sent)).toEqual(['released'])
      const { rows } = await server.pool.query(
        'select extract(epoch from provider_next_at - now())::int as wait from payout_batches where id = $1',
        [sent.batch.id],
      )
      const [least, most] = 'retryAfter' in failure ? [690, 700] : [20, 30]
      expect(rows[0].wait).toBeGreaterThanOrEqual(least)
      expect(rows[0].wait).toBeLessThanOrEqual(most)
      expect((await staff.post(`${pathOf(sent.batch)}/void`)).json.state).toBe('void')
      await step()
      expect(emulator.batches).toEqual([])
      expect(await stateOf(sent)).toEqual(['due'])
      const again = await batchOf(staff, 'paypal', [(await latestPayoutOf(server, sent.cards[0] ?? '')).id])
      await accepted(fred.post(`${pathOf(again)}/freeze`))
      await accepted(staff.post(`${pathOf(again)}/release`))
      await step()
      expect(emulator.paidTo(sent.wallets[0] ?? '')).toBe(9300)
      await expectPaidOnce(sent)
    },
  )

  it.each([
    ['a connection that ends before PayPal has the request', { connection: 'drop' }, 0],
    ['a connection that ends after PayPal took the request', { connection: 'lose' }, 1],
    ['an error of the server', { status: 500 }, 0],
    ['an error of the server with an unknown body', { status: 503, name: '<html>' }, 0],
  ] as const)('in the middle, %s, pays nobody twice', async (_, failure, made) => {
    emulator.fail('create', failure)
    const sent = await released()
    await step()
    expect(emulator.batches).toHaveLength(made)
    expect(await batchNow(sent)).toMatchObject({
      ...{ state: 'released', providerState: 'sending', providerProblem: 'answer_lost' },
    })
    // Its payouts must not be due again.
    const { id } = await latestPayoutOf(server, sent.cards[0] ?? '')
    expect((await staff.post(`${pathOf(sent.batch)}/void`)).json.code).toBe('illegal_batch_move')
    expect((await staff.post(`/api/admin/payouts/${id}/void`, { reason: 'X' })).json.code).toBe(
      'illegal_batch_move',
    )
    expect((await staff.post(`/api/admin/payouts/${id}/paid`, { reference: 'X' })).status).toBe(409)
    // A refusal that is certain now says nothing about the first request.
    emulator.fail('create', { status: 429 })
    await step()
    expect(await batchNow(sent)).toMatchObject({ providerState: 'sending' })
    await step()
    expect(emulator.batches).toHaveLength(1)
    const created = emulator.calls.filter(({ call }) => call === 'create').map(({ body }) => body)
    expect(new Set(created).size).toBe(1)
    expect(await stateOf(sent)).toEqual(['paid'])
    await expectPaidOnce(sent)
  })

  it('of this server while PayPal answers continues with the same batch', async () => {
    emulator.fail('create', { connection: 'hang' })
    const sent = await released()
    const killed = new AbortController()
    const stepped = step(server, killed.signal)
    await expect.poll(() => emulator.batches.length).toBe(1)
    killed.abort()
    await stepped
    expect(await batchNow(sent)).toMatchObject({ state: 'released', providerState: 'sending' })
    await step()
    expect(emulator.batches).toHaveLength(1)
    expect(await stateOf(sent)).toEqual(['paid'])
    await expectPaidOnce(sent)
  })

  it('while results are read changes nothing, and the next attempt records them', async () => {
    const sent = await released(2)
    emulator.fail('read', { status: 503 })
    await step()
    expect(await batchNow(sent)).toMatchObject({
      state: 'released',
      providerState: 'pending',
      providerProblem: 'unreachable',
    })
    expect((await staff.post(`${pathOf(sent.batch)}/void`)).status).toBe(409)
    emulator.endTokens()
    await step()
    expect(await stateOf(sent)).toEqual(['paid', 'paid'])
    expect(await batchNow(sent)).toMatchObject({ providerProblem: null })
    await expectPaidOnce(sent)
  })

  it('that lasts longer than PayPal remembers a batch is left to people', async () => {
    emulator.fail('create', { connection: 'lose' })
    const sent = await released()
    await step()
    await server.db.execute(
      sql`update payout_batches set released_at = now() - interval '26 days' where id = ${sent.batch.id}`,
    )
    await step()
    expect(emulator.count('create')).toBe(1)
    expect(await batchNow(sent)).toMatchObject({ providerState: 'sending', providerProblem: 'too_old' })
  })

  it('is not solved with another PayPal account, which would pay again', async () => {
    emulator.fail('create', { connection: 'lose' })
    const sent = await released()
    await step()
    const other = await PaypalEmulator.start()
    const payoutProvider = other.provider({ clientId: 'another' })
    await step({ context: { ...server.context, payoutProvider } })
    expect(other.calls).toEqual([])
    expect(await batchNow(sent)).toMatchObject({ providerProblem: 'other_account' })
    await step()
    expect(await stateOf(sent)).toEqual(['paid'])
    await expectPaidOnce(sent)
  })
})

it('two servers that make the same step at once pay once', async () => {
  const sent = await released(3)
  const other = { context: { ...server.context, payoutProvider: emulator.provider() } }
  await Promise.all([step(), step(other), step(), step(other)])
  await Promise.all([step(), step(other)])
  expect(emulator.batches).toHaveLength(1)
  expect(await stateOf(sent)).toEqual(['paid', 'paid', 'paid'])
  await expectPaidOnce(sent)
})

describe('PayPal says that', () => {
  it('the whole batch is denied: nobody is paid, no seller is told, and it can be dissolved', async () => {
    await sendMails(server)
    emulator.denies = 'INSUFFICIENT_FUNDS'
    const sent = await released(2)
    await step()
    expect(await batchNow(sent)).toMatchObject({
      ...{ state: 'released', providerState: 'denied', providerProblem: 'refused' },
      providerDetail: 'INSUFFICIENT_FUNDS',
    })
    const mails = await sendMails(server)
    expect(mails.filter(({ subject }) => /payout|sent/i.test(subject))).toEqual([])
    expect((await staff.post(`${pathOf(sent.batch)}/void`)).json.state).toBe('void')
    expect(await stateOf(sent)).toEqual(['due', 'due'])
    await expectPaidOnce(sent)
  })

  it('some payouts failed, are unclaimed or came back later', async () => {
    const sent = await released(4)
    const [paid = '', failed = '', unclaimed = '', reversed = ''] = sent.wallets
    emulator.outcomes.set(failed, 'FAILED').set(unclaimed, 'UNCLAIMED')
    await step()
    expect(await stateOf(sent)).toEqual(['paid', 'returned', 'exported', 'paid'])
    expect(await batchNow(sent)).toMatchObject({
      state: 'settled',
      providerFee: '0.75',
      providerProblem: null,
    })
    const waiting = await latestPayoutOf(server, sent.cards[2] ?? '')
    const path = `/api/admin/payouts/${waiting.id}`
    expect((await staff.get(path)).json.providerState).toBe('unclaimed')
    // Somebody can still claim it.
    expect((await staff.post(`${path}/return`, { reason: 'Not claimed' })).json).toMatchObject({
      code: 'illegal_payout_move',
      message: expect.stringContaining('PayPal still has this payout'),
    })
    await sendMails(server)
    emulator.setItem(unclaimed, 'RETURNED')
    emulator.setItem(reversed, 'REVERSED')
    await step()
    expect(await stateOf(sent)).toEqual(['paid', 'returned', 'returned', 'returned'])
    expect((await staff.get(path)).json).toMatchObject({
      ...{ providerState: null, returnReason: 'Nobody claimed the money within 30 days' },
    })
    const back = (await sendMails(server)).filter(
      ({ subject }) => subject === 'Your payout of $93.00 came back',
    )
    expect(back).toHaveLength(2)
    expect((await batchNow(sent)).providerFee).toBe('0.50')
    await step()
    await step()
    expect(await stateOf(sent)).toEqual(['paid', 'returned', 'returned', 'returned'])
    expect(emulator.paidTo(paid)).toBe(9300)
    await expectPaidOnce(sent)
  })

  it('something else was paid than we sent: it is shown, and not recorded', async () => {
    const sent = await released(2)
    emulator.isSlow = true
    await step()
    const [batch] = emulator.batches
    if (!batch?.items[0]) throw new Error('Nothing was sent')
    batch.items[0].payout_item.amount.value = '930.00'
    emulator.process(batch)
    await step()
    expect(await stateOf(sent)).toEqual(['exported', 'paid'])
    expect(await batchNow(sent)).toMatchObject({ providerProblem: 'differs' })
    batch.items[0].payout_item.amount.value = '93.00'
    batch.items[0].transaction_status = 'TELEPORTED'
    await step()
    expect(await stateOf(sent)).toEqual(['exported', 'paid'])
    batch.items[0].transaction_status = 'SUCCESS'
    emulator.items = 'none'
    await step()
    expect(await batchNow(sent)).toMatchObject({ providerProblem: 'differs' })
    emulator.items = 'all'
    await step()
    expect(await stateOf(sent)).toEqual(['paid', 'paid'])
    expect(await batchNow(sent)).toMatchObject({ providerProblem: null })
    await expectPaidOnce(sent)
  })

  it('another batch is meant: nothing is recorded', async () => {
    const sent = await released()
    emulator.isSlow = true
    await step()
    Object.assign(emulator.batches[0] ?? {}, { senderId: 'of-another-shop', status: 'SUCCESS' })
    await step()
    expect(await stateOf(sent)).toEqual(['released'])
    expect(await batchNow(sent)).toMatchObject({ providerProblem: 'differs' })
  })
})

describe('a webhook', () => {
  const post = async ({ headers, body }: { headers: Record<string, string>; body: string }) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/payout-provider/webhook',
      headers,
      payload: body,
    })
    return answer.statusCode
  }

  /** A batch that PayPal works on, and that nobody reads soon. */
  async function underWay(): Promise<Sent & { sentId: string }> {
    emulator.isSlow = true
    const sent = await released()
    await step()
    await server.db.execute(
      sql`update payout_batches set provider_next_at = now() + interval '1 day' where provider_next_at is not null`,
    )
    return { ...sent, sentId: emulator.batches.at(-1)?.id ?? '' }
  }

  const run = () => advanceBatches(server.context, new AbortController().signal)

  it('makes the server read the batch at once, also if it comes twice or too late', async () => {
    const sent = await underWay()
    const event = emulator.webhook('PAYMENT.PAYOUTS-ITEM.UNCLAIMED', sent.sentId)
    emulator.isSlow = false
    expect(await post(event)).toBe(200)
    await run()
    expect(await stateOf(sent)).toEqual(['paid'])
    // An older event does not take the payment back.
    expect([await post(event), await post(event)]).toEqual([200, 200])
    await run()
    expect(await stateOf(sent)).toEqual(['paid'])
    await expectPaidOnce(sent)
  })

  it('that PayPal did not sign does nothing', async () => {
    const sent = await underWay()
    emulator.isSlow = false
    const { headers, body } = emulator.webhook('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', sent.sentId)
    expect(await post({ headers, body: body.replace('SUCCEEDED', 'RETURNED') })).toBe(401)
    expect(await post({ headers: { 'content-type': 'application/json' }, body })).toBe(401)
    expect(await post({ headers: { ...headers, 'paypal-transmission-sig': '"}' }, body })).toBe(401)
    await run()
    expect(await stateOf(sent)).toEqual(['released'])
    emulator.fail('verify', { status: 500 })
    expect(await post({ headers, body })).toBe(503)
    expect(await post({ headers, body })).toBe(200)
    await run()
    expect(await stateOf(sent)).toEqual(['paid'])
  })

  it('about nothing of ours asks PayPal nothing', async () => {
    expect(await post(emulator.webhook('PAYMENT.PAYOUTSBATCH.SUCCESS', 'UNKNOWN1'))).toBe(200)
    expect(emulator.count('verify')).toBe(0)
    const { headers } = emulator.webhook('X', 'Y')
    expect(await post({ headers, body: '{"id":1}' })).toBe(400)
    expect(await post({ headers, body: '{' })).toBe(400)
  })

  it('is not taken without a provider', async () => {
    const plain = await createTestApp()
    const { headers, body } = emulator.webhook('X', 'Y')
    const { statusCode } = await plain.app.inject({
      method: 'POST',
      url: '/api/payout-provider/webhook',
      headers,
      payload: body,
    })
    expect(statusCode).toBe(404)
  })
})

it('shows the balance beside what has to be sent, and warns before it runs dry', async () => {
  Object.assign(server.context, { payoutProvider: emulator.provider() })
  const cash = async () => (await staff.get('/api/admin/payouts/provider')).json
  const findings = async () => {
    const { json } = await staff.get('/api/admin/system')
    const found: { code: string }[] = json.findings
    return found.map(({ code }) => code).filter((code) => code.startsWith('provider'))
  }
  await server.db.execute(
    sql`update payout_batches set provider_problem = null, released_at = now() where released_at is not null`,
  )
  emulator.fail('balance', { status: 403, name: 'NOT_AUTHORIZED' })
  expect(await cash()).toMatchObject({
    provider: 'paypal',
    balance: null,
    balanceAt: null,
    problem: 'unknown',
  })
  emulator.fail('balance', { status: 403, name: 'NOT_AUTHORIZED' })
  expect(await findings()).toEqual(['provider_balance_unknown'])

  const before = Number((await cash()).toSend)
  await duePayout(server, seller, staff, { paymentAccountInfo: newWallet() })
  await released()
  const toSend = before + 2 * 93
  const readsAnew = (balance: number, at = new Date()) => {
    Object.assign(emulator, { balance, balanceAt: at })
    Object.assign(server.context, { payoutProvider: emulator.provider() })
  }
  readsAnew(toSend * 100)
  expect(await cash()).toMatchObject({ toSend: toSend.toFixed(2), balance: toSend.toFixed(2), problem: null })
  readsAnew(toSend * 100 - 1)
  expect(await cash()).toMatchObject({ problem: 'short' })
  expect(await findings()).toEqual(['provider_short'])
  await step()
  readsAnew(toSend * 100 - 9300)
  // What was sent is no longer to send.
  expect(await cash()).toMatchObject({ toSend: (toSend - 93).toFixed(2), problem: null })
  const fiveHoursAgo = new Date(Date.now() - 5 * 3_600_000)
  readsAnew(1_000_000, fiveHoursAgo)
  expect(await cash()).toMatchObject({ problem: 'old', balanceAt: fiveHoursAgo.toISOString() })
  emulator.balanceAt = undefined

  const due = (await staff.get('/api/admin/payouts/due')).json
  expect(due.every(({ file, sentBy }: WireBatch) => sentBy === (file === 'paypal' ? 'paypal' : null))).toBe(
    true,
  )
})

it('shows the operator batches that need somebody', async () => {
  Object.assign(server.context, { payoutProvider: emulator.provider() })
  const { batch } = await released()
  const after = async (change: ReturnType<typeof sql>) => {
    await server.db.execute(sql`update payout_batches set ${change} where id = ${batch.id}`)
    const found: { code: string; action: string }[] = (await staff.get('/api/admin/system')).json.findings
    return found.map(({ code }) => code).filter((code) => code.startsWith('provider'))
  }
  await server.db.execute(
    sql`update payout_batches set provider_problem = null, released_at = now() where released_at is not null`,
  )
  expect(await after(sql`provider_state = 'sending'`)).toEqual([])
  expect(await after(sql`released_at = now() - interval '16 minutes'`)).toEqual(['provider_silent'])
  expect(await after(sql`provider_state = 'waiting', provider_problem = 'sign_in'`)).toEqual([
    'provider_refuses',
  ])
  expect(await after(sql`provider_problem = 'refused'`)).toEqual(['provider_unclear'])
  // Tried again without anybody.
  expect(await after(sql`provider_problem = 'unreachable'`)).toEqual([])
})

it('keeps accounts and the secret out of the audit log and the jobs', async () => {
  const sent = await released()
  await step()
  const kept = JSON.stringify([await server.db.select().from(auditLog), await server.db.select().from(jobs)])
  expect(kept).toContain(sent.batch.id)
  expect(kept).not.toContain(sent.wallets[0])
  expect(kept).not.toContain('test-secret-of-paypal')
})
