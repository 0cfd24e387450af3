import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails, tokenIn } from '#test/mails.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'

const OLD = 'a quite good password'
const NEW = 'an even better password'
let server: TestApp
let url: string
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  url = await server.listen()
})
beforeEach(async () => {
  seller = await server.seller()
  await accountMails(server)
})

const signIn = (password: string, person = server.visitor()) =>
  person.post('/api/auth/login', { email: seller.email, password })
const forgot = (address = seller.email) =>
  server.visitor().post('/api/auth/forgot-password', { email: address })
const reset = (token: string, password = NEW, person = server.visitor()) =>
  person.post('/api/auth/reset-password', { token, password })

async function mailedToken(): Promise<string> {
  await forgot()
  const [mail] = await accountMails(server)
  return tokenIn(mail)
}

describe('a forgotten password', () => {
  it('gets the same answer for any address, but only accounts get an email', async () => {
    const known = await forgot(seller.email.toUpperCase())
    const unknown = await forgot('nobody@example.com')
    expect(known.status).toBe(200)
    expect([unknown.status, unknown.text]).toEqual([200, known.text])
    const mails = await accountMails(server)
    expect(mails.map(({ to }) => to)).toEqual([seller.email])
    expect(mails[0]?.text).toContain(`http://localhost/reset-password?token=${tokenIn(mails[0])}`)
    expect((await forgot('nobody')).status).toBe(400)
  })

  it('can be reset by the link, which ends all sessions and sockets and emails the owner', async () => {
    const socket = await LiveClient.open(url, { cookie: seller.cookieHeader })
    const answer = await reset(await mailedToken())
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ message: 'Your password was changed. Please sign in.' })
    expect(await socket.closed).toBe(1000)
    expect((await seller.get('/api/auth/me')).status).toBe(401)
    expect((await signIn(OLD)).status).toBe(401)
    expect((await signIn(NEW)).status).toBe(200)
    expect((await accountMails(server)).map(({ subject }) => subject)).toEqual(['Your password was changed'])
  })

  it('can be reset once with a link, even by ten concurrent requests', async () => {
    const token = await mailedToken()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => reset(token, `${NEW} ${index}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await signIn(`${NEW} ${winner}`)).status).toBe(200)
    const late = await reset(token)
    expect(late.json.errors).toEqual([
      {
        path: 'token',
        message: 'This link has already been used or has expired. Please ask for a new one.',
        code: 'reset_link_used',
      },
    ])
  })

  it('leaves the link usable if the new password is refused', async () => {
    const token = await mailedToken()
    for (const password of ['short', 'password123']) {
      const answer = await reset(token, password)
      expect([answer.status, answer.json.errors[0].path]).toEqual([400, 'password'])
    }
    expect((await reset(token)).status).toBe(200)
  })

  it('cannot be reset by a link that is older than an hour', async () => {
    const token = await mailedToken()
    const { rows } = await server.pool.query(
      "select extract(epoch from expires_at - now())::int as seconds from account_tokens where user_id = $1 and purpose = 'reset_password'",
      [seller.id],
    )
    expect(rows[0].seconds).toBeGreaterThan(3590)
    expect(rows[0].seconds).toBeLessThanOrEqual(3600)
    await server.pool.query('update account_tokens set expires_at = now() where user_id = $1', [seller.id])
    expect((await reset(token)).status).toBe(400)
  })

  it('leaves no token in the database, nor anything to derive it from', async () => {
    const token = await mailedToken()
    const { rows } = await server.pool.query(
      "select string_agg(t::text, ' ') || (select string_agg(j::text, ' ') from jobs j) as dump from account_tokens t",
    )
    expect(rows[0].dump).not.toContain(token)
    for (const found of rows[0].dump.match(/[\w-]{20,}/g)) expect((await reset(found)).status).toBe(400)
  })

  it('does not flood a mailbox', async () => {
    for (let asked = 0; asked < 8; asked++) await forgot()
    expect(await accountMails(server)).toHaveLength(5)
  })
})
