import { beforeAll, describe, expect, it } from 'vitest'
import { limitTable } from '#server/http/limits/limits.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { codeFrom, fromBase32 } from '#test/authenticator.ts'
import { accountMails, mailWithLink } from '#test/mails.ts'
import { runCommand } from '#test/operator.ts'
import { addPasskey, signInWith } from '#test/passkey.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { someoneWaits, whileAccountIsLocked } from '#test/waiting.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})

interface Login {
  name: string
  password?: string
  code?: string | undefined
  browser?: Person
}

const sides = {
  seller: {
    password: SELLER_PASSWORD,
    me: '/api/auth/me',
    own: '/api/user/second-factor',
    start: '/api/user/second-factor',
    limit: limitTable.signIn,
    label: (name: string) => `${name}@example.com`,
    async join(name: string, app: TestApp) {
      const person = await app.seller(name)
      await app.pool.query('update users set verified = true where id = $1', [person.id])
      return person
    },
    login: ({ name, password, code, browser = server.visitor() }: Login) =>
      browser.post('/api/auth/login', {
        email: `${name}@example.com`,
        password: password ?? SELLER_PASSWORD,
        ...(code !== undefined && { code }),
      }),
    stop: (person: Person, code: string | undefined) =>
      person.send({
        method: 'DELETE',
        url: '/api/user/second-factor',
        payload: { password: SELLER_PASSWORD, code },
      }),
  },
  staff: {
    password: ADMIN_PASSWORD,
    me: '/api/admin/me',
    own: '/api/admin/totp',
    start: '/api/admin/totp/start',
    limit: limitTable.adminSignIn,
    label: (name: string) => name,
    join: (name: string, app: TestApp) => app.staff(name),
    login: ({ name, password, code, browser = server.visitor() }: Login) =>
      browser.post('/api/admin/login', {
        username: name,
        password: password ?? ADMIN_PASSWORD,
        ...(code !== undefined && { code }),
      }),
    stop: (person: Person, code: string | undefined) => person.post('/api/admin/totp/stop', { code }),
  },
}
type Kind = keyof typeof sides
const OFF = { enabled: false, recoveryCodesLeft: 0 }
const LOCKED_OUT = { status: 401, json: { code: 'signed_out' } }

interface Secured {
  readonly name: string
  readonly person: Person
  readonly secret: string
  /** The code that turned it on. */
  readonly code: string
  readonly recoveryCodes: string[]
}

async function secured(kind: Kind, name: string, app = server): Promise<Secured> {
  const { join, start, own, password } = sides[kind]
  const person = await join(name, app)
  const { secret } = (await person.post(start, { password })).json
  const code = codeFrom(secret)
  const { status, json } = await person.post(`${own}/confirm`, { code })
  expect(status).toBe(200)
  return { name, person, secret, code, recoveryCodes: json.recoveryCodes }
}

const next = ({ secret }: Secured) => codeFrom(secret, { stepsAhead: 1 })
const subjects = async () => (await accountMails(server)).map(({ subject }) => subject)
/** Forgets used and wrong codes, as if time had passed. */
const later = () => server.pool.query('update second_factors set last_step = 0, failures = 0')

const whileWaiting = <T>(person: Person, request: () => Promise<T>, change: string) =>
  whileAccountIsLocked(server.pool, person, request, change)

