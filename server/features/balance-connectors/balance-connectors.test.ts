import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { jobHandlers } from '#server/job-handlers.ts'
import { JobWorker } from '#server/platform/jobs/worker.ts'
import { afterwards } from '#test/afterwards.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { freePort } from '#test/faults/shop.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import { accepted, type Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { submit, submitted } from '#test/submissions.ts'
import { WebhookReceiver } from '#test/webhook-receiver.ts'
import { withoutRandom } from '#test/without-random.ts'

const CONNECTORS = '/api/admin/balance-connectors'
const found = (amount: unknown, status = 'ok') => ({ json: JSON.stringify({ status, amount }) })

let server: TestApp
let owner: Person
let seller: Person
let service: WebhookReceiver
let secret: string
beforeAll(async () => {
  server = await createTestApp({ site: { webhooksAllowPrivate: true } })
  owner = await server.staff()
  seller = await server.seller()
})

beforeEach(async () => {
  service = await WebhookReceiver.start()
  service.answer = found('100.00')
  await server.pool.query('delete from balance_connectors')
  secret = (await connect()).secret
})

const connect = async (more: object = {}, brand = 'amazon') =>
  (await accepted(owner.put(`${CONNECTORS}/${brand}`, { url: service.url, ...more }))).json

/** Asks what is due now, as the workers of a server do. */
async function asking({ context, db, pool, push } = server) {
  const handlers = jobHandlers(context, { sendMail: async () => {} }, push)
  const worker = new JobWorker({ db, log: context.log, handlers, lane: 'balances' })
  worker.start()
  await expect
    .poll(
      async () =>
        (
          await pool.query(
            "select from jobs where kind = 'askBalance' and done_at is null and failed_at is null",
          )
        ).rowCount,
      { timeout: 15_000 },
    )
    .toBe(0)
  await worker.stop()
}

/** Runs with a time limit of 100 ms for each request, and returns the limits that were asked for. */
async function impatiently(work: () => Promise<void>): Promise<unknown[]> {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const aborting = new AbortController()
    setTimeout(() => aborting.abort(), 100)
    return aborting.signal
  })
  await work()
  const limits = timeout.mock.calls.map(([ms]) => ms)
  timeout.mockRestore()
  return limits
}

const read = async (id: string) => (await owner.get(`/api/admin/submissions/${id}`)).json
const readOwn = async (id: string) => (await seller.get(`/api/user/gift-cards/${id}`)).json
const askAgain = (id: string, by = owner) => by.post(`/api/admin/submissions/${id}/balance-requests`)
const stateOf = async (id: string) => (await read(id)).balanceRequest?.state

