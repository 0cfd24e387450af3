import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { buildApp } from '#server/app.ts'
import { deleteExpiredSessions, Sessions } from '#server/features/accounts/sessions/sessions.ts'
import { tidy } from '#server/housekeeping.ts'
import { noLimits } from '#server/http/limits/limits.ts'
import { Sockets } from '#server/platform/live/sockets.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { accountMails, mailWithLink } from '../mails.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '../people.ts'
import { Person } from '../person.ts'
import { signedInStaff } from '../signed-in.ts'
import { LiveClient } from '../socket.ts'
import { callOf, type RouteName, requestFor } from './calls.ts'

const NEW_PASSWORD = 'an even better password'
const names = Object.keys(routes) as RouteName[]
let server: TestApp
let url: string
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  url = await server.listen()
})
beforeEach(async () => {
  seller = await server.seller()
})

const signIn = (person: Person, password = SELLER_PASSWORD) =>
  person.post('/api/auth/login', { email: seller.email, password })

/** A browser with a copy of a person's current cookies. */
function copyOf(person: Person): Person {
  const copy = server.visitor()
  for (const [name, value] of person.cookies) copy.cookies.set(name, value)
  return copy
}

/** Expects every route for signed-in people and the live channel to refuse this person. */
async function expectLockedOut(person: Person, access: Route['access'] = 'seller'): Promise<void> {
  for (const name of names) {
    if (routes[name].access !== access) continue
    const call = callOf(name)
    if (!call) throw new Error(`add ${name} to calls.ts`)
    const request = await requestFor(name, call, '01890000-0000-7000-8000-000000000000')
    expect((await copyOf(person).send(request)).status, name).toBe(401)
  }
  await expect(LiveClient.open(url, { cookie: person.cookieHeader })).rejects.toThrow('401')
}

describe('a session token', () => {
  it('planted in a browser by a thief does not become the signed-in one', async () => {
    const thief = await server.seller()
    const made = copyOf(thief)
    made.cookies.set('unspent_session', 'x'.repeat(43))
    for (const planted of [made, copyOf(thief)]) {
      const before = planted.cookies.get('unspent_session')
      expect((await signIn(planted)).status).toBe(200)
      expect(planted.cookies.get('unspent_session')).not.toBe(before)
      const later = server.visitor()
      later.cookies.set('unspent_session', before ?? '')
      expect((await later.get('/api/auth/me')).status).toBe(401)
    }
  })

  it('is new at every sign-in, which ends the old one', async () => {
    const before = copyOf(seller)
    await signIn(seller)
    await expectLockedOut(before)
  })

  it('is refused after signing out, and its open socket closed', async () => {
    const copy = copyOf(seller)
    const socket = await LiveClient.open(url, { cookie: copy.cookieHeader })
    await seller.post('/api/auth/logout')
    expect(await socket.closed).toBe(1000)
    await expectLockedOut(copy)
  })

  it('of staff is refused after signing out', async () => {
    const staff = await server.staff()
    const copy = copyOf(staff)
    const socket = await LiveClient.open(url, { cookie: copy.cookieHeader })
    await staff.post('/api/admin/logout')
    expect(await socket.closed).toBe(1000)
    await expectLockedOut(copy, 'use_account')
  })

  const changes: Record<string, () => Promise<unknown>> = {
    'changing the password': async () => {
      const other = server.visitor()
      await signIn(other)
      return other.put('/api/user/password', { currentPassword: SELLER_PASSWORD, newPassword: NEW_PASSWORD })
    },
    'setting a new password with an emailed link': async () => {
      await server.visitor().post('/api/auth/forgot-password', { email: seller.email })
      const { token } = mailWithLink(await accountMails(server), '/reset-password')
      return server.visitor().post('/api/auth/reset-password', { token, password: NEW_PASSWORD })
    },
    'undoing a change of the email address': async () => {
      await seller.put('/api/user/profile', { firstName: 'T', lastName: 'T', email: `thief-${seller.email}` })
      const { token } = mailWithLink(await accountMails(server), '/restore-email')
      return server.visitor().post('/api/auth/restore-email', { token })
    },
    'signing out everywhere else': async () => {
      const other = server.visitor()
      await signIn(other)
      return other.delete('/api/user/sessions')
    },
  }
  it.each(Object.entries(changes))('is refused after %s, and its open socket closed', async (_, change) => {
    const copy = copyOf(seller)
    const socket = await LiveClient.open(url, { cookie: copy.cookieHeader })
    expect(await change()).toMatchObject({ status: 200 })
    expect(await socket.closed).toBe(1000)
    await expectLockedOut(copy)
  })

  it.each([
    ['changing the password', 'put', '/api/admin/password'],
    ['signing out everywhere else', 'delete', '/api/admin/sessions'],
  ] as const)('of staff is refused after %s, and its open socket closed', async (_, method, path) => {
    const copy = copyOf(await server.staff(`sue-${method}`))
    const socket = await LiveClient.open(url, { cookie: copy.cookieHeader })
    const other = await server.staff(`sue-${method}`)
    const body = { currentPassword: ADMIN_PASSWORD, newPassword: NEW_PASSWORD }
    expect(await other[method](path, body)).toMatchObject({ status: 200 })
    expect(await socket.closed).toBe(1000)
    await expectLockedOut(copy, 'use_account')
  })

  it('is refused after it expires, and its open socket closed', async () => {
    const socket = await LiveClient.open(url, { cookie: seller.cookieHeader })
    await server.pool.query("update sessions set expire = now() - interval '1 second' where user_id = $1", [
      seller.id,
    ])
    await expectLockedOut(seller)
    await tidy(server.context, { eraseAfterDays: 90 })
    expect(await socket.closed).toBe(1000)
  })

  it('is refused on the other side, and so is the hash that the database stores', async () => {
    const staff = await server.staff()
    const swapped = server.visitor()
    swapped.cookies.set('unspent_session', staff.cookies.get('unspent_staff') ?? '')
    swapped.cookies.set('unspent_staff', seller.cookies.get('unspent_session') ?? '')
    const { rows } = await server.pool.query('select sid from sessions where user_id = $1', [seller.id])
    const reader = server.visitor()
    reader.cookies.set('unspent_session', rows[0].sid)
    for (const thief of [swapped, reader]) {
      expect((await thief.get('/api/auth/me')).status).toBe(401)
      expect((await thief.get('/api/admin/me')).status).toBe(401)
    }
  })
})

