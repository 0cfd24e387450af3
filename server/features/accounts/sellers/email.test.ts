import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails, confirmEmail, mailWithLink } from '#test/mails.ts'
import type { Person } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'

const PASSWORD = 'a quite good password'
let server: TestApp
let count = 0
let name: string
beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(() => {
  name = `ella${++count}`
})

const address = (of = name) => `${of}@example.com`
const register = (fields: object = {}, person = server.visitor()) =>
  person.post('/api/auth/register', {
    username: name,
    email: address(),
    password: PASSWORD,
    firstName: 'Ella',
    lastName: 'Owner',
    ...fields,
  })
const changeEmail = (person: Person, email: string) =>
  person.put('/api/user/profile', { firstName: 'Sam', lastName: 'Seller', email })
const confirm = (token: string, person: Person) => person.post('/api/auth/confirm-email', { token })
const restore = (token: string) => server.visitor().post('/api/auth/restore-email', { token })
const signIn = (email: string, password = PASSWORD, person = server.visitor()) =>
  person.post('/api/auth/login', { email, password })
const accountOf = async (person: Person) => (await person.get('/api/auth/me')).json.user
const addMethod = (person: Person) =>
  person.post('/api/payment-methods', { type: 'paypal', accountInfo: 'x@pay.example', accountName: 'X' })

async function resetPassword(email: string, password = 'the owner chose this') {
  await server.visitor().post('/api/auth/forgot-password', { email })
  const { mail, token } = mailWithLink(await accountMails(server), '/reset-password')
  const answer = await server.visitor().post('/api/auth/reset-password', { token, password })
  return { mail, answer }
}

describe('an email address', () => {
  it('is confirmed once by the link in the welcome email', async () => {
    const person = server.visitor()
    expect((await register({}, person)).json.user.verified).toBe(false)
    const mails = await accountMails(server)
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [address(), 'Welcome to Unspent: please confirm your email address'],
    ])
    const { token } = mailWithLink(mails, 'http://localhost/confirm-email')
    const answers = await Promise.all([
      confirm(token, person),
      confirm(token, person),
      confirm(token, person),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await accountOf(person)).verified).toBe(true)
    expect((await confirm(token, person)).json.errors).toEqual([
      {
        path: 'token',
        message: 'This link has already been used or has expired. Your profile can send you a new one.',
        code: 'confirm_link_used',
      },
    ])
  })

  it('is not confirmed by a link that is older than seven days or for another purpose', async () => {
    const person = server.visitor()
    await register({}, person)
    const { token } = mailWithLink(await accountMails(server), '/confirm-email')
    const { rows } = await server.pool.query(
      "select extract(epoch from expires_at - now()) / 3600 as hours from account_tokens where purpose = 'confirm_email' and email = $1",
      [address()],
    )
    expect(Number(rows[0].hours)).toBeCloseTo(7 * 24, 1)
    await server.pool.query('update account_tokens set expires_at = now() where email = $1', [address()])
    expect((await confirm(token, person)).status).toBe(400)
    await server.visitor().post('/api/auth/forgot-password', { email: address() })
    const reset = mailWithLink(await accountMails(server), '/reset-password')
    expect((await confirm(reset.token, person)).status).toBe(400)
    expect((await accountOf(person)).verified).toBe(false)
  })

  it('gets the link again on request, until it is confirmed', async () => {
    const person = server.visitor()
    await register({}, person)
    await confirmLater(person)
    const { mail, token } = mailWithLink(await accountMails(server), '/confirm-email')
    expect(mail.subject).toBe('Confirm your email address')
    expect((await confirm(token, person)).status).toBe(200)
    await confirmLater(person)
    expect(await accountMails(server)).toEqual([])
  })

  async function confirmLater(person: Person) {
    await accountMails(server)
    expect((await person.post('/api/user/confirm-email')).status).toBe(200)
  }

  it('gets at most five confirmation links an hour from all accounts together', async () => {
    const people = await Promise.all([1, 2].map((at) => server.seller(`${name}-${at}`)))
    await accountMails(server)
    const victim = address('victim-of-mails')
    let mailed = 0
    for (let round = 0; round < 8; round++) {
      const person = people[round % 2]
      if (person) await changeEmail(person, victim)
      mailed += (await accountMails(server)).filter(({ to }) => to === victim).length
    }
    expect(mailed).toBe(5)
  })

  it('is unconfirmed after a change, and the earlier link does not confirm the new one', async () => {
    const person = server.visitor()
    await register({}, person)
    const earlier = mailWithLink(await accountMails(server), '/confirm-email')
    await changeEmail(person, `new-${address()}`)
    expect((await confirm(earlier.token, person)).status).toBe(400)
    const { mail, token } = mailWithLink(await accountMails(server), '/confirm-email')
    expect(mail.to).toBe(`new-${address()}`)
    expect((await accountOf(person)).verified).toBe(false)
    expect((await confirm(token, person)).status).toBe(200)
    expect(await accountOf(person)).toMatchObject({ verified: true, email: `new-${address()}` })
  })

  it('gets its link even if its case changes before the email is sent', async () => {
    const person = await server.seller(name)
    await changeEmail(person, address().toUpperCase())
    expect((await accountMails(server)).map(({ to }) => to)).toEqual([address().toUpperCase()])
  })

  it('stays confirmed when only its case changes', async () => {
    const person = await server.seller(name)
    await confirmEmail(server, person)
    expect((await changeEmail(person, address().toUpperCase())).json.user.verified).toBe(true)
  })

  it('is confirmed by a mailed password reset link', async () => {
    await register()
    await resetPassword(address())
    const person = server.visitor()
    expect((await signIn(address(), 'the owner chose this', person)).json.user.verified).toBe(true)
  })

  it('can be unconfirmed when submitting a card and being paid; staff can see it', async () => {
    const [seller, staff] = [await server.seller(name), await server.staff()]
    const path = `/api/admin/submissions/${await submitted(seller)}`
    expect((await staff.get(path)).json.user.verified).toBe(false)
    expect((await staff.patch(`${path}/status`, { status: 'completed' })).status).toBe(200)
    await confirmEmail(server, seller)
    expect((await staff.get(path)).json.user.verified).toBe(true)
  })
})

