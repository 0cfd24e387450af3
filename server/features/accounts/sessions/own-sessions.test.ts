import { beforeAll, describe, expect, it } from 'vitest'
import { SIGNED_IN_COOKIE } from '#contract/accounts.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
  await server.seller('somebody-else')
  await server.staff('somebody-else')
})

const sides = {
  seller: {
    own: '/api/user/sessions',
    me: '/api/auth/me',
    logout: '/api/auth/logout',
    cookie: 'unspent_session',
    column: 'user_id',
    idleSeconds: 30 * 24 * 3600,
    join: (name: string) => server.seller(name),
    login: { path: '/api/auth/login', body: { email: 'sasha@example.com', password: SELLER_PASSWORD } },
  },
  staff: {
    own: '/api/admin/sessions',
    me: '/api/admin/me',
    logout: '/api/admin/logout',
    cookie: 'unspent_staff',
    column: 'administrator_id',
    idleSeconds: 30 * 60,
    join: (name: string) => server.staff(name, 'support'),
    login: { path: '/api/admin/login', body: { username: 'sasha', password: ADMIN_PASSWORD } },
  },
}

describe.each(['seller', 'staff'] as const)('the sessions of a %s account', (kind) => {
  const { own, me, logout, cookie, column, idleSeconds, join, login } = sides[kind]
  let person: Person
  beforeAll(async () => {
    person = await join('sasha')
  })

  async function elsewhere(userAgent: string): Promise<Person> {
    const other = server.visitor()
    await other.post(login.path, login.body, { 'user-agent': userAgent })
    return other
  }

  it('are listed without anything that gives access to one', async () => {
    const phone = await elsewhere('A phone')
    const { status, json, text } = await person.get(own)
    expect(status).toBe(200)
    expect(json).toMatchObject([
      { current: false, userAgent: 'A phone' },
      { current: true, userAgent: 'lightMyRequest' },
    ])
    for (const { createdAt, lastSeen, expire } of json) {
      expect(Date.parse(lastSeen)).toBeGreaterThanOrEqual(Date.parse(createdAt))
      expect(Date.parse(lastSeen)).toBeLessThanOrEqual(Date.now() + 1000)
      expect(Date.parse(expire)).toBeGreaterThan(Date.now())
    }
    const { rows } = await server.pool.query('select sid from sessions')
    for (const { sid } of rows) expect(text).not.toContain(sid)
    for (const [name, token] of [...person.cookies, ...phone.cookies])
      if (name !== SIGNED_IN_COOKIE) expect(text).not.toContain(token)
    const made = `${cookie}=${json[0].id}`
    expect((await server.visitor().get(me, { cookie: made })).status).toBe(401)
    await phone.post(logout)
  })

  it('were last used when they were last extended', async () => {
    const used = new Date(Date.now() - 60_000)
    await server.pool.query(
      `update sessions set expire = $2::timestamptz + make_interval(secs => $3),
         sess = sess || '{"createdAt": "2026-01-01T00:00:00.000Z"}'
       where ${column} = $1`,
      [person.id, used, idleSeconds],
    )
    // Nobody uses it, so that the call does not extend it.
    const { json } = await person.get(own, { 'x-unattended': '1' })
    expect(json).toMatchObject([{ current: true, lastSeen: used.toISOString() }])
  })

  it('are extended by use after five minutes', async () => {
    await server.pool.query(
      `update sessions set expire = now() + make_interval(secs => $2) where ${column} = $1`,
      [person.id, idleSeconds - 310],
    )
    await person.get(me)
    const [{ lastSeen }] = (await person.get(own)).json
    expect(Date.now() - Date.parse(lastSeen)).toBeLessThan(300_000)
  })

  it("end except this one, with their sockets, but nobody else's", async () => {
    const stranger = await join('stranger')
    const url = await server.listen()
    const others = [await elsewhere('A phone'), await elsewhere('A library')]
    const sockets = await Promise.all(
      others.map((other) => LiveClient.open(url, { cookie: other.cookieHeader })),
    )
    const answer = await person.delete(own)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ message: 'Signed out everywhere else', endedCount: 2 })
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1000, 1000])
    for (const other of others) expect((await other.get(me)).status).toBe(401)
    for (const one of [person, stranger]) expect((await one.get(me)).status).toBe(200)
    expect((await person.get(own)).json).toHaveLength(1)
    expect((await person.delete(own)).json.endedCount).toBe(0)
  })

  it('end even if they do not fit into one notification', async () => {
    await server.pool.query(
      `insert into sessions (sid, ${column}, sess, expire)
       select repeat('x', 40) || n, $1, '{"createdAt": "2026-01-01T00:00:00.000Z"}', now() + interval '1 day'
       from generate_series(100, 599) n`,
      [person.id],
    )
    expect((await person.get(own)).json).toHaveLength(200)
    expect((await person.delete(own)).json.endedCount).toBe(500)
  })
})
