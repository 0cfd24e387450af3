import { beforeAll, describe, expect, it } from 'vitest'
import { limitTable } from '#server/http/limits/limits.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { codeFrom } from '#test/authenticator.ts'
import { accountMails, mailWithLink } from '#test/mails.ts'
import { runCommand } from '#test/operator.ts'
import { addPasskey, signInWith } from '#test/passkey.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'

const OWN = '/api/user/second-factor'
const password = SELLER_PASSWORD
const OFF = { enabled: false, recoveryCodesLeft: 0 }

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})

interface Secured {
  readonly seller: Person
  readonly email: string
  readonly secret: string
  /** The code that turned it on. */
  readonly code: string
  readonly recoveryCodes: string[]
}

async function confirmed(name: string, app = server): Promise<Person> {
  const seller = await app.seller(name)
  await app.pool.query('update users set verified = true where id = $1', [seller.id])
  return seller
}

async function secured(name: string, app = server): Promise<Secured> {
  const seller = await confirmed(name, app)
  const { secret } = (await seller.post(OWN, { password })).json
  const code = codeFrom(secret)
  const { status, json } = await seller.post(`${OWN}/confirm`, { code })
  expect(status).toBe(200)
  return { seller, email: `${name}@example.com`, secret, code, recoveryCodes: json.recoveryCodes }
}

const next = ({ secret }: Secured) => codeFrom(secret, { stepsAhead: 1 })
const login = (email: string, code?: string, given = password) =>
  server.visitor().post('/api/auth/login', { email, password: given, ...(code !== undefined && { code }) })
const stop = (seller: Person, body: object) => seller.send({ method: 'DELETE', url: OWN, payload: body })
const subjects = async () => (await accountMails(server)).map(({ subject }) => subject)
/** Forgets used and wrong codes, as if time had passed. */
const later = () => server.pool.query('update second_factors set last_step = 0, failures = 0')

describe('setting up', () => {
  it('needs the password, a confirmed address and a code, and is emailed', async () => {
    const seller = await server.seller('ana')
    await accountMails(server)
    expect((await seller.post(OWN, { password })).json.code).toBe('email_unconfirmed')
    await server.pool.query('update users set verified = true where id = $1', [seller.id])
    const guess = await seller.post(OWN, { password: 'a guess' })
    expect(guess.json.errors).toMatchObject([{ path: 'password', code: 'current_password_wrong' }])
    expect((await seller.post(`${OWN}/confirm`, { code: '123456' })).json.code).toBe('totp_off')
    const { secret, uri } = (await seller.post(OWN, { password })).json
    expect(decodeURIComponent(uri)).toContain('otpauth://totp/Unspent:ana@example.com?')
    expect((await login('ana@example.com')).status).toBe(200)
    const wrong = await seller.post(`${OWN}/confirm`, { code: '000000' })
    expect(wrong.json.errors).toMatchObject([{ path: 'code', code: 'code_wrong' }])
    expect(await subjects()).toEqual([])
    const done = await seller.post(`${OWN}/confirm`, { code: codeFrom(secret) })
    expect(new Set(done.json.recoveryCodes).size).toBe(10)
    expect((await seller.get(OWN)).json).toEqual({ enabled: true, recoveryCodesLeft: 10 })
    expect((await seller.post(OWN, { password })).json.code).toBe('totp_on')
    expect(await subjects()).toEqual(['The second factor is on'])
  })
})

it('ends every other session when it is turned on, with their sockets, but not one that stops halfway', async () => {
  const seller = await confirmed('ola')
  const phone = server.visitor()
  await phone.post('/api/auth/login', { email: 'ola@example.com', password })
  const [here, there] = await socketsOf(seller, phone)
  const { secret } = (await seller.post(OWN, { password })).json
  await seller.post(`${OWN}/confirm`, { code: '000000' })
  expect((await phone.get('/api/auth/me')).status).toBe(200)
  expect((await seller.post(`${OWN}/confirm`, { code: codeFrom(secret) })).status).toBe(200)
  expect(await there?.closed).toBe(1000)
  expect((await phone.get('/api/auth/me')).status).toBe(401)
  expect((await seller.get('/api/user/sessions')).json).toMatchObject([{ current: true }])
  await seller.post('/api/chat/messages', { message: 'Still here' })
  await (await server.staff()).post('/api/admin/chat/reply', { userId: seller.id, message: 'Good' })
  expect(await here?.heard(1)).toMatchObject([{ message: 'Good' }])
})

async function socketsOf(...people: readonly Person[]) {
  const url = await server.listen()
  return Promise.all(people.map(({ cookieHeader }) => LiveClient.open(url, { cookie: cookieHeader ?? '' })))
}

