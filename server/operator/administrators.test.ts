import { beforeAll, describe, expect, it, vi } from 'vitest'
import { limitTable } from '#server/http/limits/limits.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { codeFrom } from '#test/authenticator.ts'
import { passwordIn, runCommand } from '#test/operator.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'

describe('the commands', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await createTestApp({ limits: true })
  })

  const run = (...words: string[]) =>
    runCommand({ ...server.context, url: 'https://unspent.example' }, ...words)
  let addresses = 0
  /** From a new browser and a new address. */
  const post = (path: string, payload: object) =>
    server.visitor().send({ method: 'POST', url: path, payload, remoteAddress: `10.0.0.${++addresses}` })
  const login = (username: string, password: string) => post('/api/admin/login', { username, password })
  const linkLogin = (token: string | undefined, code?: string) =>
    post('/api/admin/login/link', { token, ...(code && { code }) })

  async function lockOut(username: string): Promise<void> {
    const { points } = limitTable.passwordGuess
    for (let guesses = 0; guesses < points; guesses++) await login(username, 'a guess')
    expect((await login(username, 'a guess')).status).toBe(429)
  }

  const tokenIn = (output: string) =>
    /^https:\/\/unspent\.example\/admin\/login\?link=(\S+)$/m.exec(output)?.[1]

  it('create an administrator who can sign in, once per name in any case', async () => {
    const password = passwordIn(await run('create', 'ana'))
    expect((await login('ana', password)).status).toBe(200)
    await expect(run('create', 'ANA')).rejects.toThrow('There is already an administrator ANA')
    for (const name of ['', 'a b', 'a,b', 'x'.repeat(51)]) {
      await expect(run('create', name)).rejects.toThrow('A username must be')
    }
    const log = await (await server.staff()).get('/api/admin/audit?action=admin.created&subject=ana')
    expect(log.json).toMatchObject([{ actorKind: 'system', details: { by: 'command line' } }])
  })

  it('create and set-role give a role, but never take the last active owner away', async () => {
    await run('create', 'hal', '--role', 'payer')
    expect(await run('list')).toMatch(/^hal: payer, /m)
    await run('set-role', 'hal', 'auditor')
    await expect(run('set-role', 'hal', 'auditor')).rejects.toThrow('has the role auditor already')
    expect(await run('list')).toMatch(/^hal: auditor, /m)
    for (const args of [
      ['create', 'ivy', '--role', 'king'],
      ['set-role', 'hal', 'king'],
      ['set-role', 'hal'],
    ]) {
      await expect(run(...args)).rejects.toMatchObject({ name: 'CommanderError' })
    }
    const { rows } = await server.pool.query(
      `update administrators set role = 'manager' where role = 'owner' and username <> 'admin' returning id`,
    )
    await expect(run('set-role', 'admin', 'payer')).rejects.toThrow('admin is the last active owner')
    await expect(run('disable', 'admin')).rejects.toThrow('admin is the last active owner')
    const ids = rows.map(({ id }) => id)
    await server.pool.query(`update administrators set role = 'owner' where id = any($1)`, [ids])
    const log = await (await server.staff()).get('/api/admin/audit?action=admin.role_changed&subject=hal')
    expect(log.json).toMatchObject([
      { details: { by: 'command line', role: { from: 'payer', to: 'auditor' } } },
    ])
  })

  it('disable ends sessions and sockets at once, and enable allows sign-in again', async () => {
    const password = passwordIn(await run('create', 'ben'))
    const ben = server.visitor()
    await ben.post('/api/admin/login', { username: 'ben', password })
    const socket = await LiveClient.open(await server.listen(), { cookie: ben.cookieHeader })
    const { json: invited } = await ben.post('/api/admin/staff', { email: 'b@example.com', role: 'owner' })
    await run('disable', 'Ben')
    expect((await (await server.staff()).delete(`/api/admin/staff/${invited.id}`)).status).toBe(404)
    expect((await ben.get('/api/admin/me')).status).toBe(401)
    expect(await socket.closed).toBe(1000)
    expect((await login('ben', password)).status).toBe(401)
    expect(await run('list')).toMatch(/^ben: .*disabled/m)
    await expect(run('disable', 'ben')).rejects.toThrow('already disabled')
    await run('enable', 'ben')
    expect((await login('ben', password)).status).toBe(200)
    expect((await ben.get('/api/admin/me')).status).toBe(401)
    await expect(run('enable', 'ben')).rejects.toThrow('not disabled')
  })

  it('reset-password sets another password and ends every session', async () => {
    const old = passwordIn(await run('create', 'cleo'))
    const cleo = server.visitor()
    await cleo.post('/api/admin/login', { username: 'cleo', password: old })
    const card = `/api/admin/submissions/${await submitted(await server.seller())}`
    await cleo.post(`${card}/claim`)
    const password = passwordIn(await run('reset-password', 'cleo'))
    expect((await cleo.get('/api/admin/me')).status).toBe(401)
    expect((await (await server.staff()).get(card)).json.claimedBy).toBeNull()
    expect((await login('cleo', old)).status).toBe(401)
    expect((await login('cleo', password)).status).toBe(200)
    const { rows } = await server.pool.query('select a::text from audit_log a')
    expect(JSON.stringify(rows)).not.toContain(password)
  })

  it('reset-password unlocks an administrator after wrong guesses', async () => {
    await run('create', 'eva')
    await lockOut('eva')
    const password = passwordIn(await run('reset-password', 'eva'))
    // The server caches a refusal for five seconds.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000)
    expect((await login('eva', password)).status).toBe(200)
    clock.mockRestore()
  })

  it('sign-in-link signs in once, even while wrong guesses lock the account', async () => {
    const password = passwordIn(await run('create', 'fay'))
    await lockOut('fay')
    const older = tokenIn(await run('sign-in-link', 'fay'))
    const token = tokenIn(await run('sign-in-link', 'Fay'))
    expect((await linkLogin(older)).status).toBe(400)
    const fay = server.visitor()
    const answer = await fay.post('/api/admin/login/link', { token })
    expect(answer).toMatchObject({ status: 200, json: { username: 'fay' } })
    expect((await fay.get('/api/admin/me')).status).toBe(200)
    expect((await linkLogin(token)).json).toMatchObject({ code: 'invalid', errors: [{ path: 'token' }] })
    // This browser is known now, so the password works here despite the guesses.
    expect((await fay.post('/api/admin/login', { username: 'fay', password })).status).toBe(200)

    const late = tokenIn(await run('sign-in-link', 'fay'))
    const { rows } = await server.pool.query(
      `update sign_in_links set expires_at = now() returning expires_at - now() <= '15 minutes' as short, token_hash`,
    )
    expect(rows).toMatchObject([{ short: true }])
    expect(rows[0].token_hash).not.toContain(late)
    expect((await linkLogin(late)).status).toBe(400)
    const unused = tokenIn(await run('sign-in-link', 'fay'))
    await run('disable', 'fay')
    await expect(run('sign-in-link', 'fay')).rejects.toThrow('fay is disabled')
    await run('enable', 'fay')
    expect((await linkLogin(unused)).status).toBe(400)

    const log = (await (await server.staff()).get('/api/admin/audit?subject=fay')).json
    const entries = log.map((entry: { action: string; details: object }) => [entry.action, entry.details])
    expect(entries).toContainEqual(['admin.link_made', { by: 'command line' }])
    expect(entries).toContainEqual(['admin.signed_in', { with: 'a link from the command line' }])
    for (const secret of [older, token, late, unused]) expect(JSON.stringify(log)).not.toContain(secret)
  })

  it('sign-in-link signs in one of several concurrent requests, and only that one is recorded', async () => {
    await run('create', 'ida')
    const token = tokenIn(await run('sign-in-link', 'ida'))
    const answers = await Promise.all(Array.from({ length: 5 }, () => linkLogin(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
    const log = await (await server.staff()).get('/api/admin/audit?subject=ida&action=admin.signed_in')
    expect(log.json).toHaveLength(1)
  })

  it('sign-in-link still asks for the second factor', async () => {
    const password = passwordIn(await run('create', 'gus'))
    const gus = server.visitor()
    await gus.post('/api/admin/login', { username: 'gus', password })
    const secret = (await gus.post('/api/admin/totp/start', { password })).json.secret
    await gus.post('/api/admin/totp/confirm', { code: codeFrom(secret) })
    const token = tokenIn(await run('sign-in-link', 'gus'))
    expect((await linkLogin(token)).json.code).toBe('totp_required')
    expect((await linkLogin(token, '000000')).json.code).toBe('totp_wrong')
    expect((await linkLogin(token, codeFrom(secret, { stepsAhead: 1 }))).status).toBe(200)
  })

  it('reset-totp lets an administrator sign in with the password alone', async () => {
    const password = passwordIn(await run('create', 'dora'))
    await expect(run('reset-totp', 'dora')).rejects.toThrow('no second factor')
    await server.pool.query(`
      insert into second_factors (account_id, data_key, secret, confirmed_at)
      select id, '', '', now() from administrators where username = 'dora'`)
    expect((await login('dora', password)).json.code).toBe('totp_required')
    expect(await run('list')).toMatch(/^dora: .*with a second factor/m)
    await run('reset-totp', 'dora')
    expect((await login('dora', password)).status).toBe(200)
  })

  it.each([['nothing'], ['list', 'more'], ['create'], ['create', 'a', 'b'], ['constructor', 'x']])(
    'refuse %s %s',
    async (...args) => {
      await expect(run(...args)).rejects.toMatchObject({ name: 'CommanderError' })
    },
  )

  it('refuse an unknown username', async () => {
    for (const word of ['disable', 'enable', 'reset-password', 'sign-in-link', 'reset-totp']) {
      await expect(run(word, 'nobody')).rejects.toThrow('There is no administrator nobody')
    }
  })
})
