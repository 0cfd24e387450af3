import { beforeAll, describe, expect, it } from 'vitest'
import { refusalsOf } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { limitTable } from '#server/http/limits/limits.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'

const TOKENS = '/api/admin/tokens'
let server: TestApp
let owner: Person
beforeAll(async () => {
  server = await createTestApp()
  owner = await server.staff()
})

let names = 0
async function created({ by = owner, role = 'manager', name = `program ${++names}` } = {}) {
  const { json } = await by.post(TOKENS, { name, role, days: 30 })
  const headers = { authorization: `Bearer ${json.token}` }
  const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, more = {}) =>
    server.visitor().send({ method, url, headers: { ...headers, ...more }, ...(payload && { payload }) })
  return { ...json, headers, send }
}

const listed = async (id: string) =>
  (await owner.get(TOKENS)).json.find((token: { id: string }) => token.id === id)

describe('an API token', () => {
  it('is shown once, and the database has only its hash', async () => {
    const { token, send: _send, headers: _headers, ...shown } = await created({ name: 'Nightly export' })
    expect(token).toMatch(/^unspent_[\w-]{43}$/)
    expect(shown).toMatchObject({ role: 'manager', createdBy: 'admin', lastUsedAt: null })
    expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(30 * 24 * 3600_000)
    expect(await listed(shown.id)).toEqual(shown)
    const { rows } = await server.pool.query('select row_to_json(t)::text as row from api_tokens t')
    expect(JSON.stringify(rows)).not.toContain(token.slice(8))
  })

  it('does what its role may, without a cookie, and the audit log names it', async () => {
    const id = await submitted(await server.seller())
    const program = await created({ name: 'Approver', role: 'reviewer' })
    const moved = await program.send('PATCH', `/api/admin/submissions/${id}/status`, { status: 'processing' })
    expect(moved).toMatchObject({ status: 200, json: { status: 'processing' } })
    expect(moved.headers['set-cookie']).toBeUndefined()
    const [entry] = (await owner.get(`/api/admin/audit?subject=${id}&action=submission.moved`)).json
    expect(entry).toMatchObject({ actor: 'token: Approver', actorKind: 'staff' })
    const refused = await program.send('PATCH', '/api/admin/brands/amazon', { popular: true })
    expect(refused).toMatchObject({ status: 403, json: { code: 'not_permitted' } })
  })

  it('counts as its creator where two people are needed', async () => {
    const seller = await server.seller()
    const id = await submitted(seller)
    await server.staff('rex', 'reviewer')
    const program = await created()
    await program.send('PATCH', `/api/admin/submissions/${id}/status`, {
      status: 'rejected',
      reason: 'Blurry',
    })
    await seller.upload(`/api/user/gift-cards/${id}/appeal`, [
      { name: 'message', value: 'Please look again' },
    ])
    const decided = await owner.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    expect(decided).toMatchObject({ status: 403, json: { code: 'second_person_needed' } })
  })

  it('is refused what needs a person, whatever its role', async () => {
    const id = await submitted(await server.seller())
    const program = await created({ role: 'owner' })
    for (const [method, url] of [
      ['POST', `/api/admin/submissions/${id}/reveal`],
      ['GET', TOKENS],
      ['GET', '/api/admin/staff'],
      ['GET', '/api/admin/me'],
      ['GET', '/api/admin/passkeys'],
      ['POST', `/api/admin/payout-batches/${id}/release`],
      ['GET', `/api/admin/payout-batches/${id}/file`],
    ] as const) {
      const answer = await program.send(method, url)
      expect(answer, url).toMatchObject({ status: 403, json: { code: 'person_required' } })
    }
    const create = await program.send('POST', TOKENS, { name: 'Mine', role: 'owner', days: 365 })
    expect(create.json.code).toBe('person_required')
  })

  it('reads conversations without card numbers, and cannot reveal them', async () => {
    const seller = await server.seller()
    await seller.post('/api/chat/messages', { message: 'My number is 6006 4930 1234 5678' })
    const url = `/api/admin/chat/messages?userId=${seller.id}`
    const [{ id }] = (await owner.get(url)).json
    const reveal = `/api/admin/chat/messages/${id}/reveal`
    expect((await owner.post(reveal)).text).toContain('1234 5678')
    const program = await created({ role: 'owner' })
    expect((await program.send('GET', url)).text).toMatch(/My number is (?!.*1234 5678)/)
    expect((await program.send('POST', reveal)).status).toBe(403)
    expect((await program.send('GET', '/api/admin/chat/threads')).text).not.toContain('1234 5678')
  })

  it('is not a session: no seller’s route and no live channel takes it', async () => {
    const program = await created({ role: 'owner' })
    expect(await program.send('GET', '/api/user/gift-cards')).toMatchObject({
      status: 401,
      json: { code: 'signed_out' },
    })
    await expect(LiveClient.open(await server.listen(), program.headers)).rejects.toThrow('401')
  })

  it('wins over a cookie, so that a call has one caller', async () => {
    const program = await created({ role: 'auditor' })
    const answer = await owner.get(TOKENS, program.headers)
    expect(answer).toMatchObject({ status: 403, json: { code: 'not_permitted' } })
  })

  it('of another kind, which a proxy may add, changes nothing', async () => {
    expect((await owner.get(TOKENS, { authorization: 'Bearer of-a-proxy' })).status).toBe(200)
  })

  it('needs no check of the site, but does not lift it for cookies', async () => {
    const origin = { origin: 'https://elsewhere.example' }
    const seller = await server.seller()
    const id = await submitted(seller)
    const program = await created()
    const claim = await program.send('POST', `/api/admin/submissions/${id}/claim`, undefined, origin)
    expect(claim.status).toBe(200)
    const withdrawn = await seller.post(`/api/user/gift-cards/${id}/withdraw`, undefined, {
      ...origin,
      ...program.headers,
    })
    expect(withdrawn).toMatchObject({ status: 403, json: { code: 'cross_site' } })
  })

  it('shows its last use, written once a minute', async () => {
    const [program, later] = [await created(), await created()]
    const lastUse = async ({ id } = program) => (await listed(id)).lastUsedAt
    const used = (secondsAgo: number) =>
      server.pool.query(
        'update api_tokens set last_used_at = now() - make_interval(secs => $2) where id = $1',
        [program.id, secondsAgo],
      )
    await used(50)
    const first = await lastUse()
    await program.send('GET', '/api/admin/queue')
    await later.send('GET', '/api/admin/queue')
    await expect.poll(() => lastUse(later)).not.toBeNull()
    expect(await lastUse()).toBe(first)
    await used(61)
    await program.send('GET', '/api/admin/queue')
    await expect.poll(() => lastUse()).toSatisfy((at: string) => at > first)
  })

  it('ends at once when it is revoked, and at its end', async () => {
    const [one, other] = [await created(), await created()]
    expect((await one.send('GET', '/api/admin/queue')).status).toBe(200)
    expect((await owner.delete(`${TOKENS}/${one.id}`)).status).toBe(200)
    await server.pool.query('update api_tokens set expires_at = now() where id = $1', [other.id])
    const unknown = { authorization: `Bearer unspent_${'x'.repeat(43)}` }
    for (const headers of [one.headers, other.headers, unknown, { authorization: 'bearer unspent_x' }]) {
      const refused = await owner.get('/api/admin/queue', headers)
      expect(refused).toMatchObject({ status: 401, json: { code: 'token_invalid' } })
    }
    expect((await owner.delete(`${TOKENS}/${one.id}`)).status).toBe(404)
    const [entry] = (await owner.get(`/api/admin/audit?subject=${encodeURIComponent(one.name)}`)).json
    expect(entry).toMatchObject({ action: 'token.revoked', actor: 'admin' })
  })

  it('ends with the rights of its creator', async () => {
    const [demoted, disabled] = [await server.staff('dora', 'owner'), await server.staff('dave', 'owner')]
    for (const [person, change] of [
      [demoted, { role: 'auditor' }],
      [disabled, { disabled: true }],
    ] as const) {
      const program = await created({ by: person })
      await owner.patch(`/api/admin/staff/${person.id}`, change)
      expect((await program.send('GET', '/api/admin/queue')).status).toBe(401)
    }
    await owner.patch(`/api/admin/staff/${disabled.id}`, { disabled: false })
    const createdBy = (await owner.get(TOKENS)).json.map((token: { createdBy: string }) => token.createdBy)
    expect(createdBy).not.toContain('dave')
  })

  it('has a unique name, a known role and an end within a year', async () => {
    await created({ name: 'Twice' })
    const twice = await owner.post(TOKENS, { name: 'TWICE', role: 'auditor', days: 1 })
    expect(twice).toMatchObject({ status: 409, json: { code: 'taken', errors: [{ path: 'name' }] } })
    for (const days of [0, 366, 1.5, '30', undefined]) {
      const refused = await owner.post(TOKENS, { name: 'Long', role: 'auditor', days })
      expect(refused.json.errors).toMatchObject([{ path: 'days', code: 'token_days' }])
    }
    const refused = await owner.post(TOKENS, { name: ' ', role: 'god', days: 1 })
    expect(refused.json.errors).toMatchObject([{ path: 'name' }, { path: 'role' }])
  })
})