describe.each(['seller', 'staff'] as const)('the second factor of a %s account', (kind) => {
  const { password, me, own, start, limit, label, join, login, stop } = sides[kind]
  const renew = (person: Person, body: object) => person.post(`${own}/recovery-codes`, body)

  describe('while it is set up', () => {
    it('needs the password and a code from the new secret, and shows ten recovery codes once', async () => {
      const ana = await join('ana', server)
      expect((await ana.get(own)).json).toEqual(OFF)
      expect((await ana.post(`${own}/confirm`, { code: '123456' })).json.code).toBe('totp_off')
      for (const body of [{}, { password: '' }, { password: 'a guess' }])
        expect(await ana.post(start, body)).toMatchObject({
          status: 400,
          json: { errors: [{ path: 'password' }] },
        })
      expect((await ana.post(`${own}/confirm`, { code: '123456' })).json.code).toBe('totp_off')
      const { secret, uri } = (await ana.post(start, { password })).json
      expect(secret).toMatch(/^[A-Z2-7]{32}$/)
      expect(decodeURIComponent(uri)).toBe(
        `otpauth://totp/Unspent:${label('ana')}?issuer=Unspent&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
      )
      expect((await login({ name: 'ana' })).status).toBe(200)
      expect((await ana.post(`${own}/confirm`, {})).status).toBe(400)
      const wrong = await ana.post(`${own}/confirm`, { code: '000000' })
      expect(wrong).toMatchObject({ status: 400, json: { errors: [{ path: 'code', code: 'code_wrong' }] } })
      const confirmed = await ana.post(`${own}/confirm`, { code: codeFrom(secret) })
      expect(new Set(confirmed.json.recoveryCodes).size).toBe(10)
      expect((await ana.get(own)).json).toEqual({ enabled: true, recoveryCodesLeft: 10 })
    })

    it('takes neither a code of a replaced secret nor one of another account', async () => {
      const [ben, bob] = [await join('ben', server), await join('bob', server)]
      const replaced = (await ben.post(start, { password })).json.secret
      const others = (await bob.post(start, { password })).json.secret
      await ben.post(start, { password })
      for (const secret of [replaced, others])
        expect((await ben.post(`${own}/confirm`, { code: codeFrom(secret) })).status).toBe(400)
      expect((await ben.get(own)).json).toEqual(OFF)
    })

    it('is turned on by one of several requests with the same code', async () => {
      const cal = await join('cal', server)
      const { secret } = (await cal.post(start, { password })).json
      const confirm = () => cal.post(`${own}/confirm`, { code: codeFrom(secret) })
      const answers = await Promise.all(Array.from({ length: 4 }, confirm))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
      const [{ json } = { json: {} }] = answers.filter(({ status }) => status === 200)
      expect((await login({ name: 'cal', code: json.recoveryCodes[0] })).status).toBe(200)
    })

    it('cannot be replaced once it is on', async () => {
      const { person, secret } = await secured(kind, 'deb')
      expect((await person.post(start, { password })).json.code).toBe('totp_on')
      expect((await person.post(`${own}/confirm`, { code: codeFrom(secret) })).json.code).toBe('totp_on')
    })

    it('ends every other session with their sockets, but not if it stops halfway', async () => {
      const here = await join('eli', server)
      const there = server.visitor()
      await login({ name: 'eli', browser: there })
      const socket = await LiveClient.open(await server.listen(), { cookie: there.cookieHeader })
      const { secret } = (await here.post(start, { password })).json
      await here.post(`${own}/confirm`, { code: '000000' })
      expect((await there.get(me)).status).toBe(200)
      await here.post(`${own}/confirm`, { code: codeFrom(secret) })
      expect(await socket.closed).toBe(1000)
      expect((await there.get(me)).status).toBe(401)
      expect((await here.get(me)).status).toBe(200)
    })

    it('is stored encrypted, and its recovery codes hashed', async () => {
      const { secret, recoveryCodes } = await secured(kind, 'sealed')
      const { rows } = await server.pool.query(
        'select s::text as row from second_factors s union all select r::text from recovery_codes r',
      )
      const stored = JSON.stringify(rows)
      expect(stored).not.toContain(fromBase32(secret).toString('hex'))
      for (const code of recoveryCodes) expect(stored).not.toContain(Buffer.from(code).toString('hex'))
    })
  })

  describe('at sign-in', () => {
    it('asks for a code only after the right password, and takes each once, also at the same time', async () => {
      const bea = await secured(kind, 'bea')
      const asked = await login({ name: 'bea' })
      expect(asked).toMatchObject({ status: 401, json: { code: 'totp_required' } })
      expect(asked.headers['set-cookie']).toBeUndefined()
      const wrong = await login({ name: 'bea', code: next(bea), password: 'a wrong password' })
      expect(wrong.json.code).toBe('invalid_credentials')
      expect((await login({ name: 'bea', code: bea.code })).json.code).toBe('totp_wrong')
      const signIn = () => login({ name: 'bea', code: next(bea) })
      const answers = await Promise.all(Array.from({ length: 5 }, signIn))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ json }) => json.code === 'totp_wrong')).toHaveLength(4)
    })

    it('takes neither a code nor a recovery code of another account', async () => {
      const [cleo, dora] = [await secured(kind, 'cleo'), await secured(kind, 'dora')]
      for (const code of [next(dora), dora.recoveryCodes[0]])
        expect((await login({ name: 'cleo', code })).json.code).toBe('totp_wrong')
      expect((await dora.person.get(own)).json.recoveryCodesLeft).toBe(10)
      expect((await cleo.person.get(me)).status).toBe(200)
    })

    it('takes each recovery code once, also at the same time', async () => {
      const { person, recoveryCodes } = await secured(kind, 'fay')
      const signIn = () => login({ name: 'fay', code: recoveryCodes[0]?.toLowerCase() })
      const answers = await Promise.all(Array.from({ length: 4 }, signIn))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect((await person.get(own)).json.recoveryCodesLeft).toBe(9)
    })

    it('refuses even the right code after ten wrong ones, wherever they were sent', async () => {
      const gil = await secured(kind, 'gil')
      // Each of these refuses after it has counted.
      for (let tries = 0; tries < 4; tries++)
        expect((await login({ name: 'gil', code: '000000' })).json.code).toBe('totp_wrong')
      for (let tries = 0; tries < 3; tries++) {
        expect((await stop(gil.person, '000000')).status).toBe(400)
        expect((await renew(gil.person, { password, code: '000000' })).status).toBe(400)
      }
      const paused = await login({ name: 'gil', code: next(gil) })
      expect(paused.status).toBe(429)
      expect(Number(paused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await stop(gil.person, next(gil))).status).toBe(429)
      expect((await renew(gil.person, { password, code: gil.recoveryCodes[0] })).status).toBe(429)
      await server.pool.query("update second_factors set failed_at = now() - interval '16 minutes'")
      expect((await login({ name: 'gil', code: next(gil) })).status).toBe(200)
    })

    it('counts as one call, like signing in without it', async () => {
      const limited = await createTestApp({ limits: true })
      const hal = await secured(kind, 'hal', limited)
      await limited.pool.query('delete from rate_limits')
      const browser = limited.visitor()
      const signIn = (code?: string) => login({ name: 'hal', code, browser })
      for (let times = 1; times < limit.points; times++) {
        await limited.pool.query('update second_factors set last_step = 0')
        expect((await signIn()).json.code, `${times}`).toBe('totp_required')
        expect((await signIn(codeFrom(hal.secret))).status, `${times}`).toBe(200)
      }
      await signIn()
      expect((await signIn()).status).toBe(429)
    })

    it('is not required while it is off, whatever code is sent', async () => {
      await join('ida', server)
      expect((await login({ name: 'ida', code: '123456' })).status).toBe(200)
    })
  })

  describe('while it is on', () => {
    it('gets new recovery codes for the password and a code, which end the old ones', async () => {
      const jon = await secured(kind, 'jon')
      expect((await renew(jon.person, { password: 'a guess', code: next(jon) })).status).toBe(400)
      expect((await renew(jon.person, { code: next(jon) })).status).toBe(400)
      expect((await renew(jon.person, { password, code: '000000' })).status).toBe(400)
      expect((await renew(jon.person, { password, code: jon.code })).status).toBe(400)
      const both = await Promise.all(
        [1, 2].map(() => renew(jon.person, { password, code: jon.recoveryCodes[0] })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
      const [{ json } = { json: {} }] = both.filter(({ status }) => status === 200)
      expect(new Set([...jon.recoveryCodes, ...json.recoveryCodes]).size).toBe(20)
      expect((await jon.person.get(own)).json.recoveryCodesLeft).toBe(10)
      expect((await login({ name: 'jon', code: jon.recoveryCodes[1] })).json.code).toBe('totp_wrong')
      expect((await login({ name: 'jon', code: json.recoveryCodes[1] })).status).toBe(200)
    })

    it('is turned off by a code that was not used, which deletes everything', async () => {
      const kim = await secured(kind, 'kim')
      for (const code of ['000000', kim.code]) expect((await stop(kim.person, code)).status).toBe(400)
      await later()
      expect((await stop(kim.person, codeFrom(kim.secret, { stepsAhead: -2 }))).status).toBe(400)
      expect((await stop(kim.person, codeFrom(kim.secret))).status).toBe(200)
      expect((await kim.person.get(own)).json).toEqual(OFF)
      expect((await login({ name: 'kim' })).status).toBe(200)
      expect((await stop(kim.person, '123456')).json.code).toBe('totp_off')
      expect((await renew(kim.person, { password, code: '123456' })).json.code).toBe('totp_off')
    })

    it('is turned off by a recovery code', async () => {
      const { person, recoveryCodes } = await secured(kind, 'leo')
      expect((await stop(person, recoveryCodes[3])).status).toBe(200)
    })
  })

  it('does not change for a session of the other kind, nor for a page of another site', async () => {
    const mia = await secured(kind, 'mia')
    const other = sides[kind === 'seller' ? 'staff' : 'seller']
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    for (const [path, body] of [
      ['start', { password }],
      ['confirm', { code: next(mia) }],
      ['recovery-codes', { password, code: next(mia) }],
    ] as const) {
      const url = path === 'start' ? start : `${own}/${path}`
      expect(await mia.person.post(url, body, elsewhere)).toMatchObject({
        status: 403,
        json: { code: 'cross_site' },
      })
      const others = path === 'start' ? other.start : `${other.own}/${path}`
      expect(await mia.person.post(others, body)).toMatchObject(LOCKED_OUT)
    }
    expect(await other.stop(mia.person, next(mia))).toMatchObject(LOCKED_OUT)
    expect((await mia.person.get(own)).json).toEqual({ enabled: true, recoveryCodesLeft: 10 })
  })

  it('does not change for a request whose session ends while it waits', async () => {
    const ned = await join('ned', server)
    const endSessions = 'delete from sessions where $1 in (user_id, administrator_id)'
    expect(await whileWaiting(ned, () => ned.post(start, { password }), endSessions)).toMatchObject(
      LOCKED_OUT,
    )
    const again = server.visitor()
    await login({ name: 'ned', browser: again })
    again.id = ned.id
    const add = () => addPasskey(again, kind, password)
    expect((await whileWaiting(again, add, endSessions)).answer).toMatchObject(LOCKED_OUT)
    const { rows } = await server.pool.query(
      `select account_id from second_factors where account_id = $1
       union all select id from passkeys where $1 in (user_id, administrator_id)`,
      [ned.id],
    )
    expect(rows).toEqual([])
  })
})

describe('a seller', () => {
  const { own, password, join, login, stop } = sides.seller
  const guessAt = ({ name }: Secured) => login({ name, code: '000000' })

  it('needs a confirmed address, and is emailed about each change', async () => {
    const seller = await server.seller('pia')
    await accountMails(server)
    expect((await seller.post(own, { password })).json.code).toBe('email_unconfirmed')
    await server.pool.query('update users set verified = true where id = $1', [seller.id])
    const { secret } = (await seller.post(own, { password })).json
    await seller.post(`${own}/confirm`, { code: '000000' })
    expect(await subjects()).toEqual([])
    const { recoveryCodes } = (await seller.post(`${own}/confirm`, { code: codeFrom(secret) })).json
    expect(await subjects()).toEqual(['The second factor is on'])
    const [first, second] = recoveryCodes
    await seller.post(`${own}/recovery-codes`, { password, code: first })
    expect(await subjects()).toEqual(['You have new recovery codes'])
    await later()
    expect((await stop(seller, second)).status).toBe(400)
    const wrong = { code: codeFrom(secret), password: 'a guess' }
    expect((await seller.send({ method: 'DELETE', url: own, payload: wrong })).status).toBe(400)
    expect((await stop(seller, codeFrom(secret))).status).toBe(200)
    expect(await subjects()).toEqual(['The second factor is off'])
  })

  it('is emailed about a used recovery code', async () => {
    const { recoveryCodes } = await secured('seller', 'eve')
    await accountMails(server)
    expect((await login({ name: 'eve', code: recoveryCodes[0] })).status).toBe(200)
    const [mail, ...others] = await accountMails(server)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'eve@example.com', subject: 'A recovery code was used' })
    expect(mail?.text).toContain('You have 9 left.')
  })

  it('with any code is refused if the second factor is turned on meanwhile', async () => {
    const seller = await join('uma', server)
    await seller.post(own, { password })
    const lock = await server.pool.connect()
    await lock.query('begin')
    await lock.query('lock table sessions in exclusive mode')
    const signingIn = login({ name: 'uma', code: '000000' })
    await expect.poll(() => someoneWaits(server.pool)).toBe(true)
    await lock.query('update second_factors set confirmed_at = now() where account_id = $1', [seller.id])
    await lock.query('commit')
    lock.release()
    expect((await signingIn).json.code).toBe('totp_required')
  })

  it('emails the owner about wrong codes, in the language of the account and at most once a day', async () => {
    const [max, other] = [await secured('seller', 'guessed'), await secured('seller', 'unguessed')]
    await max.person.put('/api/user/locale', { locale: 'es' })
    await accountMails(server)
    const guess = async (times: number) => {
      for (let tries = 0; tries < times; tries++) {
        await server.pool.query('update second_factors set failures = 0')
        expect((await guessAt(max)).json.code).toBe('totp_wrong')
      }
    }
    await guess(4)
    await later()
    expect((await login({ name: 'guessed', code: codeFrom(max.secret) })).status).toBe(200)
    await guess(4)
    await guessAt(other)
    expect(await accountMails(server)).toEqual([])
    // From the sign-in or from the settings, and several at once.
    const more = Array.from({ length: 4 }, () => guessAt(max))
    await Promise.all([...more, stop(max.person, '000000')])
    const [mail, ...others] = await accountMails(server)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: 'guessed@example.com',
      subject: 'Se escribieron códigos incorrectos para su cuenta',
    })
    await guess(12)
    expect(await accountMails(server)).toEqual([])
    await server.pool.query("update second_factors set warned_at = now() - interval '25 hours'")
    await guess(1)
    expect((await accountMails(server)).map(({ to }) => to)).toEqual(['guessed@example.com'])
  })

  it('needs no code with a passkey', async () => {
    const { person } = await secured('seller', 'hal')
    const { device } = await addPasskey(person, 'seller', password)
    expect((await signInWith(device, server.visitor(), 'seller')).status).toBe(200)
  })

  it('still needs a code after a reset of the password by mail', async () => {
    const ivy = await secured('seller', 'ivy')
    const email = 'ivy@example.com'
    await server.visitor().post('/api/auth/forgot-password', { email })
    const { token } = mailWithLink(await accountMails(server), '/reset-password')
    const reset = { token, password: 'another good password' }
    const again = { name: 'ivy', password: reset.password }
    expect((await server.visitor().post('/api/auth/reset-password', reset)).status).toBe(200)
    expect((await login(again)).json.code).toBe('totp_required')
    expect((await login({ ...again, code: next(ivy) })).status).toBe(200)
  })

  it('ends one that was turned on after a change of the email that is undone', async () => {
    const [early, late] = [(await secured('seller', 'lea')).person, await join('max', server)]
    for (const [name, seller] of [
      ['lea', early],
      ['max', late],
    ] as const) {
      await accountMails(server)
      const changed = { firstName: 'L', lastName: 'L', email: `other-${name}@example.com` }
      await seller.put('/api/user/profile', changed)
      const { token } = mailWithLink(await accountMails(server), '/restore-email')
      if (seller === late) {
        await server.pool.query('update users set verified = true where id = $1', [seller.id])
        const { secret } = (await seller.post(own, { password })).json
        await seller.post(`${own}/confirm`, { code: codeFrom(secret) })
      }
      expect((await server.visitor().post('/api/auth/restore-email', { token })).status).toBe(200)
    }
    const { rows } = await server.pool.query(
      'select account_id from second_factors where account_id in ($1, $2)',
      [early.id, late.id],
    )
    expect(rows).toEqual([{ account_id: early.id }])
  })

  it('is reset on the command line, which is recorded and emailed to the seller', async () => {
    const { person } = await secured('seller', 'nia')
    const email = 'nia@example.com'
    await accountMails(server)
    expect(await runCommand(server.context, 'person', 'reset-totp', email)).toContain(
      'no longer needs a code',
    )
    await expect(runCommand(server.context, 'person', 'reset-totp', 'nia')).rejects.toThrow(
      'no second factor',
    )
    expect((await login({ name: 'nia' })).status).toBe(200)
    expect(await subjects()).toEqual(['The second factor is off'])
    const log = await (await server.staff()).get('/api/admin/audit?action=seller.totp_reset')
    expect(log.json).toMatchObject([{ subject: person.id, details: { by: 'command line' } }])
  })
})

describe('an administrator', () => {
  const { own, password, join, login, stop } = sides.staff

  it('changes it in view of the audit log', async () => {
    const { person, secret, recoveryCodes } = await secured('staff', 'ora')
    await person.post(`${own}/recovery-codes`, { password, code: recoveryCodes[0] })
    await later()
    expect((await stop(person, codeFrom(secret))).status).toBe(200)
    const log = await person.get('/api/admin/audit?subject=ora&limit=4')
    expect(log.json).toMatchObject([
      { action: 'admin.totp_stopped', actor: 'ora', details: {} },
      { action: 'admin.totp_renewed', actor: 'ora', details: {} },
      { action: 'admin.totp_started', actor: 'ora', details: {} },
      { action: 'admin.signed_in' },
    ])
  })

  it('emails an administrator who has an address about wrong codes, in English', async () => {
    const [ivy, jan] = [await secured('staff', 'ivy'), await secured('staff', 'jan')]
    await server.pool.query("update administrators set email = 'ivy@example.com' where username = 'ivy'")
    await accountMails(server)
    for (let tries = 0; tries < 5; tries++) {
      for (const name of ['ivy', 'jan'])
        expect((await login({ name, code: '000000' })).json.code).toBe('totp_wrong')
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

  it('leaves each step of a sign-in in the audit log', async () => {
    const { person, recoveryCodes } = await secured('staff', 'lou')
    await login({ name: 'lou' })
    await login({ name: 'lou', code: '000000' })
    await server.pool.query('update second_factors set failures = 10, failed_at = now()')
    await login({ name: 'lou', code: '000000' })
    await later()
    await login({ name: 'lou', code: recoveryCodes[0] })
    const log = await person.get('/api/admin/audit?subject=lou&limit=4')
    expect(log.json).toMatchObject([
      { actor: 'lou', action: 'admin.signed_in', details: { factor: 'recovery code' } },
      { actorKind: 'visitor', action: 'admin.sign_in_refused', details: { factor: 'paused' } },
      { actorKind: 'visitor', action: 'admin.sign_in_refused', details: { factor: 'wrong' } },
      { actorKind: 'visitor', action: 'admin.code_asked', details: {} },
    ])
  })

  it('who is disabled during a sign-in has no session when enabled again', async () => {
    const eve = await join('evan', server)
    const browser = server.visitor()
    const disable = 'update administrators set disabled_at = now() where id = $1'
    const answer = await whileWaiting(eve, () => login({ name: 'evan', browser }), disable)
    expect(answer).toMatchObject({ status: 401, json: { code: 'invalid_credentials' } })
    await server.pool.query('update administrators set disabled_at = null where id = $1', [eve.id])
    expect((await browser.get('/api/admin/me')).status).toBe(401)
  })
})
