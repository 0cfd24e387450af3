import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#domain/roles.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { codeFrom } from '#test/authenticator.ts'
import { OIDC_CLIENT, oidcProvider, type TestProvider } from '#test/oidc.ts'
import { runCommand } from '#test/operator.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'

const SITE = 'http://localhost'
const CALLBACK = '/api/admin/oidc/callback'

let provider: TestProvider
let server: TestApp
let owner: Person

const appWith = (options: { trustMfa?: boolean; requireTotp?: boolean } = {}) =>
  createTestApp({
    requireTotp: options.requireTotp ?? false,
    oidc: { issuer: provider.issuer, name: 'Acme', trustMfa: options.trustMfa ?? false, ...OIDC_CLIENT },
  })

beforeAll(async () => {
  provider = await oidcProvider(`${SITE}${CALLBACK}`)
  server = await appWith()
  owner = await server.staff()
})
afterEach(() => {
  provider.refusal = undefined
})

let people = 0
/** A new person at the provider, who signs in next. */
function newPerson(email = `person${++people}@example.com`, verified = true) {
  provider.person = { sub: `sub-${++people}`, email, email_verified: verified }
  return provider.person
}
const invite = (email: string, role: Role = 'payer') => owner.post('/api/admin/staff', { email, role })

/** Opens the provider from a browser. Returns the path that it sends the browser back to. */
async function begin(browser: Person): Promise<string> {
  const started = await browser.get('/api/admin/oidc/start')
  expect(started.status).toBe(302)
  const returned = await provider.visit(String(started.headers.location))
  return returned.slice(SITE.length)
}
async function signIn(browser: Person): Promise<string> {
  return String((await browser.get(await begin(browser))).headers.location)
}
const outcome = (name: string) => `/admin/login?oidc=${name}`
const me = (browser: Person) => browser.get('/api/admin/me')
const logOf = async (subject: string, action: string) =>
  (await owner.get(`/api/admin/audit?subject=${subject}&action=${action}`)).json

/** Somebody who accepted the mailed invitation, without the provider. */
async function member(email: string, username: string, by = server): Promise<Person> {
  await by.staff(username, 'payer')
  await by.pool.query('update administrators set email = $1 where username = $2', [email, username])
  const person = by.visitor()
  await person.post('/api/admin/login', { username, password: ADMIN_PASSWORD })
  return person
}

