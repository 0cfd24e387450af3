import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { limitTable } from '#server/http/limits/limits.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails, mailWithLink } from '#test/mails.ts'
import { runCommand } from '#test/operator.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '#test/people.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { whileAccountIsLocked } from '#test/waiting.ts'

const NEW = 'an even better password'
let server: TestApp
let url: string
let count = 0
let name: string
beforeAll(async () => {
  server = await createTestApp()
  url = await server.listen()
})
beforeEach(() => {
  count += 1
  name = `pat${count}`
})

const sides = {
  seller: {
    old: SELLER_PASSWORD,
    own: '/api/user',
    me: '/api/auth/me',
    logout: '/api/auth/logout',
    join: (app: TestApp) => app.seller(name),
    signIn: (password: string, person: Person = server.visitor()) =>
      person.post('/api/auth/login', { email: `${name}@example.com`, password }),
  },
  staff: {
    old: ADMIN_PASSWORD,
    own: '/api/admin',
    me: '/api/admin/me',
    logout: '/api/admin/logout',
    join: (app: TestApp) => app.staff(name, 'support'),
    signIn: (password: string, person: Person = server.visitor()) =>
      person.post('/api/admin/login', { username: name, password }),
  },
}
type Kind = keyof typeof sides
const SIGNED_OUT = { status: 401, json: { code: 'signed_out' } }
const statuses = (answers: TestAnswer[]) => answers.map(({ status }) => status).sort()

function change(kind: Kind, person: Person, currentPassword: string, newPassword = NEW) {
  return person.put(`${sides[kind].own}/password`, { currentPassword, newPassword })
}

describe.each(['seller', 'staff'] as const)('changing the password of a %s account', (kind) => {
  const { old, own, me, logout, join, signIn } = sides[kind]
  let person: Person
  beforeEach(async () => {
    person = await join(server)
  })

  async function elsewhere(): Promise<Person> {
    const other = server.visitor()
    expect((await signIn(old, other)).status).toBe(200)
    return other
  }

  it('accepts only the new password, and ends the other sessions and their sockets', async () => {
    const other = await elsewhere()
    const socket = await LiveClient.open(url, { cookie: other.cookieHeader })
    const ownSocket = await LiveClient.open(url, { cookie: person.cookieHeader })
    expect((await change(kind, person, old)).status).toBe(200)
    expect(await socket.closed).toBe(1000)
    expect((await other.get(me)).status).toBe(401)
    expect((await person.get(me)).status).toBe(200)
    expect((await signIn(old)).status).toBe(401)
    expect((await signIn(NEW)).status).toBe(200)
    // This session's socket is still open and ends only now, by signing out.
    await person.post(logout)
    expect(await ownSocket.closed).toBe(1000)
  })

  it('needs the current password', async () => {
    const answer = await change(kind, person, 'wrong')
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toEqual([
      { path: 'currentPassword', message: 'Current password is incorrect', code: 'current_password_wrong' },
    ])
    expect((await signIn(old)).status).toBe(200)
  })

  it.each(['', 'short', 'password123', 'x'.repeat(129)])(
    'refuses the new password %.20j',
    async (password) => {
      const answer = await change(kind, person, old, password)
      expect(answer.status).toBe(400)
      expect(answer.json.errors[0].path).toBe('newPassword')
    },
  )

  it('succeeds for one of two concurrent requests', async () => {
    const answers = await Promise.all([
      change(kind, person, old),
      change(kind, person, old, 'yet another password'),
    ])
    expect(statuses(answers)).toEqual([200, 400])
  })

  it('succeeds in one of two browsers, and signs the other out', async () => {
    const both = [person, await elsewhere()]
    const answers = await Promise.all(both.map((browser) => change(kind, browser, old)))
    // The slower one has been signed out, or read the account just after the other had changed it.
    expect(statuses(answers)).toEqual([200, expect.toBeOneOf([400, 401])])
    expect(statuses(await Promise.all(both.map((browser) => browser.get(me))))).toEqual([200, 401])
  })

  it('ends a sign-in that checked the old password just before', async () => {
    const { passwords } = server.context
    const matches = passwords.matches.bind(passwords)
    const late = vi.spyOn(passwords, 'matches').mockImplementationOnce(async (hash, password) => {
      const right = await matches(hash, password)
      expect((await change(kind, person, old)).status).toBe(200)
      return right
    })
    const thief = server.visitor()
    expect((await signIn(old, thief)).status).toBe(401)
    late.mockRestore()
    expect((await thief.get(me)).status).toBe(401)
    expect((await person.get(`${own}/sessions`)).json).toHaveLength(1)
  })

  it('does nothing for a session that ends while it waits, nor does ending the others', async () => {
    const other = await elsewhere()
    other.id = person.id
    const endOwn = `delete from sessions where $1 in (user_id, administrator_id)
      and sess->>'createdAt' = (select max(sess->>'createdAt') from sessions where $1 in (user_id, administrator_id))`
    const requests = [() => change(kind, other, old), () => other.delete(`${own}/sessions`)]
    for (const request of requests) {
      expect(await whileAccountIsLocked(server.pool, other, request, endOwn)).toMatchObject(SIGNED_OUT)
      expect((await person.get(me)).status).toBe(200)
      expect((await signIn(old, other)).status).toBe(200)
    }
  })

  it('counts wrong passwords as the sign-in does, so a stolen session is no way around its limit', async () => {
    const limited = await createTestApp({ limits: true })
    const owner = await join(limited)
    const thief = limited.visitor()
    for (const [cookie, value] of owner.cookies)
      if (cookie !== 'unspent_browser') thief.cookies.set(cookie, value)
    const { points } = limitTable.passwordGuess
    for (let guess = 0; guess < points; guess++)
      expect((await change(kind, thief, `guess ${guess}`)).status).toBe(400)
    expect((await change(kind, thief, old)).status).toBe(429)
    expect((await signIn(old, limited.visitor())).status).toBe(429)
    expect((await change(kind, owner, 'a guess')).status).toBe(400)
    expect((await change(kind, owner, old)).status).toBe(200)
  })
})

