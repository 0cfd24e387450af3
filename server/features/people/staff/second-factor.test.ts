import { beforeAll, describe, expect, it } from 'vitest'
import { limitTable } from '#server/http/limits/limits.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { codeFrom, fromBase32 } from '#test/authenticator.ts'
import { accountMails } from '#test/mails.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})

const login = (username: string, code?: string, password = ADMIN_PASSWORD) =>
  server.visitor().post('/api/admin/login', { username, password, ...(code !== undefined && { code }) })

/** Forgets used and wrong codes, as if time had passed. */
const later = () => server.pool.query('update second_factors set last_step = 0, failures = 0')

interface Secured {
  person: Person
  secret: string
  /** The code that turned it on. */
  code: string
  recoveryCodes: string[]
}

async function secured(name: string): Promise<Secured> {
  const person = await server.staff(name)
  const { secret } = (await person.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json
  const code = codeFrom(secret)
  const confirmed = await person.post('/api/admin/totp/confirm', { code })
  expect(confirmed.status).toBe(200)
  return { person, secret, code, recoveryCodes: confirmed.json.recoveryCodes }
}

it('counts as one call, like signing in without it', async () => {
  const limited = await createTestApp({ limits: true })
  const person = await limited.staff()
  const { secret } = (await person.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json
  await person.post('/api/admin/totp/confirm', { code: codeFrom(secret) })
  const browser = limited.visitor()
  const signIn = (code?: string) =>
    browser.post('/api/admin/login', { username: 'admin', password: ADMIN_PASSWORD, ...(code && { code }) })
  // The first sign-in, without a second factor, was one of the ten.
  for (let times = 2; times <= limitTable.adminSignIn.points; times++) {
    await limited.pool.query('update second_factors set last_step = 0')
    if (times < limitTable.adminSignIn.points) expect((await signIn()).json.code).toBe('totp_required')
    expect((await signIn(codeFrom(secret))).status, `${times}`).toBe(200)
  }
  await signIn()
  expect((await signIn()).status).toBe(429)
})

describe('turning the second factor on', () => {
  it('needs a code from the new secret, and shows ten recovery codes once', async () => {
    const ana = await server.staff('ana')
    expect((await ana.get('/api/admin/totp')).json).toEqual({ enabled: false, recoveryCodesLeft: 0 })
    const start = await ana.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })
    expect(start.json).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringMatching(
        `^otpauth://totp/Unspent:ana\\?issuer=Unspent&secret=${start.json.secret}&algorithm=SHA1&digits=6&period=30$`,
      ),
    })
    expect((await login('ana')).status).toBe(200)
    const wrong = await ana.post('/api/admin/totp/confirm', { code: '000000' })
    expect(wrong.status).toBe(400)
    expect(wrong.json.errors).toEqual([
      { path: 'code', message: 'This code is not valid', code: 'code_wrong' },
    ])
    const confirmed = await ana.post('/api/admin/totp/confirm', { code: codeFrom(start.json.secret) })
    expect(new Set(confirmed.json.recoveryCodes).size).toBe(10)
    expect((await ana.get('/api/admin/totp')).json).toEqual({ enabled: true, recoveryCodesLeft: 10 })
    const log = await ana.get('/api/admin/audit?action=admin.totp_started')
    expect(log.json).toMatchObject([{ actor: 'ana', subject: 'ana', details: {} }])
  })

  it('ends every other session, with their sockets', async () => {
    const here = await server.staff('luz')
    const there = await server.staff('luz')
    const socket = await LiveClient.open(await server.listen(), { cookie: there.cookieHeader ?? '' })
    const { secret } = (await here.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json
    await here.post('/api/admin/totp/confirm', { code: codeFrom(secret) })
    expect(await socket.closed).toBe(1000)
    expect((await there.get('/api/admin/me')).status).toBe(401)
    expect((await here.get('/api/admin/me')).status).toBe(200)
  })

  it('stores the secret encrypted and the recovery codes hashed', async () => {
    const { secret, recoveryCodes } = await secured('sealed')
    const { rows } = await server.pool.query(
      'select s::text as row from second_factors s union all select r::text from recovery_codes r',
    )
    const stored = JSON.stringify(rows)
    expect(stored).not.toContain(fromBase32(secret).toString('hex'))
    for (const code of recoveryCodes) expect(stored).not.toContain(Buffer.from(code).toString('hex'))
  })

  it('cannot replace a second factor that is on', async () => {
    const { person } = await secured('twice')
    expect((await person.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json).toMatchObject({
      code: 'totp_on',
    })
    expect((await person.post('/api/admin/totp/confirm', { code: '123456' })).json.code).toBe('totp_on')
  })

  it('needs the password, so that a borrowed browser cannot lock its owner out', async () => {
    const person = await server.staff('trusting')
    const start = (body: object) => person.post('/api/admin/totp/start', body)
    for (const body of [{}, { password: '' }, { password: 'a guess' }]) {
      expect(await start(body)).toMatchObject({ status: 400, json: { errors: [{ path: 'password' }] } })
    }
    expect((await person.post('/api/admin/totp/confirm', { code: '123456' })).json.code).toBe('totp_off')
    expect((await start({ password: ADMIN_PASSWORD })).status).toBe(200)
  })

  it('answers 409 without a start and 400 without a code', async () => {
    const person = await server.staff('hasty')
    expect((await person.post('/api/admin/totp/confirm', { code: '123456' })).json.code).toBe('totp_off')
    expect((await person.post('/api/admin/totp/confirm', {})).status).toBe(400)
    expect((await person.post('/api/admin/totp/stop', { code: '123456' })).json.code).toBe('totp_off')
  })

  it('replaces a secret that was not confirmed', async () => {
    const person = await server.staff('restless')
    const first = (await person.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json.secret
    await person.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })
    expect((await person.post('/api/admin/totp/confirm', { code: codeFrom(first) })).status).toBe(400)
  })
})