/** Whether a transaction waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await server.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.length > 0
}

describe('signing in', () => {
  it('with any code is refused if the second factor is turned on meanwhile', async () => {
    const seller = await confirmed('uma')
    await seller.post(OWN, { password })
    const lock = await server.pool.connect()
    await lock.query('begin')
    await lock.query('lock table sessions in exclusive mode')
    const signingIn = login('uma@example.com', '000000')
    await expect.poll(isWaiting).toBe(true)
    await lock.query('update second_factors set confirmed_at = now() where account_id = $1', [seller.id])
    await lock.query('commit')
    lock.release()
    expect((await signingIn).json.code).toBe('totp_required')
  })

  it('asks for a code only after the right password, and takes each once', async () => {
    const bea = await secured('bea')
    const asked = await login(bea.email)
    expect(asked).toMatchObject({ status: 401, json: { code: 'totp_required' } })
    expect(asked.headers['set-cookie']).toBeUndefined()
    expect((await login(bea.email, next(bea), 'a wrong password')).json.code).toBe('invalid_credentials')
    expect((await login(bea.email, bea.code)).json.code).toBe('totp_wrong')
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(bea.email, next(bea))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ json }) => json.code === 'totp_wrong')).toHaveLength(4)
  })

  it('takes neither a code nor a recovery code of another seller', async () => {
    const [cleo, dora] = [await secured('cleo'), await secured('dora')]
    expect((await login(cleo.email, next(dora))).json.code).toBe('totp_wrong')
    expect((await login(cleo.email, dora.recoveryCodes[0])).json.code).toBe('totp_wrong')
    expect((await dora.seller.get(OWN)).json.recoveryCodesLeft).toBe(10)
  })

  it('takes each recovery code once, and emails the owner', async () => {
    const { seller, email, recoveryCodes } = await secured('eve')
    const [code = ''] = recoveryCodes
    await accountMails(server)
    expect((await login(email, code.toLowerCase())).status).toBe(200)
    expect((await login(email, code)).json.code).toBe('totp_wrong')
    expect((await seller.get(OWN)).json.recoveryCodesLeft).toBe(9)
    const [mail, ...others] = await accountMails(server)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: email, subject: 'A recovery code was used' })
    expect(mail?.text).toContain('You have 9 left.')
  })

  it('refuses even the right code after ten wrong ones', async () => {
    const fay = await secured('fay')
    for (let tries = 0; tries < 10; tries++)
      expect((await login(fay.email, '000000')).json.code).toBe('totp_wrong')
    const paused = await login(fay.email, next(fay))
    expect(paused.status).toBe(429)
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await stop(fay.seller, { password, code: next(fay) })).status).toBe(429)
    await server.pool.query("update second_factors set failed_at = now() - interval '16 minutes'")
    expect((await login(fay.email, next(fay))).status).toBe(200)
  })

  it('emails the owner about wrong codes, in the language of the account and at most once a day', async () => {
    const [max, other] = [await secured('guessed'), await secured('unguessed')]
    await max.seller.put('/api/user/locale', { locale: 'es' })
    await accountMails(server)
    const guess = async (times: number) => {
      for (let tries = 0; tries < times; tries++) {
        await server.pool.query('update second_factors set failures = 0')
        expect((await login(max.email, '000000')).json.code).toBe('totp_wrong')
      }
    }
    await guess(4)
    await later()
    expect((await login(max.email, codeFrom(max.secret))).status).toBe(200)
    await guess(4)
    await login(other.email, '000000')
    expect(await accountMails(server)).toEqual([])
    // From the sign-in or from the settings, and several at once.
    const more = Array.from({ length: 4 }, () => login(max.email, '000000'))
    await Promise.all([...more, stop(max.seller, { password, code: '000000' })])
    const [mail, ...others] = await accountMails(server)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: max.email,
      subject: 'Se escribieron códigos incorrectos para su cuenta',
    })
    await guess(12)
    expect(await accountMails(server)).toEqual([])
    await server.pool.query("update second_factors set warned_at = now() - interval '25 hours'")
    await guess(1)
    expect((await accountMails(server)).map(({ to }) => to)).toEqual([max.email])
  })

  it('counts as one call, like signing in without it', async () => {
    const limited = await createTestApp({ limits: true })
    const gil = await secured('gil', limited)
    const browser = limited.visitor()
    const signIn = (code?: string) =>
      browser.post('/api/auth/login', { email: gil.email, password, ...(code && { code }) })
    for (let times = 1; times < limitTable.signIn.points; times++) {
      await limited.pool.query('update second_factors set last_step = 0')
      expect((await signIn()).json.code, `${times}`).toBe('totp_required')
      expect((await signIn(codeFrom(gil.secret))).status, `${times}`).toBe(200)
    }
    await signIn()
    expect((await signIn()).status).toBe(429)
  })

  it('needs no code with a passkey', async () => {
    const { seller } = await secured('hal')
    const { device } = await addPasskey(seller, 'seller', password)
    expect((await signInWith(device, server.visitor(), 'seller')).status).toBe(200)
  })

  it('still needs a code after a reset of the password by mail', async () => {
    const ida = await secured('ida')
    await server.visitor().post('/api/auth/forgot-password', { email: ida.email })
    const { token } = mailWithLink(await accountMails(server), '/reset-password')
    const reset = { token, password: 'another good password' }
    expect((await server.visitor().post('/api/auth/reset-password', reset)).status).toBe(200)
    expect((await login(ida.email, undefined, reset.password)).json.code).toBe('totp_required')
    expect((await login(ida.email, next(ida), reset.password)).status).toBe(200)
  })
})

describe('changing a second factor that is on', () => {
  it('replaces the recovery codes with the password and a code', async () => {
    const jon = await secured('jon')
    await accountMails(server)
    const renew = (body: object) => jon.seller.post(`${OWN}/recovery-codes`, body)
    expect((await renew({ password: 'a guess', code: next(jon) })).status).toBe(400)
    expect((await renew({ password, code: '000000' })).status).toBe(400)
    const { status, json } = await renew({ password, code: jon.recoveryCodes[0] })
    expect(status).toBe(200)
    expect((await jon.seller.get(OWN)).json.recoveryCodesLeft).toBe(10)
    expect((await login(jon.email, jon.recoveryCodes[1])).json.code).toBe('totp_wrong')
    expect((await login(jon.email, json.recoveryCodes[1])).status).toBe(200)
    expect(await subjects()).toEqual(['You have new recovery codes', 'A recovery code was used'])
  })

  it('turns it off with the password and a code, and deletes everything', async () => {
    const kim = await secured('kim')
    await accountMails(server)
    expect((await stop(kim.seller, { code: next(kim) })).status).toBe(400)
    expect((await stop(kim.seller, { password: 'a guess', code: next(kim) })).status).toBe(400)
    expect((await stop(kim.seller, { password, code: '000000' })).status).toBe(400)
    await later()
    expect((await stop(kim.seller, { password, code: codeFrom(kim.secret) })).status).toBe(200)
    expect((await kim.seller.get(OWN)).json).toEqual(OFF)
    expect((await login(kim.email)).status).toBe(200)
    expect(await subjects()).toEqual(['The second factor is off'])
    expect((await stop(kim.seller, { password, code: '123456' })).json.code).toBe('totp_off')
  })

  it('ends one that was turned on after a change of the email that is undone', async () => {
    const [early, late] = [await secured('lea'), await confirmed('max')]
    for (const { seller, email } of [early, { seller: late, email: 'max@example.com' }]) {
      await accountMails(server)
      const [name] = email.split('@')
      const changed = { firstName: 'L', lastName: 'L', email: `other-${name}@example.com` }
      await seller.put('/api/user/profile', changed)
      const { token } = mailWithLink(await accountMails(server), '/restore-email')
      if (seller === late) {
        await server.pool.query('update users set verified = true where id = $1', [seller.id])
        const { secret } = (await seller.post(OWN, { password })).json
        await seller.post(`${OWN}/confirm`, { code: codeFrom(secret) })
      }
      expect((await server.visitor().post('/api/auth/restore-email', { token })).status).toBe(200)
    }
    const { rows } = await server.pool.query(
      'select account_id from second_factors where account_id in ($1, $2)',
      [early.seller.id, late.id],
    )
    expect(rows).toEqual([{ account_id: early.seller.id }])
  })

  it('is reset on the command line, which is recorded and emailed to the seller', async () => {
    const { email, seller } = await secured('nia')
    await accountMails(server)
    expect(await runCommand(server.context, 'person', 'reset-totp', email)).toContain(
      'no longer needs a code',
    )
    await expect(runCommand(server.context, 'person', 'reset-totp', 'nia')).rejects.toThrow(
      'no second factor',
    )
    expect((await login(email)).status).toBe(200)
    expect(await subjects()).toEqual(['The second factor is off'])
    const log = await (await server.staff()).get('/api/admin/audit?action=seller.totp_reset')
    expect(log.json).toMatchObject([{ subject: seller.id, details: { by: 'command line' } }])
  })
})
