import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails, confirmEmail, mailWithLink, tokenIn } from '#test/mails.ts'
import type { Person } from '#test/person.ts'

const PASSWORD = 'a quite good password'
let server: TestApp
let count = 0
let name: string
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  name = `owner${++count}`
  seller = await server.seller(name)
  await confirmEmail(server, seller)
})

const address = () => `${name}@example.com`
const save = (fields: object, person = seller) =>
  person.put('/api/user/profile', { firstName: 'Sally', lastName: 'Seller', email: address(), ...fields })
const signIn = (email: string, password = PASSWORD, person = server.visitor()) =>
  person.post('/api/auth/login', { email, password })
const confirm = (token: string) => seller.post('/api/auth/confirm-email', { token })
const restore = (token: string) => server.visitor().post('/api/auth/restore-email', { token })

describe('the profile', () => {
  it('changes names and email, and nothing else', async () => {
    const answer = await save({
      firstName: ' Zoë <b> ',
      lastName: 'O’Neil',
      email: `new-${address()}`,
      username: 'admin',
      role: 'admin',
    })
    expect(answer.status).toBe(200)
    expect(answer.json.user).toMatchObject({
      firstName: 'Zoë <b>',
      lastName: 'O’Neil',
      email: `new-${address()}`,
      username: name,
      role: 'user',
    })
    expect((await seller.get('/api/auth/me')).json).toEqual(answer.json)
    expect(answer.text).not.toMatch(/hash|argon/i)
  })

  it('reports all invalid fields at once', async () => {
    const answer = await seller.put('/api/user/profile', { firstName: ' ', email: 'sally' })
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toEqual([
      { path: 'firstName', message: 'First name is required', code: 'first_name_required' },
      { path: 'lastName', message: 'Last name is required', code: 'last_name_required' },
      { path: 'email', message: 'Invalid email address', code: 'email_address_invalid' },
    ])
  })

  it('refuses a taken email, in any case, and changes nothing', async () => {
    await server.seller(`rival${count}`)
    const answer = await save({ firstName: 'X', email: `RIVAL${count}@example.com` })
    expect(answer.status).toBe(409)
    expect(answer.json.errors).toEqual([
      { path: 'email', message: 'This email is already registered', code: 'email_taken' },
    ])
    expect((await seller.get('/api/auth/me')).json.user).toMatchObject({
      firstName: 'Sally',
      email: address(),
    })
  })

  it('gives an address to one of two concurrent requests', async () => {
    const rival = await server.seller(`rival${count}`)
    const email = `both${count}@example.com`
    const answers = await Promise.all([save({ email }), save({ email }, rival)])
    // The address is unconfirmed, so the later request gets it unless the two collide.
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const owners = await Promise.all([seller, rival].map((person) => person.get('/api/auth/me')))
    const addresses = owners.map(({ json }) => json.user.email).sort()
    expect([
      [email, address()],
      [email, `rival${count}@example.com`],
    ]).toContainEqual(addresses)
  })

  it('sends no email if only the case of the address changes', async () => {
    expect((await save({ email: address().toUpperCase() })).json.user.email).toBe(address().toUpperCase())
    expect(await accountMails(server)).toEqual([])
  })
})