describe('signing in with a second factor', () => {
  it('asks for a code only after the right password', async () => {
    const { secret } = await secured('bea')
    const asked = await login('bea')
    expect(asked.status).toBe(401)
    expect(asked.json.code).toBe('totp_required')
    expect(asked.headers['set-cookie']).toBeUndefined()
    const wrong = await login('bea', codeFrom(secret, { stepsAhead: 1 }), 'wrong')
    expect(wrong.json.code).toBe('invalid_credentials')
    const right = await login('bea', codeFrom(secret, { stepsAhead: 1 }))
    expect(right.status).toBe(200)
    expect(right.json.username).toBe('bea')
  })

  it('accepts each code once, even in concurrent requests', async () => {
    const { secret } = await secured('cleo')
    const code = codeFrom(secret, { stepsAhead: 1 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => login('cleo', code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await login('cleo', code)).json.code).toBe('totp_wrong')
  })

  it("refuses the code that turned it on, and someone else's codes", async () => {
    const { code } = await secured('dora')
    expect((await login('dora', code)).json.code).toBe('totp_wrong')
    const other = await secured('eve')
    expect((await login('dora', codeFrom(other.secret, { stepsAhead: 1 }))).json.code).toBe('totp_wrong')
  })

  it('accepts each recovery code once', async () => {
    const { person, recoveryCodes } = await secured('fay')
    const [code = ''] = recoveryCodes
    expect((await login('fay', code.toLowerCase())).status).toBe(200)
    expect((await login('fay', code)).json.code).toBe('totp_wrong')
    expect((await person.get('/api/admin/totp')).json.recoveryCodesLeft).toBe(9)
    const log = (await person.get('/api/admin/audit?subject=fay&action=admin.signed_in')).json
    expect(log[0].details).toEqual({ factor: 'recovery code' })
  })

  it('refuses even the right code after ten wrong ones', async () => {
    const { secret } = await secured('gil')
    for (let tries = 0; tries < 10; tries++) {
      expect((await login('gil', '000000')).json.code).toBe('totp_wrong')
    }
    const paused = await login('gil', codeFrom(secret, { stepsAhead: 1 }))
    expect(paused.status).toBe(429)
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(0)
    await server.pool.query("update second_factors set failed_at = now() - interval '16 minutes'")
    expect((await login('gil', codeFrom(secret, { stepsAhead: 1 }))).status).toBe(200)
  })

  it('emails an administrator who has an address about wrong codes, in English', async () => {
    const [ivy, jan] = [await secured('ivy'), await secured('jan')]
    await server.pool.query("update administrators set email = 'ivy@example.com' where username = 'ivy'")
    for (let tries = 0; tries < 5; tries++) {
      for (const name of ['ivy', 'jan']) expect((await login(name, '000000')).json.code).toBe('totp_wrong')
    }
    const [mail, ...others] = await accountMails(server)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: 'ivy@example.com',
      subject: 'Wrong codes were entered for your account',
    })
    expect(mail?.text).toContain('please tell an owner right away')
    for (const { person } of [ivy, jan]) expect((await person.get('/api/admin/me')).status).toBe(200)
  })

  it('records each failed step in the audit log', async () => {
    const { person } = await secured('hal')
    await login('hal')
    await login('hal', '000000')
    await server.pool.query('update second_factors set failures = 10, failed_at = now()')
    await login('hal', '000000')
    await later()
    const log = await person.get('/api/admin/audit?subject=hal&limit=3')
    expect(log.json).toMatchObject([
      { actorKind: 'visitor', action: 'admin.sign_in_refused', details: { factor: 'paused' } },
      { actorKind: 'visitor', action: 'admin.sign_in_refused', details: { factor: 'wrong' } },
      { actorKind: 'visitor', action: 'admin.code_asked', details: {} },
    ])
  })

  it('is not required without one, whatever code is sent', async () => {
    await server.staff('ida')
    expect((await login('ida', '123456')).status).toBe(200)
  })
})

describe('turning the second factor off', () => {
  it('needs a code, and deletes everything', async () => {
    const { person, secret } = await secured('jon')
    expect((await person.post('/api/admin/totp/stop', { code: '000000' })).status).toBe(400)
    await later()
    expect((await person.post('/api/admin/totp/stop', { code: codeFrom(secret) })).status).toBe(200)
    expect((await login('jon')).status).toBe(200)
    expect((await person.get('/api/admin/totp')).json).toEqual({ enabled: false, recoveryCodesLeft: 0 })
    expect((await person.get('/api/admin/audit?action=admin.totp_stopped')).json).toMatchObject([
      { actor: 'jon' },
    ])
  })

  it('works with a recovery code', async () => {
    const { person, recoveryCodes } = await secured('kim')
    expect((await person.post('/api/admin/totp/stop', { code: recoveryCodes[3] })).status).toBe(200)
  })
})
