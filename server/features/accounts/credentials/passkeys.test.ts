import { generateKeyPairSync } from 'node:crypto'
import { SettingsService } from '@simplewebauthn/server'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_PASSKEYS } from '#contract/passkeys.ts'
import { buildApp } from '#server/app.ts'
import { resetSecondFactor } from '#server/features/accounts/staff/administrators.ts'
import { tidy } from '#server/housekeeping.ts'
import { limitTable, noLimits } from '#server/http/limits/limits.ts'
import { Sockets } from '#server/platform/live/sockets.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { codeFrom } from '#test/authenticator.ts'
import { accountMails, confirmEmail, mailWithLink } from '#test/mails.ts'
import { addPasskey, PasskeyDevice, signInWith } from '#test/passkey.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '#test/people.ts'
import { Person } from '#test/person.ts'

let server: TestApp
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  seller = await server.seller()
})

const OWN = '/api/user/passkeys'
const STAFFS = '/api/admin/passkeys'
const ofSeller = (person = seller, device?: PasskeyDevice) =>
  addPasskey(person, 'seller', SELLER_PASSWORD, device)
const ofStaff = (person: Person) => addPasskey(person, 'staff', ADMIN_PASSWORD)
const remove = (person: Person, path: string, body: object) =>
  person.send({ method: 'DELETE', url: path, payload: body })
const subjects = async () => (await accountMails(server)).map(({ subject }) => subject)
const REFUSED = { status: 401, json: { code: 'invalid_credentials' } }