describe('a new password', () => {
  it('of a seller is emailed about, and revokes links that were mailed before', async () => {
    const seller = await server.seller(name)
    await server.visitor().post('/api/auth/forgot-password', { email: `${name}@example.com` })
    const { token } = mailWithLink(await accountMails(server), '/reset-password')
    await change('seller', seller, SELLER_PASSWORD)
    const [mail, ...more] = await accountMails(server)
    expect([mail?.to, mail?.subject, more]).toEqual([`${name}@example.com`, 'Your password was changed', []])
    expect(`${mail?.text}${mail?.html}`).not.toContain(NEW)
    const reset = { token, password: 'what a thief would set' }
    expect((await server.visitor().post('/api/auth/reset-password', reset)).status).toBe(400)
  })

  it('of an administrator is in the audit log, and revokes the sign-in link', async () => {
    const person = await server.staff(name)
    const colleague = await server.staff()
    const printed = await runCommand(server.context, 'sign-in-link', name)
    const token = /link=(\S+)/.exec(printed)?.[1]
    await change('staff', person, 'a guess')
    expect((await change('staff', person, ADMIN_PASSWORD)).status).toBe(200)
    const { json, text } = await person.get(`/api/admin/audit?subject=${name}&limit=2`)
    expect(json).toMatchObject([
      { action: 'admin.password_changed', actor: name, details: {} },
      { action: 'admin.link_made' },
    ])
    expect(text).not.toContain(NEW)
    expect((await server.visitor().post('/api/admin/login/link', { token })).status).toBe(400)
    expect((await colleague.get('/api/admin/me')).status).toBe(200)
  })
})