describe('signing in through the provider', () => {
  it('accepts an invitation with its role, and later signs in to the same account', async () => {
    const { email, sub } = newPerson('Ana@Example.com')
    await invite(email, 'reviewer')
    const ana = server.visitor()
    expect(await signIn(ana)).toBe('/admin')
    expect((await me(ana)).json).toMatchObject({ username: 'ana', role: 'reviewer' })
    // The address changes at the provider; the person is the same.
    provider.person = { sub, email: 'other@example.com', email_verified: false }
    const again = server.visitor()
    expect(await signIn(again)).toBe('/admin')
    expect((await me(again)).json.id).toBe((await me(ana)).json.id)
    expect(await logOf('ana', 'admin.created')).toMatchObject([
      { actor: 'ana', details: { role: 'reviewer', with: 'an invitation', issuer: provider.issuer } },
    ])
    expect(await logOf('ana', 'admin.signed_in')).toMatchObject([
      { details: { with: 'Acme' } },
      { details: { with: 'Acme' } },
    ])
  })

  it('uses the whole address as the username if somebody has the short one', async () => {
    const { email } = newPerson('admin@example.com')
    await invite(email)
    const browser = server.visitor()
    expect(await signIn(browser)).toBe('/admin')
    expect((await me(browser)).json.username).toBe('admin@example.com')
  })

  it('binds an existing account at the first sign-in, and the password still works', async () => {
    newPerson('bob@example.com')
    const bob = await member('bob@example.com', 'bob')
    const browser = server.visitor()
    expect(await signIn(browser)).toBe('/admin')
    expect((await me(browser)).json.id).toBe((await me(bob)).json.id)
    expect(await logOf('bob', 'admin.identity_bound')).toMatchObject([
      { actor: 'bob', details: { issuer: provider.issuer } },
    ])
  })

  it('asks for the code of an account with an authenticator app, and binds only after it', async () => {
    newPerson('cleo@example.com')
    const cleo = await member('cleo@example.com', 'cleo')
    const { secret } = (await cleo.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json
    await cleo.post('/api/admin/totp/confirm', { code: codeFrom(secret) })
    const browser = server.visitor()
    expect(await signIn(browser)).toBe(outcome('code_needed'))
    expect((await me(browser)).status).toBe(401)
    expect(await logOf('cleo', 'admin.identity_bound')).toEqual([])
    expect((await browser.post('/api/admin/oidc/code', { code: '000000' })).json.code).toBe('totp_wrong')
    const code = codeFrom(secret, { stepsAhead: 1 })
    expect((await browser.post('/api/admin/oidc/code', { code })).json).toMatchObject({ username: 'cleo' })
    expect((await me(browser)).status).toBe(200)
    expect(await logOf('cleo', 'admin.identity_bound')).toHaveLength(1)
    // The step is used up, and another browser never had one.
    for (const other of [browser, server.visitor()])
      expect((await other.post('/api/admin/oidc/code', { code })).json.code).toBe('invalid_credentials')
  })

  it('counts as a second factor only with OIDC_TRUST_MFA', async () => {
    for (const trustMfa of [false, true]) {
      const app = await appWith({ trustMfa, requireTotp: true })
      newPerson('dora@example.com')
      await member('dora@example.com', 'dora', app)
      const browser = app.visitor()
      const started = await browser.get('/api/admin/oidc/start')
      const returned = await provider.visit(String(started.headers.location))
      expect((await browser.get(returned.slice(SITE.length))).headers.location).toBe('/admin')
      expect((await me(browser)).json.needsSecondFactor).toBe(!trustMfa)
      expect((await browser.get('/api/admin/brands')).status).toBe(trustMfa ? 200 : 403)
      // The password alone is never enough here.
      const withPassword = app.visitor()
      await withPassword.post('/api/admin/login', { username: 'dora', password: ADMIN_PASSWORD })
      expect((await withPassword.get('/api/admin/brands')).json.code).toBe('totp_setup_required')
    }
  })

  it('refuses a second identity with the same address until the operator resets the first', async () => {
    const { email } = newPerson('eva@example.com')
    await invite(email)
    expect(await signIn(server.visitor())).toBe('/admin')
    newPerson(email)
    const other = server.visitor()
    expect(await signIn(other)).toBe(outcome('other_identity'))
    expect((await me(other)).status).toBe(401)
    await runCommand({ ...server.context, url: SITE }, 'reset-identity', 'eva')
    expect(await signIn(other)).toBe('/admin')
  })

  it('binds one of two identities with the same address that arrive at once', async () => {
    await member('fay@example.com', 'fay')
    const ready: [Person, string][] = []
    for (const browser of [server.visitor(), server.visitor()]) {
      newPerson('fay@example.com')
      ready.push([browser, await begin(browser)])
    }
    const found = await Promise.all(
      ready.map(async ([browser, path]) => (await browser.get(path)).headers.location),
    )
    expect(found.sort()).toEqual(['/admin', outcome('other_identity')])
  })

  it('accepts an invitation once for two browsers of the person at once', async () => {
    const { email } = newPerson()
    await invite(email)
    const ready: [Person, string][] = []
    for (const browser of [server.visitor(), server.visitor()]) ready.push([browser, await begin(browser)])
    await Promise.all(ready.map(([browser, path]) => browser.get(path)))
    const accounts = await server.pool.query('select id from administrators where email = $1', [email])
    expect(accounts.rowCount).toBe(1)
  })
})

describe('the provider signs nobody in', () => {
  it.each([
    ['whose address is not verified', false, true, 'unverified'],
    ['who was not invited', true, false, 'uninvited'],
  ])('%s', async (_name, verified, invited, expected) => {
    const { email } = newPerson(undefined, verified)
    if (invited) await invite(email)
    const browser = server.visitor()
    expect(await signIn(browser)).toBe(outcome(expected))
    expect((await me(browser)).status).toBe(401)
    const [refused] = (await owner.get('/api/admin/audit?action=admin.sign_in_refused')).json
    expect(refused).toMatchObject({ details: { with: 'Acme', refusal: expected } })
    expect(JSON.stringify(refused)).not.toContain(email)
  })

  it('whose account is disabled, bound or not, or whose invitation has expired', async () => {
    await member('gus@example.com', 'gus')
    newPerson('gus@example.com')
    expect(await signIn(server.visitor())).toBe('/admin')
    await runCommand({ ...server.context, url: SITE }, 'disable', 'gus')
    expect(await signIn(server.visitor())).toBe(outcome('disabled'))
    await member('hal@example.com', 'hal')
    await runCommand({ ...server.context, url: SITE }, 'disable', 'hal')
    newPerson('hal@example.com')
    expect(await signIn(server.visitor())).toBe(outcome('disabled'))
    const { email } = newPerson()
    await invite(email)
    await server.pool.query(`update staff_invitations set expires_at = now() where email = $1`, [email])
    expect(await signIn(server.visitor())).toBe(outcome('uninvited'))
  })

  it('by an invitation of somebody who is no longer an owner', async () => {
    await server.staff('ivo', 'owner')
    const ivo = await server.staff('ivo')
    const { email } = newPerson()
    await ivo.post('/api/admin/staff', { email, role: 'owner' })
    await server.pool.query(`update administrators set role = 'payer' where username = 'ivo'`)
    expect(await signIn(server.visitor())).toBe(outcome('uninvited'))
  })

  it('who cancels', async () => {
    newPerson()
    provider.refusal = 'access_denied'
    expect(await signIn(server.visitor())).toBe(outcome('cancelled'))
  })
})

describe('an attacker', () => {
  it('cannot use a code twice, even with a copy of the cookies', async () => {
    const { email } = newPerson()
    await invite(email)
    const browser = server.visitor()
    const path = await begin(browser)
    const copy = { cookie: browser.cookieHeader }
    expect((await browser.get(path)).headers.location).toBe('/admin')
    const thief = server.visitor()
    expect((await thief.get(path, copy)).headers.location).toBe(outcome('failed'))
    expect((await browser.get(path)).headers.location).toBe(outcome('expired'))
    expect((await me(thief)).status).toBe(401)
  })

  it('cannot make another browser finish a sign-in that it did not begin', async () => {
    const { email } = newPerson()
    await invite(email)
    const path = await begin(server.visitor())
    const victim = server.visitor()
    expect((await victim.get(path)).headers.location).toBe(outcome('expired'))
    await begin(victim)
    expect((await victim.get(path)).headers.location).toBe(outcome('failed'))
    expect((await me(victim)).status).toBe(401)
  })

  it.each([
    ['another state', (path: string) => path.replace(/state=[^&]+/, 'state=made-up')],
    ['no state', (path: string) => path.replace(/state=[^&]+&?/, '')],
    ['another code', (path: string) => path.replace(/code=[^&]+/, 'code=made-up')],
    ['another issuer', (path: string) => path.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')],
    ['nothing', () => CALLBACK],
  ])('gets nowhere with %s', async (_name, change) => {
    const { email } = newPerson()
    await invite(email)
    const browser = server.visitor()
    const path = change(await begin(browser))
    expect((await browser.get(path)).headers.location).toBe(outcome('failed'))
    expect((await me(browser)).status).toBe(401)
  })

  it('cannot change or invent the cookies', async () => {
    const { email } = newPerson()
    await invite(email)
    const browser = server.visitor()
    const path = await begin(browser)
    const [payload = '', signature = ''] = (browser.cookies.get('unspent_oidc') ?? '').split('.')
    for (const value of [
      '',
      '.',
      `${payload}.`,
      `${payload}.AAAA`,
      `A${payload}.${signature}`,
      'x'.repeat(3000),
    ]) {
      browser.cookies.set('unspent_oidc', value)
      browser.cookies.set('unspent_oidc_step', value)
      expect((await browser.get(path)).headers.location).toBe(outcome('expired'))
      expect((await browser.post('/api/admin/oidc/code', { code: '123456' })).status).toBe(401)
    }
    // The cookie of one step does not work for the other.
    browser.cookies.set('unspent_oidc_step', `${payload}.${signature}`)
    expect((await browser.post('/api/admin/oidc/code', { code: '123456' })).status).toBe(401)
  })

  it('cannot redirect to another site', async () => {
    const evil = 'https%3A%2F%2Fevil.example'
    const names = ['redirect_uri', 'returnTo', 'next', 'from']
    const query = names.map((name) => `${name}=${evil}`).join('&')
    const browser = server.visitor()
    const headers = { host: 'evil.example' }
    const started = await browser.get(`/api/admin/oidc/start?${query}`, headers)
    const url = new URL(String(started.headers.location))
    expect(url.origin).toBe(provider.issuer)
    expect(url.searchParams.get('redirect_uri')).toBe(`${SITE}${CALLBACK}`)
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
    const answer = await browser.get(`${CALLBACK}?error=access_denied&${query}`, headers)
    expect(answer.headers.location).toBe(outcome('cancelled'))
  })
})

it('a provider that does not answer sends people back with a plain sentence', async () => {
  const app = await createTestApp({
    oidc: { issuer: 'http://127.0.0.1:1', name: 'Gone', trustMfa: false, ...OIDC_CLIENT },
  })
  const started = await app.visitor().get('/api/admin/oidc/start')
  expect(started.headers.location).toBe(outcome('failed'))
})

it('the sign-in screen knows the name, and nothing without a provider', async () => {
  expect((await server.visitor().get('/api/admin/oidc')).json).toEqual({ name: 'Acme' })
  const none = await createTestApp()
  expect((await none.visitor().get('/api/admin/oidc')).json).toEqual({ name: null })
  expect((await none.visitor().get('/api/admin/oidc/start')).status).toBe(404)
})