describe('a passkey of a seller', () => {
  it('is added and removed with the password, and both are emailed', async () => {
    await accountMails(server)
    const refused = await seller.post(`${OWN}/registration`, { password: 'a guess' })
    expect(refused.json.errors).toMatchObject([{ path: 'password', code: 'current_password_wrong' }])
    const { answer } = await ofSeller()
    const added = { name: 'Safari on iPhone', backedUp: false, lastUsedAt: null }
    expect(answer).toMatchObject({ status: 201, json: added })
    expect((await seller.get(OWN)).json).toMatchObject([added])
    const { id } = answer.json
    expect((await remove(seller, OWN, { id, password: 'a guess' })).status).toBe(400)
    expect((await remove(seller, OWN, { id, password: SELLER_PASSWORD })).status).toBe(200)
    expect((await seller.get(OWN)).json).toEqual([])
    expect(await subjects()).toEqual(['A passkey was added', 'A passkey was removed'])
  })

  it('signs in without a name, and makes the browser known', async () => {
    const { device } = await ofSeller()
    const browser = server.visitor()
    const options = await browser.post('/api/auth/passkeys/options')
    expect(options.json).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
    })
    const answer = await signInWith(device, browser, 'seller')
    expect(answer).toMatchObject({ status: 200, json: { user: { id: seller.id } } })
    expect((await browser.get('/api/auth/me')).json.user.id).toBe(seller.id)
    expect([...browser.cookies.keys()].sort()).toEqual([
      'unspent_browser',
      'unspent_session',
      'unspent_signed_in',
    ])
    expect((await seller.get(OWN)).json[0].lastUsedAt).toMatch(/Z$/)
  })

  it('signs in with a device that does not count', async () => {
    const { device } = await ofSeller(seller, new PasskeyDevice({ counts: false }))
    for (let times = 0; times < 2; times++)
      expect((await signInWith(device, server.visitor(), 'seller')).status).toBe(200)
  })

  it('is refused on the staff side, and after its removal', async () => {
    const { device, answer } = await ofSeller()
    expect(await signInWith(device, server.visitor(), 'staff')).toMatchObject(REFUSED)
    await remove(seller, OWN, { id: answer.json.id, password: SELLER_PASSWORD })
    expect(await signInWith(device, server.visitor(), 'seller')).toMatchObject(REFUSED)
  })

  it('of someone else can be neither removed nor taken over', async () => {
    const { device, answer } = await ofSeller()
    const other = await server.seller()
    const missing = await remove(other, OWN, { id: answer.json.id, password: SELLER_PASSWORD })
    expect(missing.json.code).toBe('not_found')
    expect((await ofSeller(other, device)).answer.json.code).toBe('taken')
    const options = await seller.post(`${OWN}/registration`, { password: SELLER_PASSWORD })
    expect(options.json.excludeCredentials).toMatchObject([{ id: device.id.toString('base64url') }])
  })

  it(`can be one of at most ${MAX_PASSKEYS}, also when added at the same time`, async () => {
    await server.pool.query(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, backed_up)
       select gen_random_uuid(), $1::uuid, $1::text || n, '', 0, '{}', 'Old', false from generate_series(2, $2) n`,
      [seller.id, MAX_PASSKEYS],
    )
    const twin = server.visitor()
    await signInAs(twin, seller)
    // Both have options before either adds.
    const made = []
    for (const person of [seller, twin]) {
      const options = await person.post(`${OWN}/registration`, { password: SELLER_PASSWORD })
      made.push({ person, passkey: new PasskeyDevice().create(options.json) })
    }
    const both = await Promise.all(made.map(({ person, passkey }) => person.post(OWN, passkey)))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const more = await seller.post(`${OWN}/registration`, { password: SELLER_PASSWORD })
    expect(more.json.code).toBe('too_many_passkeys')
  })
})

async function signInAs(browser: Person, person: Person): Promise<void> {
  const { email } = (await person.get('/api/auth/me')).json.user
  await browser.post('/api/auth/login', { email, password: SELLER_PASSWORD })
}

describe('an answer to a challenge', () => {
  const otherKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

  it.each([
    ['another site', { origin: 'http://evil.example' }],
    ['another host', { host: 'evil.example' }],
    ['another challenge', { challenge: 'x'.repeat(43) }],
    ['the other ceremony', { type: 'webauthn.create' }],
    ['nobody verified', { verified: false }],
    ['another key', { privateKey: otherKey() }],
    ['another account', { userHandle: Buffer.alloc(16).toString('base64url') }],
  ])('for %s is refused', async (_name, deviation) => {
    const { device } = await ofSeller()
    const browser = server.visitor()
    expect(await signInWith(device, browser, 'seller', deviation)).toMatchObject(REFUSED)
    expect((await browser.get('/api/auth/me')).status).toBe(401)
    expect((await signInWith(device, browser, 'seller')).status).toBe(200)
  })

  it.each([
    ['another site', { origin: 'http://evil.example' }],
    ['nobody verified', { verified: false }],
  ])('for %s adds no passkey', async (_name, deviation) => {
    const options = await seller.post(`${OWN}/registration`, { password: SELLER_PASSWORD })
    const answer = await seller.post(OWN, new PasskeyDevice().create(options.json, deviation))
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid' } })
    expect((await seller.get(OWN)).json).toEqual([])
  })

  it('works once, even if sent at the same time to several servers', async () => {
    const { device } = await ofSeller(seller, new PasskeyDevice({ counts: false }))
    const browser = server.visitor()
    const options = await browser.post('/api/auth/passkeys/options')
    const assertion = device.get(options.json)
    const cookie = browser.cookieHeader
    const { context } = server
    const second = await buildApp({ context, limits: noLimits, sockets: new Sockets(), trustProxy: false })
    const answers = await Promise.all(
      [server.app, second, server.app].map((app) =>
        new Person(app).post('/api/auth/passkeys/verify', assertion, { cookie }),
      ),
    )
    await second.close()
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const replayed = await server.visitor().post('/api/auth/passkeys/verify', assertion, { cookie })
    expect(replayed.json.code).toBe('challenge_used')
  })

  it('works only in the browser and for the purpose of the challenge', async () => {
    const { device } = await ofSeller()
    const [browser, thief] = [server.visitor(), server.visitor()]
    const options = await browser.post('/api/auth/passkeys/options')
    await thief.post('/api/auth/passkeys/options')
    const stolen = await thief.post('/api/auth/passkeys/verify', device.get(options.json))
    expect(stolen).toMatchObject(REFUSED)
    const none = await server.visitor().post('/api/auth/passkeys/verify', device.get(options.json))
    expect(none.json.code).toBe('challenge_used')

    const staff = await browser.post(`${STAFFS}/verify`, device.get(options.json))
    expect(staff.json.code).toBe('challenge_used')
    const signIn = await seller.post('/api/auth/passkeys/options')
    const added = await seller.post(OWN, new PasskeyDevice().create({ ...signIn.json, user: { id: 'AA' } }))
    expect(added.json.code).toBe('challenge_used')
  })

  it('is refused after five minutes, and the challenge is deleted', async () => {
    const { device } = await ofSeller()
    const browser = server.visitor()
    const options = await browser.post('/api/auth/passkeys/options')
    await server.pool.query("update passkey_challenges set expires_at = now() - interval '1 second'")
    await tidy(server.context, { eraseAfterDays: 90 })
    expect((await server.pool.query('select 1 from passkey_challenges')).rows).toEqual([])
    const late = await browser.post('/api/auth/passkeys/verify', device.get(options.json))
    expect(late.json.code).toBe('challenge_used')
  })

  it('counts as one call, and refusals are limited by address', async () => {
    const limited = await createTestApp({ limits: true })
    const person = await limited.seller()
    const { device } = await ofSeller(person)
    const browser = limited.visitor()
    const { points } = limitTable.signIn
    for (let times = 1; times < points; times++)
      expect((await signInWith(device, browser, 'seller')).status).toBe(200)
    expect((await browser.post('/api/auth/passkeys/options')).status).toBe(200)
    expect((await browser.post('/api/auth/passkeys/options')).status).toBe(429)
  })
})

describe('what a device says about itself', () => {
  const addWith = async (attestation: { format: string; certificates?: Buffer[] }) => {
    const options = await seller.post(`${OWN}/registration`, { password: SELLER_PASSWORD })
    return seller.post(OWN, new PasskeyDevice().create(options.json, { attestation }))
  }

  it('is accepted only without certificates, whose addresses would be fetched', async () => {
    // A leaf whose certificate says that http://127.0.0.1:9/crl lists what its issuer has revoked.
    SettingsService.setRootCertificates({ identifier: 'apple', certificates: [ISSUER] })
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('unreachable'))
    for (const format of ['apple', 'packed', 'tpm', 'fido-u2f', 'android-key', 'android-safetynet', 'x']) {
      const answer = await addWith({ format, certificates: [LEAF] })
      expect([format, answer.status, answer.json.code]).toEqual([format, 400, 'invalid'])
    }
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
    for (const format of ['packed', 'none']) expect((await addWith({ format })).status).toBe(201)
  })
})

describe('what an intruder may have added', () => {
  it('stays after a reset of the password, which says so', async () => {
    await confirmEmail(server, seller)
    const { device } = await ofSeller()
    const { message, mails } = await resetPassword(seller)
    expect(message).toContain('Your account has 1 passkey that can still sign in.')
    expect(mails.at(-1)?.text).toContain('Your account has 1 passkey that can still sign in.')
    expect((await signInWith(device, server.visitor(), 'seller')).status).toBe(200)
  })

  it('is removed by the reset that first confirms the address', async () => {
    const { device } = await ofSeller()
    expect((await resetPassword(seller)).message).not.toContain('passkey')
    expect(await signInWith(device, server.visitor(), 'seller')).toMatchObject(REFUSED)
  })

  it('is removed when a change of the email is undone, if it was added since', async () => {
    const { device: own } = await ofSeller()
    const profile = { firstName: 'S', lastName: 'S', email: `thief${seller.id}@example.com` }
    expect((await seller.put('/api/user/profile', profile)).status).toBe(200)
    const { device: thiefs } = await ofSeller()
    const { token } = mailWithLink(await accountMails(server), '/restore-email')
    expect((await server.visitor().post('/api/auth/restore-email', { token })).status).toBe(200)
    expect(await signInWith(thiefs, server.visitor(), 'seller')).toMatchObject(REFUSED)
    expect((await signInWith(own, server.visitor(), 'seller')).status).toBe(200)
  })

  async function resetPassword(person: Person) {
    const { email } = (await person.get('/api/auth/me')).json.user
    await accountMails(server)
    await server.visitor().post('/api/auth/forgot-password', { email })
    const { token } = mailWithLink(await accountMails(server), '/reset-password')
    const reset = { token, password: 'another good password' }
    const { message } = (await server.visitor().post('/api/auth/reset-password', reset)).json
    return { message, mails: await accountMails(server) }
  }
})

describe('a passkey of staff', () => {
  const logOf = async (owner: Person, subject: string) =>
    (await owner.get(`/api/admin/audit?subject=${subject}&limit=5`)).json

  it('counts as both factors, and is in the audit log', async () => {
    const ana = await server.staff('ana')
    const { secret } = (await ana.post('/api/admin/totp/start', { password: ADMIN_PASSWORD })).json
    await ana.post('/api/admin/totp/confirm', { code: codeFrom(secret) })
    const { device, answer } = await ofStaff(ana)
    expect(answer.json.name).toBe('Safari on iPhone')
    const browser = server.visitor()
    expect(await signInWith(device, browser, 'staff')).toMatchObject({
      status: 200,
      json: { username: 'ana' },
    })
    expect(await signInWith(device, server.visitor(), 'seller')).toMatchObject(REFUSED)
    await remove(browser, STAFFS, { id: answer.json.id, password: ADMIN_PASSWORD })
    expect(await logOf(browser, 'ana')).toMatchObject([
      { action: 'admin.passkey_removed', details: { passkey: 'Safari on iPhone' } },
      { action: 'admin.signed_in', details: { with: 'a passkey' } },
      { action: 'admin.passkey_added', details: { passkey: 'Safari on iPhone' } },
      { action: 'admin.totp_started' },
      { action: 'admin.signed_in' },
    ])
  })

  it('is refused while the account is disabled', async () => {
    const bob = await server.staff('bob')
    const { device } = await ofStaff(bob)
    const owner = await server.staff()
    await owner.patch(`/api/admin/staff/${bob.id}`, { disabled: true })
    expect(await signInWith(device, server.visitor(), 'staff')).toMatchObject(REFUSED)
    expect((await logOf(owner, 'bob'))[0]).toMatchObject({
      actorKind: 'visitor',
      action: 'admin.sign_in_refused',
      details: { with: 'a passkey' },
    })
    await owner.patch(`/api/admin/staff/${bob.id}`, { disabled: false })
    expect((await signInWith(device, server.visitor(), 'staff')).status).toBe(200)
  })

  it('is refused and logged when its counter goes back', async () => {
    const { device } = await ofStaff(await server.staff('cleo'))
    device.counter = 7
    expect((await signInWith(device, server.visitor(), 'staff')).status).toBe(200)
    // The same as last time, lower, and none at all. Each is one more than set here.
    for (const counter of [7, 3, -1]) {
      device.counter = counter
      expect(await signInWith(device, server.visitor(), 'staff')).toMatchObject(REFUSED)
    }
    expect((await logOf(await server.staff(), 'cleo'))[0].details).toEqual({
      with: 'a passkey',
      reason: 'the counter went back',
    })
    device.counter = 8
    expect((await signInWith(device, server.visitor(), 'staff')).status).toBe(200)
  })

  it('is removed with the second factor, by an owner and by the operator', async () => {
    const dan = await server.staff('dan')
    const owner = await server.staff()
    const { device } = await ofStaff(dan)
    const reset = await owner.patch(`/api/admin/staff/${dan.id}`, { secondFactor: false })
    expect(reset.json.secondFactor).toBe(false)
    expect((await dan.get('/api/admin/me')).status).toBe(401)
    expect(await signInWith(device, server.visitor(), 'staff')).toMatchObject(REFUSED)
    const { device: second } = await ofStaff(await server.staff('dan'))
    await resetSecondFactor(server.context, 'dan')
    expect(await signInWith(second, server.visitor(), 'staff')).toMatchObject(REFUSED)
    await expect(resetSecondFactor(server.context, 'dan')).rejects.toThrow('no second factor')
  })

  it('satisfies REQUIRE_TOTP, and then the password alone no longer signs in', async () => {
    const strict = await createTestApp({ requireTotp: true })
    const eve = await strict.staff('eve')
    expect((await eve.get('/api/admin/me')).json.needsSecondFactor).toBe(true)
    expect((await eve.get('/api/admin/staff')).json.code).toBe('totp_setup_required')
    const { device, answer } = await ofStaff(eve)
    expect((await eve.get('/api/admin/me')).json.needsSecondFactor).toBe(false)
    expect((await eve.get('/api/admin/staff')).status).toBe(200)
    const credentials = { username: 'eve', password: ADMIN_PASSWORD }
    const alone = await strict.visitor().post('/api/admin/login', credentials)
    expect(alone).toMatchObject({ status: 401, json: { code: 'passkey_required' } })
    const guessed = await strict.visitor().post('/api/admin/login', { ...credentials, code: '123456' })
    expect(guessed.json.code).toBe('passkey_required')
    expect((await signInWith(device, strict.visitor(), 'staff')).status).toBe(200)
    await remove(eve, STAFFS, { id: answer.json.id, password: ADMIN_PASSWORD })
    expect((await eve.get('/api/admin/me')).json.needsSecondFactor).toBe(true)
  })
})

/** Both are made for these tests and valid until 2126. */
const ISSUER = Buffer.from(
  [
    'MIIBdTCCARugAwIBAgIUaccp1Qg+IL/QnZKHfzt2GnYFm6UwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAgFw0yNjExMjYx',
    'NDE5NDRaGA8yMTI2MTEwMjE0MTk0NFowDzENMAsGA1UEAwwEUm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKALfWfEgmnB',
    'TxPaqQabiI9CNbaY/RJaikcJT5dQEvm3GeYE7PNSkjj+3k82jLIAF/94iTkjEB9nrD0i1uPhf66jUzBRMB0GA1UdDgQWBBTtkhXR',
    '0DhIzockaId3EYyDTZv8DDAfBgNVHSMEGDAWgBTtkhXR0DhIzockaId3EYyDTZv8DDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49',
    'BAMCA0gAMEUCIF+ouGNv7kfejN28WmcY/sApmIKMzD1Dm9lJRZYBXxJ7AiEA+mUxBzTK00IZwOfWvcRkI3McE0iEufvNkQk2Tfrl',
    '8f8=',
  ].join(''),
  'base64',
)
const LEAF = Buffer.from(
  [
    'MIIBjjCCATOgAwIBAgIUQvseJ5oGnNtB/gF5303AuvzXHsIwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAgFw0yNjExMjYx',
    'NDE5NDRaGA8yMTI2MTEwMjE0MTk0NFowDzENMAsGA1UEAwwETGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAfJjGzCwdPj',
    'hWa4ysinE5Ya6OYzy7raRBo3EAFo2NGNO1Sn6/wQEP1Bdlk4vtW59TDmRKGkujB4k4aClELlKiOjazBpMCcGA1UdHwQgMB4wHKAa',
    'oBiGFmh0dHA6Ly8xMjcuMC4wLjE6OS9jcmwwHQYDVR0OBBYEFFOtds3SxjqWS7mk00pYemW/asB3MB8GA1UdIwQYMBaAFO2SFdHQ',
    'OEjOhyRoh3cRjINNm/wMMAoGCCqGSM49BAMCA0kAMEYCIQCBcywtQ9S1gD+7jEnTTUzKlXvvkQu/zR2Em8LIm2zvegIhAKEx2KvH',
    'Xs/HAQwJwzvQcUcpvUcTNlkMmi7Mattz8VWR',
  ].join(''),
  'base64',
)