describe('a session of staff', () => {
  /** Moves all staff sessions into the past. */
  const later = (minutes: number) =>
    server.pool.query(
      `update sessions set expire = expire - make_interval(mins => $1), ends_at = ends_at - make_interval(mins => $1)
       where administrator_id is not null`,
      [minutes],
    )
  const statusOf = async (staff: Person, headers?: Record<string, string>) =>
    (await staff.get('/api/admin/me', headers)).status

  it('lasts while it is used, for at most 12 hours', async () => {
    const staff = await server.staff()
    for (let minutes = 0; minutes < 12 * 60 - 29; minutes += 29) {
      await later(29)
      expect(await statusOf(staff)).toBe(200)
    }
    await later(29)
    await expectLockedOut(staff, 'use_account')
  })

  it('ends after 30 minutes on an unattended page, and its socket closes', async () => {
    const staff = await server.staff()
    await later(20)
    expect(await statusOf(staff, { 'x-unattended': '1' })).toBe(200)
    const socket = await LiveClient.open(url, { cookie: staff.cookieHeader })
    await later(11)
    await expectLockedOut(staff, 'use_account')
    await deleteExpiredSessions(server.db)
    expect(await socket.closed).toBe(1000)
  })

  it('lasts as long as the settings say', async () => {
    const { context } = server
    const staffSessions = { hours: 1, idleMinutes: 5 }
    const app = await buildApp({
      context,
      limits: noLimits,
      sockets: new Sockets(),
      trustProxy: false,
      staffSessions,
    })
    const staff = await signedInStaff(new Person(app))
    for (let minutes = 0; minutes < 56; minutes += 4) {
      await later(4)
      expect(await statusOf(staff)).toBe(200)
    }
    await later(4)
    expect(await statusOf(staff)).toBe(401)
    await app.close()
  })
})

describe('a session that ends during the handshake of the live channel', () => {
  it('leaves no socket open', async () => {
    const find = Sessions.prototype.seller
    const handled = vi.spyOn(Sockets.prototype, 'handle')
    const late = vi.spyOn(Sessions.prototype, 'seller').mockImplementationOnce(async function (
      this: Sessions,
      request,
    ) {
      const found = await find.call(this, request)
      await seller.post('/api/auth/logout')
      // Waits until the end of the session was announced, before the socket exists.
      await expect.poll(() => handled.mock.calls.some(([event]) => 'end' in event)).toBe(true)
      return found
    })
    const socket = await LiveClient.open(url, { cookie: seller.cookieHeader })
    expect(await socket.closed).toBe(1000)
    late.mockRestore()
    handled.mockRestore()
  })
})

describe('on https', () => {
  it('cookies are bound to the host and sent over https only', async () => {
    const context = { ...server.context, site: { ...server.context.site, https: true } }
    const app = await buildApp({ context, limits: noLimits, sockets: new Sockets(), trustProxy: false })
    const answer = await signIn(new Person(app))
    const cookies = [answer.headers['set-cookie']].flat().map(String)
    const [readable, ...secret] = cookies.sort(
      (a, b) => Number(a.startsWith('__Host')) - Number(b.startsWith('__Host')),
    )
    expect(readable).toMatch(/^unspent_signed_in=en; Max-Age=\d+; Path=\/; Secure; SameSite=Strict$/)
    expect(secret).toHaveLength(2)
    for (const cookie of secret) {
      expect(cookie).toMatch(/^__Host-unspent_\w+=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    }
    await app.close()
  })
})
