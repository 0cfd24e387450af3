import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'

const ana = {
  username: 'Ana',
  email: 'Ana@Example.com',
  password: 'a quite good password',
  firstName: 'Ana',
  lastName: 'Lopez',
}

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
  await server.visitor().post('/api/auth/register', ana)
})

const paths = (answer: { json: { errors: { path: string }[] } }) => answer.json.errors.map(({ path }) => path)

describe('registering', () => {
  it('signs in and returns the account without its password', async () => {
    const person = server.visitor()
    const answer = await person.post('/api/auth/register', {
      ...ana,
      username: 'ben',
      email: 'ben@example.com',
    })
    expect(answer.status).toBe(201)
    expect(answer.json.user).toMatchObject({
      username: 'ben',
      firstName: 'Ana',
      role: 'user',
      verified: false,
    })
    expect(answer.text).not.toMatch(/hash|argon|quite good/i)
    expect((await person.get('/api/auth/me')).json.user.username).toBe('ben')
  })

  it('names every missing field at once', async () => {
    const answer = await server.visitor().post('/api/auth/register', {})
    expect(answer.status).toBe(400)
    expect(paths(answer)).toEqual(['username', 'email', 'password', 'firstName', 'lastName'])
  })

  it('refuses a taken email or username, in any case', async () => {
    const answer = await server
      .visitor()
      .post('/api/auth/register', { ...ana, username: 'ANA', email: 'ana@example.COM' })
    expect(answer.status).toBe(409)
    expect(paths(answer)).toEqual(['username', 'email'])
  })

  it('refuses the usernames of administrators', async () => {
    const answer = await server
      .visitor()
      .post('/api/auth/register', { ...ana, username: 'Admin', email: 'x@example.com' })
    expect(answer.status).toBe(409)
    expect(paths(answer)).toEqual(['username'])
  })

  it.each(['short', 'x'.repeat(129), 'password123', 'Password123'])(
    'refuses the password %s',
    async (password) => {
      const answer = await server
        .visitor()
        .post('/api/auth/register', { ...ana, username: 'cleo', email: 'cleo@example.com', password })
      expect(answer.status).toBe(400)
      expect(paths(answer)).toEqual(['password'])
    },
  )

  it('creates one account from twenty concurrent registrations', async () => {
    const body = { ...ana, username: 'dora', email: 'dora@example.com' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.visitor().post('/api/auth/register', body)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  it('ignores fields that users cannot set', async () => {
    const person = server.visitor()
    await person.post('/api/auth/register', {
      ...ana,
      username: 'eve',
      email: 'eve@example.com',
      role: 'admin',
      verified: true,
    })
    expect((await person.get('/api/auth/me')).json.user).toMatchObject({
      role: 'user',
      verified: false,
      rating: '0.00',
      reviewCount: 0,
      tradeCount: 0,
      lastVisit: expect.stringMatching(/Z$/),
    })
  })
})

describe('signing in', () => {
  it('accepts the email in any case', async () => {
    const answer = await server
      .visitor()
      .post('/api/auth/login', { email: 'ANA@example.com', password: ana.password })
    expect(answer.status).toBe(200)
    expect(answer.json.user.email).toBe('Ana@Example.com')
  })

  it('gives the same answer for a wrong email and a wrong password', async () => {
    const visitor = server.visitor()
    const wrongEmail = await visitor.post('/api/auth/login', {
      email: 'no@example.com',
      password: ana.password,
    })
    const wrongPassword = await visitor.post('/api/auth/login', { email: ana.email, password: 'wrong' })
    expect(wrongEmail.status).toBe(401)
    expect(wrongEmail.json.message).toBe('Invalid credentials')
    expect(wrongPassword.text).toBe(wrongEmail.text)
  })

  it('refuses an invalid email', async () => {
    const answer = await server.visitor().post('/api/auth/login', { email: 'ana', password: 'x' })
    expect(answer.status).toBe(400)
    expect(answer.json.message).toBe('Please enter a valid email')
  })

  it('stores only a hash of the token and hides the cookie from scripts', async () => {
    const person = server.visitor()
    const answer = await person.post('/api/auth/login', { email: ana.email, password: ana.password })
    const cookie = String(answer.headers['set-cookie'])
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Strict/i)
    const token = person.cookies.get('unspent_session') ?? ''
    const { rows } = await server.pool.query('select sid, sess::text from sessions')
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('ends the session on sign-out, even for a copy of the cookie', async () => {
    const person = await server.seller()
    const copy = person.cookieHeader
    expect((await person.post('/api/auth/logout')).status).toBe(200)
    expect((await server.visitor().get('/api/auth/me', { cookie: copy })).status).toBe(401)
    expect((await person.post('/api/auth/logout')).status).toBe(200)
  })
})

describe('administrators', () => {
  it('sign in separately from sellers', async () => {
    const staff = await server.staff()
    expect((await staff.get('/api/admin/me')).json).toEqual({
      id: staff.id,
      username: 'admin',
      role: 'owner',
      needsSecondFactor: false,
      manualPayouts: true,
      timeZone: 'UTC',
      rating: '0.00',
      reviewCount: 0,
    })
    expect((await staff.get('/api/auth/me')).status).toBe(401)
    expect((await (await server.seller()).get('/api/admin/me')).status).toBe(401)
  })

  it('get one text for every refusal, which is recorded in the audit log', async () => {
    const visitor = server.visitor()
    const wrongName = await visitor.post('/api/admin/login', {
      username: 'mallory',
      password: ADMIN_PASSWORD,
    })
    const wrongPassword = await visitor.post('/api/admin/login', { username: 'admin', password: 'wrong' })
    expect(wrongName.status).toBe(401)
    expect(wrongName.json.message).toBe('Invalid admin credentials')
    expect(wrongPassword.text).toBe(wrongName.text)
    const { rows } = await server.pool.query(
      "select subject_id from audit_log where action = 'admin.sign_in_refused' order by id",
    )
    expect(rows.map((row) => row.subject_id)).toEqual([
      expect.stringMatching(/^unknown [0-9a-f]{16}$/),
      'admin',
    ])
  })

  it('leave no trace of a password typed into the username field', async () => {
    const password = 'Correct horse battery'
    for (const username of [password, password.toLowerCase(), 'another one', 'ADMIN'])
      await server.visitor().post('/api/admin/login', { username, password: 'x' })
    const { rows } = await server.pool.query(
      'select subject_id, a::text as entry from audit_log a order by id',
    )
    const [first, again, other, known] = rows.slice(-4).map((row) => row.subject_id)
    expect(first).toMatch(/^unknown [0-9a-f]{16}$/)
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    expect(known).toBe('admin')
    expect(JSON.stringify(rows).toLowerCase()).not.toContain(password.toLowerCase())
  })

  it('need username and password', async () => {
    const answer = await server.visitor().post('/api/admin/login', {})
    expect(answer.status).toBe(400)
    expect(paths(answer)).toEqual(['username', 'password'])
  })
})
