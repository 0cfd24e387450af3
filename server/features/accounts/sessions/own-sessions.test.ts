import { beforeAll, expect, it } from 'vitest'
import { SIGNED_IN_COOKIE } from '#contract/accounts.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'

let server: TestApp
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller('sasha')
  await server.seller('somebody-else')
})

async function elsewhere(userAgent: string): Promise<Person> {
  const person = server.visitor()
  const credentials = { email: 'sasha@example.com', password: 'a quite good password' }
  await person.post('/api/auth/login', credentials, { 'user-agent': userAgent })
  return person
}

it("lists the seller's sessions without anything that gives access to one", async () => {
  const phone = await elsewhere('A phone')
  const { status, json, text } = await seller.get('/api/user/sessions')
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
  for (const [name, token] of [...seller.cookies, ...phone.cookies])
    if (name !== SIGNED_IN_COOKIE) expect(text).not.toContain(token)
  const cookie = `unspent_session=${json[0].id}`
  expect((await server.visitor().get('/api/auth/me', { cookie })).status).toBe(401)
  await phone.post('/api/auth/logout')
})

it("ends the seller's other sessions and their sockets, but nobody else's", async () => {
  const stranger = await server.seller('stranger')
  const url = await server.listen()
  const others = [await elsewhere('A phone'), await elsewhere('A library')]
  const sockets = await Promise.all(
    others.map((person) => LiveClient.open(url, { cookie: person.cookieHeader })),
  )
  const answer = await seller.delete('/api/user/sessions')
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({ message: 'Signed out everywhere else', endedCount: 2 })
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1000, 1000])
  for (const person of others) expect((await person.get('/api/auth/me')).status).toBe(401)
  for (const person of [seller, stranger]) expect((await person.get('/api/auth/me')).status).toBe(200)
  expect((await seller.get('/api/user/sessions')).json).toHaveLength(1)
  expect((await seller.delete('/api/user/sessions')).json.endedCount).toBe(0)
})

it('ends more sessions than fit into one notification', async () => {
  await server.pool.query(
    `insert into sessions (sid, user_id, sess, expire)
     select repeat('x', 40) || n, $1, '{"createdAt": "2026-01-01T00:00:00.000Z"}', now() + interval '1 day'
     from generate_series(100, 599) n`,
    [seller.id],
  )
  expect((await seller.get('/api/user/sessions')).json).toHaveLength(200)
  expect((await seller.delete('/api/user/sessions')).json.endedCount).toBe(500)
})