describe('a card of a brand with a connector', () => {
  it('is asked about once, signed, with its number and PIN and nothing of its seller', async () => {
    const id = await submitted(seller, { cardNumber: '6006 4930 1234 5671', securityCode: '98 76' })
    expect(await readOwn(id)).toMatchObject({ balanceCheck: { state: 'checking', amount: null } })
    expect(await read(id)).toMatchObject({ balanceRequest: { state: 'asking' }, balanceCheck: null })
    await asking()
    await asking()
    const [call, ...more] = service.received
    expect(more).toEqual([])
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(call?.headers[name]),
      ]),
    )
    expect(new Webhook(secret).verify(call?.body ?? '', headers)).toEqual({
      type: 'balance.check',
      timestamp: expect.stringMatching(/Z$/),
      data: { id, brand: 'amazon', number: '6006493012345671', pin: '9876' },
    })
    expect(await read(id)).toMatchObject({
      status: 'pending',
      balanceRequest: { state: 'ok' },
      balanceCheck: { amount: '100.00', source: 'connector', by: null, note: null },
    })
    expect(await readOwn(id)).toMatchObject({ balanceCheck: { state: 'found', amount: '100.00' } })
  })

  it('shows the call in the audit log and to the seller, without the number', async () => {
    const id = await submitted(seller, { cardNumber: '6006 4930 1234 5672', securityCode: 'ZQ4711' })
    await asking()
    const entries = (await owner.get(`/api/admin/audit?subject=${id}`)).json
    expect(entries).toMatchObject([
      {
        action: 'submission.balance_checked',
        actorKind: 'system',
        details: { amount: '100.00', source: 'connector' },
      },
      {
        action: 'submission.balance_asked',
        actorKind: 'system',
        details: { host: new URL(service.url).host, call: 1 },
      },
    ])
    expect((await seller.get(`/api/user/gift-cards/${id}/reveals`)).json).toEqual([
      { at: expect.any(String), role: 'balance_service', what: ['card_number', 'pin'] },
    ])
    for (const table of [
      'jobs',
      'audit_log',
      'audit_pending',
      'balance_requests',
      'balance_checks',
      'balance_connectors',
    ]) {
      const { rows } = await server.pool.query(`select row_to_json(t)::text as row from ${table} t`)
      const text = withoutRandom(JSON.stringify(rows))
      expect(text, table).not.toMatch(/6006 ?4930|ZQ4711/)
      expect(text, table).not.toContain(secret.slice(6))
      if (table !== 'balance_connectors') expect(text, table).not.toContain('/hook')
    }
  })

  it('tells both sides live', async () => {
    const url = await server.listen()
    const live = ({ cookieHeader: cookie }: Person) => LiveClient.open(url, { cookie })
    const [id, other] = [await submitted(seller), await server.seller()]
    const heard = { seller: await live(seller), staff: await live(owner), other: await live(other) }
    await asking()
    const message = { type: 'BALANCE_UPDATE', userId: seller.id, submissionId: id }
    await expect.poll(() => heard.seller.messages).toContainEqual(message)
    await expect.poll(() => heard.staff.messages).toContainEqual(message)
    expect(heard.other.messages).toEqual([])
  })

  it.each([
    [found('80.50'), { state: 'ok' }, { state: 'found', amount: '80.50' }],
    [found(80), { state: 'ok' }, { state: 'found', amount: '80.00' }],
    [found('0'), { state: 'ok' }, { state: 'found', amount: '0.00' }],
    [found(undefined, 'not_found'), { state: 'not_found' }, { state: 'by_person', amount: null }],
    [found(undefined, 'blocked'), { state: 'blocked' }, { state: 'by_person', amount: null }],
    [found('100.00', 'unknown'), { state: 'unknown' }, { state: 'by_person', amount: null }],
    [found(undefined), { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [found(null), { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [found('-1'), { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [found('99.999'), { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    // Cents instead of dollars, beyond ten times the face value.
    [found('10000'), { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [found('100.00', 'OK'), { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [{ json: '<html>100.00</html>' }, { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [{ json: '' }, { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [{ json: 'null' }, { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    ['endless', { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [204, { state: 'bad_answer' }, { state: 'by_person', amount: null }],
    [302, { state: 'http_error' }, { state: 'by_person', amount: null }],
    [404, { state: 'http_error' }, { state: 'by_person', amount: null }],
    [401, { state: 'signature_refused' }, { state: 'by_person', amount: null }],
  ] as const)(
    '%j becomes %j for staff and %j for the seller, and waits for a person',
    async (answer, request, own) => {
      service.answer = answer
      const id = await submitted(seller)
      await asking()
      expect(await read(id)).toMatchObject({ status: 'pending', balanceRequest: request })
      expect((await read(id)).balanceCheck?.amount).toBe(own.amount ?? undefined)
      expect((await readOwn(id)).balanceCheck).toEqual(own)
      expect(service.received).toHaveLength(1)
    },
  )

  it.each(['hang', 'drip', 500] as const)(
    'is asked twice if the service answers with %s, each time for 10 seconds',
    async (answer) => {
      service.answer = answer
      const id = await submitted(seller)
      const limits = await impatiently(() => asking())
      expect(await stateOf(id)).toBe(answer === 500 ? 'http_error' : 'timeout')
      expect(service.received).toHaveLength(2)
      expect(
        new Set(service.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size,
      ).toBe(1)
      expect(limits).toEqual([10_000, 10_000])
      expect((await seller.get(`/api/user/gift-cards/${id}/reveals`)).json).toHaveLength(2)
    },
  )

  it('gets the balance from the second call if the first one failed', async () => {
    service.answer = 503
    const id = await submitted(seller)
    const asked = asking()
    await expect.poll(() => service.received.length).toBe(1)
    service.answer = found('55.00')
    await asked
    expect((await read(id)).balanceCheck?.amount).toBe('55.00')
  })

  it('goes to a person if the service is down, has no valid certificate, or became private', async () => {
    await server.pool.query("update balance_connectors set url = 'http://127.0.0.1:1/'")
    const down = await submitted(seller)
    await asking()
    expect(await stateOf(down)).toBe('unreachable')

    const tls = createServer(selfSigned, (_, response) => response.end('{"status":"ok","amount":"1.00"}'))
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
    afterwards(async () => void tls.close())
    await connect({ url: `https://127.0.0.1:${(tls.address() as AddressInfo).port}/` })
    const untrusted = await submitted(seller)
    await asking()
    expect(await stateOf(untrusted)).toBe('certificate')

    await connect()
    Object.assign(server.context.site, { webhooksAllowPrivate: false })
    const refused = await submitted(seller)
    await asking()
    Object.assign(server.context.site, { webhooksAllowPrivate: true })
    expect(await stateOf(refused)).toBe('address_refused')
    expect(service.received).toEqual([])
  })

  it('waits for nobody longer than 25 seconds', async () => {
    const id = await submitted(seller)
    const age = (seconds: number) =>
      server.pool.query(
        `update balance_requests set asked_at = now() - interval '${seconds} seconds' where gift_card_id = $1`,
        [id],
      )
    await age(24)
    expect([await stateOf(id), (await readOwn(id)).balanceCheck.state]).toEqual(['asking', 'checking'])
    await age(26)
    expect([await stateOf(id), (await readOwn(id)).balanceCheck.state]).toEqual(['late', 'by_person'])
    await asking()
    expect(await stateOf(id)).toBe('ok')
  })

  it('is asked about again if the server died meanwhile, three times at most', async () => {
    const id = await submitted(seller)
    await server.pool.query('update balance_requests set attempts = 2 where gift_card_id = $1', [id])
    await asking()
    expect(await stateOf(id)).toBe('ok')
    const other = await submitted(seller)
    await server.pool.query('update balance_requests set attempts = 3 where gift_card_id = $1', [other])
    await asking()
    expect(await stateOf(other)).toBe('interrupted')
    expect(service.received).toHaveLength(1)
  })

  it('is not asked about once it is decided or erased, or while the connector is paused or gone', async () => {
    const decide = (id: string, status: string) =>
      owner.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'Blurry' })
    const [approved, rejected, erased, kept] = [
      await submitted(seller),
      await submitted(seller),
      await submitted(seller),
      await submitted(seller),
    ]
    await decide(approved, 'processing')
    await decide(rejected, 'rejected')
    await server.pool.query(
      'update gift_cards set data_key = null, secrets_erased_at = now() where id = $1',
      [erased],
    )
    await connect({ paused: true })
    const quiet = await submitted(seller)
    expect(await read(quiet)).not.toHaveProperty('balanceRequest')
    expect(await read(quiet)).not.toHaveProperty('balanceAskable')
    await asking()
    for (const id of [approved, rejected, erased, kept]) expect(await stateOf(id)).toBe('skipped')
    expect(await readOwn(kept)).not.toHaveProperty('balanceCheck')
    expect(service.received).toEqual([])
  })

  it('is not asked about without a number, or for another brand', async () => {
    const without = await submitted(seller, { cardNumber: 'N/A' })
    const other = await submitted(seller, {
      brand: 'target',
      sellingPrice: '91.00',
      discountPercentage: '9.00',
    })
    await asking()
    expect(service.received).toEqual([])
    for (const id of [without, other]) {
      expect(await read(id)).not.toHaveProperty('balanceRequest')
      expect((await askAgain(id)).json.code).toBe('balance_not_askable')
    }
  })

  it('counts as checked for REQUIRE_BALANCE_CHECK_ABOVE', async () => {
    Object.assign(server.context.site, { balanceCheckAbove: 50_00 })
    const id = await submitted(seller)
    expect(await read(id)).toMatchObject({ balanceCheckNeeded: true })
    await asking()
    expect(await read(id)).toMatchObject({ balanceCheckNeeded: false })
    const { status } = await owner.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    expect(status).toBe(200)
    Object.assign(server.context.site, { balanceCheckAbove: undefined })
  })

  it('keeps what a decision in the meantime did', async () => {
    const id = await submitted(seller)
    service.answer = 503
    const asked = asking()
    await expect.poll(() => service.received.length).toBe(1)
    await owner.patch(`/api/admin/submissions/${id}/status`, { status: 'rejected', reason: 'Blurry' })
    service.answer = found('100.00')
    await asked
    expect(await read(id)).toMatchObject({ status: 'rejected', balanceCheck: { amount: '100.00' } })
    expect(await readOwn(id)).not.toHaveProperty('balanceCheck')
  })

  it('is deleted with the account of its seller', async () => {
    const leaving = await server.seller()
    const id = await submitted(leaving)
    await asking()
    await leaving.post(`/api/user/gift-cards/${id}/withdraw`)
    const left = await leaving.send({
      method: 'DELETE',
      url: '/api/user',
      payload: { password: SELLER_PASSWORD },
    })
    expect(left.status).toBe(200)
    const { rows } = await server.pool.query('select from balance_requests where gift_card_id = $1', [id])
    expect(rows).toEqual([])
  })
})

describe('asking again', () => {
  it('is for those who decide, in their name, and once at a time', async () => {
    const id = await submitted(seller)
    await asking()
    const reviewer = await server.staff('rita', 'reviewer')
    const answers = await Promise.all(Array.from({ length: 5 }, () => askAgain(id, reviewer)))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    expect(answers[0]?.json.balanceRequest.state).toBe('asking')
    await asking()
    expect(service.received).toHaveLength(2)
    const [, entry] = (await owner.get(`/api/admin/audit?subject=${id}`)).json
    expect(entry).toMatchObject({ action: 'submission.balance_asked', actor: 'rita' })
    expect((await read(id)).balanceCheck.by).toBeNull()
    for (const role of ['payer', 'auditor', 'support'] as const) {
      const colleague = await server.staff(`asking-${role}`, role)
      expect((await askAgain(id, colleague)).json.code).toBe('not_permitted')
    }
  })

  it('also works after the approval, and not after a decision that is final', async () => {
    const id = await submitted(seller)
    await asking()
    await owner.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    expect((await askAgain(id)).status).toBe(202)
    await asking()
    expect(service.received).toHaveLength(2)
    await owner.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' })
    expect((await askAgain(id)).json.code).toBe('balance_not_askable')
  })

  it('hides the question from roles that do not see details', async () => {
    const id = await submitted(seller)
    await asking()
    const support = await server.staff('sam', 'support')
    const { json } = await support.get(`/api/admin/submissions/${id}`)
    expect(json.balanceCheck).toBeNull()
    expect(json).not.toHaveProperty('balanceRequest')
    expect(json).not.toHaveProperty('balanceAskable')
  })
})

describe('a connector', () => {
  it('shows its secret once, and signs with the last one too for a day', async () => {
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const again = await connect()
    expect(again.secret).toBeNull()
    expect((await owner.get(CONNECTORS)).text).not.toContain(secret)
    const { secret: next } = (await owner.post(`${CONNECTORS}/amazon/secret`)).json
    const signers = async () => {
      await submitted(seller)
      await asking()
      const { headers, body } = service.received.at(-1) ?? { headers: {}, body: '' }
      return [secret, next].map((one) => {
        try {
          return Boolean(new Webhook(one).verify(body, headers as Record<string, string>))
        } catch {
          return false
        }
      })
    }
    expect(await signers()).toEqual([true, true])
    await server.pool.query("update balance_connectors set rotated_at = now() - interval '25 hours'")
    expect(await signers()).toEqual([false, true])
  })

  it('gets one secret if two owners add it at once', async () => {
    await owner.delete(`${CONNECTORS}/amazon`)
    const answers = await Promise.all([connect(), connect(), connect()])
    expect(answers.filter((answer) => answer.secret !== null)).toHaveLength(1)
  })

  it('is for owners in person', async () => {
    const manager = await server.staff('mia', 'manager')
    for (const refused of [
      manager.get(CONNECTORS),
      manager.put(`${CONNECTORS}/amazon`, { url: service.url }),
      manager.post(`${CONNECTORS}/amazon/secret`),
      manager.delete(`${CONNECTORS}/amazon`),
    ]) {
      expect((await refused).json.code).toBe('not_permitted')
    }
  })

  it('needs a known brand, and an address that is public and has https', async () => {
    expect((await owner.put(`${CONNECTORS}/nonsense`, { url: service.url })).status).toBe(404)
    expect((await owner.delete(`${CONNECTORS}/target`)).status).toBe(404)
    expect((await owner.delete(`${CONNECTORS}/%00`)).status).toBe(400)
    expect((await owner.post(`${CONNECTORS}/target/secret`)).status).toBe(404)
    const codeOf = async (url: string) =>
      (await owner.put(`${CONNECTORS}/amazon`, { url })).json.errors?.[0].code
    // Plain http only to this machine, also if private addresses are allowed.
    expect(await codeOf('http://10.0.0.7/')).toBe('webhook_url_invalid')
    expect(await codeOf('https://10.0.0.7/')).toBeUndefined()
    expect(await codeOf('nonsense')).toBe('webhook_url_invalid')
    Object.assign(server.context.site, { webhooksAllowPrivate: false })
    expect(await codeOf('https://10.0.0.7/')).toBe('webhook_url_private')
    expect(await codeOf(service.url)).toBe('webhook_url_invalid')
    Object.assign(server.context.site, { webhooksAllowPrivate: true })
  })

  it('is in the audit log with its host only', async () => {
    await connect({ paused: true })
    await owner.post(`${CONNECTORS}/amazon/secret`)
    await owner.delete(`${CONNECTORS}/amazon`)
    const entries = (await owner.get('/api/admin/audit?subject=amazon&limit=4')).json
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'balance_connector.deleted',
      'balance_connector.secret_rotated',
      'balance_connector.changed',
      'balance_connector.added',
    ])
    expect(JSON.stringify(entries)).not.toContain('/hook')
  })

  it('changes no answer while there is none', async () => {
    await owner.delete(`${CONNECTORS}/amazon`)
    const { json } = await submit(seller)
    expect(json.giftCard).not.toHaveProperty('balanceCheck')
    const staffs = await read(json.giftCard.id)
    expect(Object.keys(staffs).filter((name) => /balance/i.test(name))).toEqual([
      'balanceCheck',
      'balanceCheckNeeded',
    ])
  })
})

it('docs/api.md has a service that checks the signature and answers', async () => {
  const markdown = await readFile(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
  const program = /^```js\n(\/\/ balance-service\.mjs.*?)^```$/ms.exec(markdown)?.[1] ?? ''
  expect(program.split('\n').length).toBeLessThanOrEqual(41)
  const file = join(await mkdtemp(join(tmpdir(), 'unspent-balances-')), 'balance-service.mjs')
  await writeFile(file, program)
  const port = await freePort()
  await connect({ url: `http://127.0.0.1:${port}/` })
  const start = async (key: string) => {
    const child = spawn(process.execPath, [file], { env: { BALANCE_SECRET: key, PORT: String(port) } })
    const ended = once(child, 'exit')
    afterwards(async () => void child.kill())
    const post = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
    await expect
      .poll(() =>
        post().then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(401)
    return async () => {
      child.kill()
      await ended
    }
  }
  const stop = await start(secret)
  const states = async (cards: object[]) => {
    const ids = await Promise.all(cards.map((card) => submitted(seller, { ...card })))
    await asking()
    return Promise.all(ids.map(async (id) => [await stateOf(id), (await read(id)).balanceCheck?.amount]))
  }
  expect(
    await states([
      { cardNumber: '6006 4930 8765 4321', securityCode: '1234' },
      { cardNumber: '6006 4930 8765 4321', securityCode: '9999' },
      { cardNumber: '6006 4930 0000 0000' },
    ]),
  ).toEqual([
    ['ok', '12.50'],
    ['unknown', undefined],
    ['not_found', undefined],
  ])
  await stop()
  await start('whsec_AAAA')
  expect(await states([{ cardNumber: '6006 4930 1234 5678' }])).toEqual([['signature_refused', undefined]])
})

/** A certificate for 127.0.0.1 that no authority signed. */
const selfSigned = {
  key: `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgX5QnRddLsFn4ZQua
qo1haYmwFGmCscc6pWiNtus94yqhRANCAARBS/F7TgaeK1NCeCqvEz2nrln41byV
qDKeyPAmNTleQZHWR6G/0ERG0U38ehx0dstvO9D5ILHeD29WQzU7YHVW
-----END PRIVATE KEY-----
`,
  cert: `
-----BEGIN CERTIFICATE-----
MIIBjjCCATSgAwIBAgIUBKpPcJdcdF/hrjY0YcpaBkkmpCYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyNzIxMDAxOVoXDTM2MTEyNDIx
MDAxOVowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEQUvxe04GnitTQngqrxM9p65Z+NW8lagynsjwJjU5XkGR1kehv9BERtFN
/HocdHbLbzvQ+SCx3g9vVkM1O2B1VqNkMGIwHQYDVR0OBBYEFC1ifCyPm2CSYJOi
2MEmo0g+cXTgMB8GA1UdIwQYMBaAFC1ifCyPm2CSYJOi2MEmo0g+cXTgMA8GA1Ud
EwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAKBggqhkjOPQQDAgNIADBFAiBt
zDH1bScLNVjiIp1207O9lrMcKl1SEN19dJjU73raOwIhANRTpAkbihf7GFNg7I8v
J7McwqaN/emTSqDub80ud9g2
-----END CERTIFICATE-----
`,
}