describe('with rate limits', () => {
  it('counts calls by token, and unknown tokens by address', async () => {
    const limited = await createTestApp({ limits: true })
    const staff = await limited.staff()
    const bearer = async (name: string) => {
      const { json } = await staff.post(TOKENS, { name, role: 'manager', days: 1 })
      return { authorization: `Bearer ${json.token}` }
    }
    const [one, other] = [await bearer('one'), await bearer('other')]
    const ask = async (headers: Record<string, string>) =>
      (await limited.visitor().get('/api/admin/queue', headers)).status
    const { points } = limitTable.read
    for (let asked = 0; asked < points; asked += 50)
      await Promise.all(Array.from({ length: 50 }, () => ask(one)))
    expect(await ask(one)).toBe(429)
    expect(await ask(other)).toBe(200)
    expect((await staff.get('/api/admin/queue')).status).toBe(200)
    for (let guess = 0; guess < limitTable.unknownSession.points; guess++)
      await ask({ authorization: `Bearer unspent_${guess}` })
    expect(await ask({ authorization: 'Bearer unspent_new' })).toBe(429)
    expect(await ask(other)).toBe(200)
  })
})

it('routes that need a person say so in the contract', () => {
  const reveal = refusalsOf(routes.reveal)
  expect(reveal).toContain('person_required')
  expect(refusalsOf(routes.queue)).not.toContain('person_required')
})