describe('an account that was registered with another person’s address', () => {
  it('loses its payment methods and sessions when the mailbox owner sets a password', async () => {
    const stranger = server.visitor()
    await register({}, stranger)
    await addMethod(stranger)
    const { mail, answer } = await resetPassword(address())
    expect(mail.text).toContain('Setting a new password therefore removes all payment methods')
    expect(answer.json.message).toContain('The saved payment methods were removed')
    expect((await stranger.get('/api/auth/me')).status).toBe(401)
    const [told] = await accountMails(server)
    expect([told?.subject, told?.text]).toEqual([
      'Your password was changed',
      expect.stringContaining('The saved payment methods were removed'),
    ])
    const owner = server.visitor()
    await signIn(address(), 'the owner chose this', owner)
    expect((await owner.get('/api/payment-methods')).json).toEqual([])
  })

  it('is not confirmed when the mailbox owner opens the link, so a reset still removes the payment methods', async () => {
    const stranger = server.visitor()
    await register({}, stranger)
    await addMethod(stranger)
    const { mail, token } = mailWithLink(await accountMails(server), '/confirm-email')
    const signedOut = await confirm(token, server.visitor())
    expect([signedOut.status, signedOut.json.code]).toEqual([401, 'signed_out'])
    const elsewhere = await confirm(token, await server.seller(`another${count}`))
    expect([elsewhere.status, elsewhere.json.message]).toEqual([
      400,
      'This link is for another account. Please sign in to that account and open the link again.',
    ])
    expect(mail.text).toContain('sign in to this account')
    expect((await accountOf(stranger)).verified).toBe(false)
    await resetPassword(address())
    const owner = server.visitor()
    const { json } = await signIn(address(), 'the owner chose this', owner)
    expect(json.user.verified).toBe(true)
    expect((await owner.get('/api/payment-methods')).json).toEqual([])
  })

  it('keeps its payment methods after a reset once the address is confirmed', async () => {
    const owner = await server.seller(name)
    await confirmEmail(server, owner)
    await addMethod(owner)
    const { mail, answer } = await resetPassword(address())
    expect(mail.text).not.toContain('removes')
    expect(answer.json.message).toBe('Your password was changed. Please sign in.')
    await signIn(address(), 'the owner chose this', owner)
    expect((await owner.get('/api/payment-methods')).json).toHaveLength(1)
  })

  it('loses them even if the owner first undoes a change of address by the stranger', async () => {
    const stranger = server.visitor()
    await register({}, stranger)
    await addMethod(stranger)
    await changeEmail(stranger, `elsewhere-${address()}`)
    const { token } = mailWithLink(await accountMails(server), '/restore-email')
    await server.visitor().post('/api/auth/restore-email', { token })
    const reset = mailWithLink(await accountMails(server), '/reset-password')
    await server
      .visitor()
      .post('/api/auth/reset-password', { token: reset.token, password: 'mine, all mine' })
    const owner = server.visitor()
    await signIn(address(), 'mine, all mine', owner)
    expect((await owner.get('/api/payment-methods')).json).toEqual([])
  })
})