describe('a changed email', () => {
  /** A thief uses the owner's open browser. Returns the email the owner gets. */
  async function stolen() {
    await save({ email: `thief${count}@example.com` })
    const mails = await accountMails(server)
    expect(mails.map(({ to }) => to)).toEqual([address(), `thief${count}@example.com`])
    return mails[0]
  }

  it('is reported to the old address, without a name and with the new address masked', async () => {
    await save({ firstName: 'http://evil.example', email: `thief${count}@example.com` })
    const [mail] = await accountMails(server)
    expect(mail?.to).toBe(address())
    expect(mail?.text).toContain(`http://localhost/restore-email?token=${tokenIn(mail)}`)
    expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toMatch(/thief\d|evil/)
  })

  it('can be undone once, which signs everyone out and asks for a new password', async () => {
    const other = server.visitor()
    await signIn(address(), PASSWORD, other)
    const token = tokenIn(await stolen())
    const answers = await Promise.all([restore(token), restore(token), restore(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    for (const person of [seller, other]) expect((await person.get('/api/auth/me')).status).toBe(401)
    expect((await signIn(`thief${count}@example.com`)).status).toBe(401)
    expect((await signIn(address())).status).toBe(401)

    const [mail, ...more] = await accountMails(server)
    expect([mail?.to, more]).toEqual([address(), []])
    const reset = { token: tokenIn(mail), password: 'another good password' }
    expect((await server.visitor().post('/api/auth/reset-password', reset)).status).toBe(200)
    expect((await signIn(address(), 'another good password')).status).toBe(200)
  })

  it('can be undone from the first address after further changes, whose links stop working', async () => {
    await save({ email: `thief${count}@example.com` })
    const mails = await accountMails(server)
    const { token } = mailWithLink(mails, '/restore-email')
    await confirm(mailWithLink(mails, '/confirm-email').token)
    await save({ email: `lair${count}@example.com` })
    const thiefs = mailWithLink(await accountMails(server), '/restore-email')
    expect(thiefs.mail.to).toBe(`thief${count}@example.com`)
    expect((await restore(token)).status).toBe(200)
    expect((await restore(thiefs.token)).status).toBe(400)
  })

  it('is undone from the first change on, even by the email about a later change', async () => {
    await stolen()
    await add('thief@pay.example')
    await save({ email: `lair${count}@example.com` })
    const mails = await accountMails(server)
    // The thief's first address is unconfirmed, so it gets no link into the account.
    expect(mails.map(({ to }) => to)).toEqual([
      `thief${count}@example.com`,
      address(),
      `lair${count}@example.com`,
    ])
    expect(mails[0]?.text).toContain('payment method was added')
    await restore(tokenIn(mails[1]))
    expect(await savedMethods()).toEqual([])
  })

  const add = (accountInfo: string) =>
    seller.post('/api/payment-methods', { type: 'paypal', accountInfo, accountName: 'S', isDefault: true })

  /** What the owner has after setting a new password by the mailed link. */
  async function savedMethods() {
    const { token } = mailWithLink(await accountMails(server), '/reset-password')
    await server.visitor().post('/api/auth/reset-password', { token, password: 'another good password' })
    await signIn(address(), 'another good password', seller)
    return (await seller.get('/api/payment-methods')).json
  }

  it('loses the payment methods a thief has added when undone, and keeps earlier ones', async () => {
    await add('mine@pay.example')
    await accountMails(server)
    const token = tokenIn(await stolen())
    await add('thief@pay.example')
    expect((await restore(token)).status).toBe(200)
    expect(await savedMethods()).toMatchObject([{ accountInfo: 'mine@pay.example', isDefault: true }])
  })

  it('leaves a thief no password reset link when undone', async () => {
    await save({ email: `thief${count}@example.com` })
    const mails = await accountMails(server)
    const { token } = mailWithLink(mails, '/restore-email')
    await confirm(mailWithLink(mails, '/confirm-email').token)
    const ask = () =>
      server.visitor().post('/api/auth/forgot-password', { email: `thief${count}@example.com` })
    await ask()
    const [reset] = await accountMails(server)
    expect(reset?.to).toBe(`thief${count}@example.com`)
    // Requested before the change, sent after it.
    await ask()
    await restore(token)
    const attempt = { token: tokenIn(reset), password: 'the thief was here' }
    expect((await server.visitor().post('/api/auth/reset-password', attempt)).status).toBe(400)
    expect((await accountMails(server)).map(({ to }) => to).sort()).toEqual([
      address(),
      `thief${count}@example.com`,
    ])
  })

  it('gets no password reset link while it is being undone', async () => {
    await server.visitor().post('/api/auth/forgot-password', { email: address() })
    const client = await server.pool.connect()
    await client.query('begin')
    await client.query("update users set email = 'back@example.com' where id = $1", [seller.id])
    let mails: unknown[] | undefined
    const working = accountMails(server).then((sent) => {
      mails = sent
    })
    while (mails === undefined && !(await someoneWaits())) await new Promise(setImmediate)
    await client.query('commit')
    client.release()
    await working
    expect(mails).toEqual([])
  })

  async function someoneWaits(): Promise<boolean> {
    const { rows } = await server.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows.length > 0
  }

  it('reserves the old address until the new one is confirmed and the link has expired', async () => {
    await save({ email: `thief${count}@example.com` })
    const mails = await accountMails(server)
    const { token } = mailWithLink(mails, '/restore-email')
    const squatter = { username: `squat${count}`, email: address().toUpperCase(), password: PASSWORD }
    const register = () =>
      server.visitor().post('/api/auth/register', { ...squatter, firstName: 'S', lastName: 'Q' })
    expect((await register()).status).toBe(409)
    const accomplice = await server.seller(`accomplice${count}`)
    expect((await save({}, accomplice)).status).toBe(409)
    await server.pool.query(
      "update account_tokens set expires_at = now() - interval '1 second' where purpose = 'restore_email'",
    )
    expect((await restore(token)).status).toBe(400)
    expect((await register()).status).toBe(409)
    expect((await confirm(mailWithLink(mails, '/confirm-email').token)).status).toBe(200)
    expect((await register()).status).toBe(201)
  })

  it('can be changed back in the profile, and is then as confirmed as before', async () => {
    await stolen()
    const email = address().toUpperCase()
    expect((await save({ email })).json.user).toMatchObject({ email, verified: true })
    expect(await accountMails(server)).toEqual([])
  })

  it('refuses invented tokens and tokens for another purpose', async () => {
    await server.visitor().post('/api/auth/forgot-password', { email: address() })
    const [mail] = await accountMails(server)
    for (const token of [tokenIn(mail), 'x', 'a'.repeat(43), "' or 1=1 --"]) {
      const answer = await restore(token)
      expect(answer.status).toBe(400)
      expect(answer.json.message).toMatch(/already been used or has expired/)
    }
    expect((await restore('')).status).toBe(400)
  })
})