describe('an address that was entered in a profile', () => {
  /** A seller whose profile has another person's unconfirmed address. */
  async function squatter(confirmedBefore = true) {
    const person = await server.seller(`squatter${count}`)
    if (confirmedBefore) await confirmEmail(server, person)
    expect((await changeEmail(person, address())).status).toBe(200)
    return person
  }

  it('goes to someone who registers with it, and the account gets its own address back', async () => {
    const person = await squatter()
    const taken = mailWithLink(await accountMails(server), '/confirm-email')
    expect((await register()).status).toBe(201)
    expect(await accountOf(person)).toMatchObject({ email: address(`squatter${count}`), verified: true })
    expect((await confirm(taken.token, person)).status).toBe(400)
    const mails = await accountMails(server)
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [address(`squatter${count}`), 'Your account uses this email address again'],
      [address(), 'Welcome to Unspent: please confirm your email address'],
    ])
    expect((await signIn(address(`squatter${count}`))).status).toBe(200)
    expect((await signIn(address())).status).toBe(200)
  })

  it('can be taken by another profile', async () => {
    const [first, second] = [await squatter(false), await server.seller(`second${count}`)]
    expect((await changeEmail(second, address())).status).toBe(200)
    expect(await accountOf(first)).toMatchObject({ email: address(`squatter${count}`), verified: false })
    expect(await accountOf(second)).toMatchObject({ email: address(), verified: false })
  })

  it('cannot be taken once it is confirmed', async () => {
    const person = await squatter()
    await confirmEmail(server, person)
    expect((await register()).status).toBe(409)
    const other = await server.seller(`other${count}`)
    expect((await changeEmail(other, address())).status).toBe(409)
    expect((await accountOf(person)).email).toBe(address())
  })

  it('goes to one of ten concurrent registrations while it is being confirmed', async () => {
    const person = await squatter()
    const { token } = mailWithLink(await accountMails(server), '/confirm-email')
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, at) => register({ username: `${name}-${at}` })),
      confirm(token, person),
    ])
    const registered = answers.filter(({ status }) => status === 201).length
    const confirmed = answers.at(-1)?.status === 200 ? 1 : 0
    expect(registered + confirmed).toBe(1)
    for (const { status } of answers) expect([200, 201, 400, 409]).toContain(status)
    const { rows } = await server.pool.query('select email from users where lower(email) = $1', [address()])
    expect(rows).toHaveLength(1)
    expect((await accountOf(person)).email).toBe(address(confirmed ? name : `squatter${count}`))
  })

  it('can be swapped between accounts without a deadlock or a lost account', async () => {
    const people = await Promise.all([0, 1, 2].map((at) => server.seller(`${name}-${at}`)))
    for (let round = 0; round < 5; round++) {
      const wanted = people.map((_, at) => address(`circle${count}-${(at + round) % 3}`))
      const answers = await Promise.all(people.map((person, at) => changeEmail(person, wanted[at] ?? '')))
      for (const { status } of answers) expect([200, 409]).toContain(status)
    }
    const { rows } = await server.pool.query(
      'select lower(email) as email, lower(previous_email) as previous from users where username like $1',
      [`${name}-%`],
    )
    const used = rows.flatMap(({ email, previous }) => [email, previous]).filter(Boolean)
    expect(new Set(used).size).toBe(used.length)
  })
})

describe('a new password for an account with an unconfirmed address in its profile', () => {
  const forgot = (email: string) => server.visitor().post('/api/auth/forgot-password', { email })
  const reset = (token: string, password = 'the owner chose this') =>
    server.visitor().post('/api/auth/reset-password', { token, password })
  const own = () => address(`own${count}`)

  /** An account with a confirmed address. */
  async function owner() {
    const person = await server.seller(`own${count}`)
    await confirmEmail(server, person)
    return person
  }

  /** Enters an address in the profile. Returns the link that undoes it. */
  async function enter(person: Person, email = address()): Promise<string> {
    expect((await changeEmail(person, email)).status).toBe(200)
    const mails = await accountMails(server)
    return mailWithLink(mails, '/restore-email').token
  }

  it('is never mailed to that address, whose owner would give the account away by the undo link', async () => {
    const attacker = await owner()
    const undo = await enter(attacker)
    await forgot(address())
    expect(await accountMails(server)).toEqual([])
    const victim = server.visitor()
    expect((await register({}, victim)).status).toBe(201)
    const { id } = await accountOf(victim)
    await submitted(victim)
    expect((await restore(undo)).status).toBe(200)
    expect(await accountOf(victim)).toMatchObject({ id, email: address() })
    expect((await attacker.get('/api/auth/me')).status).toBe(401)
  })

  it('is not mailed there either after more changes, after changing back, or when it is entered meanwhile', async () => {
    const attacker = await owner()
    await enter(attacker, address(`second${count}`))
    await confirmEmailAgain(attacker)
    await enter(attacker)
    await forgot(address())
    expect(await accountMails(server)).toEqual([])
    await changeEmail(attacker, address(`second${count}`))
    await forgot(address())
    await changeEmail(attacker, address())
    const mails = await accountMails(server)
    expect(mails.filter(({ text }) => text.includes('/reset-password'))).toEqual([])
  })

  async function confirmEmailAgain(person: Person) {
    await person.post('/api/user/confirm-email')
    await confirmEmail(server, person)
  }

  it('is mailed to its own address, and drops the unconfirmed one', async () => {
    const person = await owner()
    await addMethod(person)
    await changeEmail(person, address())
    const pending = mailWithLink(await accountMails(server), '/confirm-email')
    await forgot(own().toUpperCase())
    const { mail, token } = mailWithLink(await accountMails(server), '/reset-password')
    expect([mail.to, mail.text]).toEqual([own(), expect.not.stringContaining('removes all payment methods')])
    expect((await reset(token)).status).toBe(200)
    expect((await accountMails(server)).map(({ to }) => to)).toEqual([own()])
    await signIn(own(), 'the owner chose this', person)
    expect(await accountOf(person)).toMatchObject({ email: own(), verified: true })
    expect((await person.get('/api/payment-methods')).json).toHaveLength(1)
    expect((await confirm(pending.token, person)).status).toBe(400)
    expect((await register()).status).toBe(201)
  })

  it('cannot be set by a link to an address that the account has left', async () => {
    const person = await owner()
    await changeEmail(person, address())
    const pending = mailWithLink(await accountMails(server), '/confirm-email')
    await forgot(own())
    const { token } = mailWithLink(await accountMails(server), '/reset-password')
    expect((await confirm(pending.token, person)).status).toBe(200)
    expect((await reset(token)).json.errors).toMatchObject([{ path: 'token', code: 'reset_link_used' }])
    expect(await accountOf(person)).toMatchObject({ email: address(), verified: true })
  })

  it('is set or the address is confirmed, but not both, at the same time', async () => {
    const person = await owner()
    await changeEmail(person, address())
    const pending = mailWithLink(await accountMails(server), '/confirm-email')
    await forgot(own())
    const { token } = mailWithLink(await accountMails(server), '/reset-password')
    const answers = await Promise.all([reset(token), confirm(pending.token, person)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const isReset = answers[0].status === 200
    const signedIn = await signIn(isReset ? own() : address(), isReset ? 'the owner chose this' : PASSWORD)
    expect(signedIn.json.user).toMatchObject({ email: isReset ? own() : address(), verified: true })
  })

  it('ends undo links to other addresses if nobody had confirmed the one it was mailed to', async () => {
    const stranger = await owner()
    const undo = await enter(stranger)
    // As accounts were before the own address was kept.
    await server.pool.query('update users set previous_email = null where id = $1', [stranger.id])
    await resetPassword(address())
    expect((await restore(undo)).status).toBe(400)
    expect((await signIn(address(), 'the owner chose this')).status).toBe(200)
  })
})

it('an undone change is emailed to the confirmed address that the account loses', async () => {
  const person = await server.seller(name)
  await confirmEmail(server, person)
  await changeEmail(person, address(`second${count}`))
  const mails = await accountMails(server)
  await confirm(mailWithLink(mails, '/confirm-email').token, person)
  await person.put('/api/user/locale', { locale: 'es' })
  await changeEmail(person, address(`third${count}`))
  await accountMails(server)
  expect((await restore(mailWithLink(mails, '/restore-email').token)).status).toBe(200)
  const sent = await accountMails(server)
  expect(sent).toHaveLength(2)
  // In any order: both are due at the same time.
  expect(Object.fromEntries(sent.map(({ to, subject }) => [to, subject]))).toEqual({
    [address(`second${count}`)]: 'Su cuenta ya no usa este correo electrónico',
    [address()]: 'Cree una contraseña nueva',
  })
})
