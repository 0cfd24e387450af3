import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { createLimits, limitTable } from '#server/http/limits/limits.ts'
import { Sockets } from '#server/platform/live/sockets.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { accountMails, mailWithLink } from '#test/mails.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { Person, type TestAnswer } from '#test/person.ts'

const PASSWORD = 'a quite good password'
const { points } = limitTable.passwordGuess
let server: TestApp
let count = 0
let email: string
let owner: Person
beforeAll(async () => {
  server = await createTestApp({ limits: true })
})
beforeEach(async () => {
  await server.pool.query("delete from rate_limits where key like 'register%' or key like 'signIn%'")
  email = `target${++count}@example.com`
  owner = await server.seller(`target${count}`)
})

let addresses = 0
/** Each attempt comes from a new address, to avoid the limit per address. */
function signIn(password: string, person = server.visitor(), name = email): Promise<TestAnswer> {
  addresses += 1
  return person.send({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: name, password },
    remoteAddress: `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
  })
}
const guesses = (number: number, person?: () => Person, name?: string) =>
  Promise.all(Array.from({ length: number }, (_, n) => signIn(`guess ${n}`, person?.(), name)))
const statuses = (answers: TestAnswer[]) => new Set(answers.map(({ status }) => status))

describe('password guessing', () => {
  it('is stopped after a few guesses, from any number of addresses', async () => {
    const looked = vi.spyOn(server.context.passwords, 'matches')
    // In batches, because the server refuses more at once.
    const answers: TestAnswer[] = []
    for (let portion = 0; portion < 4; portion++) answers.push(...(await guesses(100)))
    expect(looked).toHaveBeenCalledTimes(points)
    looked.mockRestore()
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(points)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(400 - points)
    expect(refused[0]?.json.message).toBe(
      'Too many wrong passwords for this account. Please try again later.',
    )
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(3500)
    // An hour can overlap at most two windows.
    expect(2 * points).toBeLessThanOrEqual(20)
  })

  it("locks new browsers out even with the right password, but never the owner's browser", async () => {
    await guesses(points)
    expect((await signIn(PASSWORD)).status).toBe(429)
    await owner.post('/api/auth/logout')
    for (let again = 0; again < 15; again++) expect((await signIn(PASSWORD, owner)).status).toBe(200)
    expect((await owner.get('/api/auth/me')).status).toBe(200)
  })

  it('does not stop the owner from signing in by a mailed link in a new browser', async () => {
    await guesses(points)
    const phone = server.visitor()
    await phone.post('/api/auth/forgot-password', { email })
    const { token } = mailWithLink(await accountMails(server), '/reset-password')
    await phone.post('/api/auth/reset-password', { token, password: 'a fresh password' })
    expect((await signIn('a fresh password', phone)).status).toBe(200)
  })

  it('is limited in a known browser, for that browser alone', async () => {
    const phone = server.visitor()
    await signIn(PASSWORD, phone)
    expect(statuses(await guesses(points, () => owner))).toEqual(new Set([401]))
    expect((await signIn(PASSWORD, owner)).status).toBe(429)
    expect((await signIn(PASSWORD, phone)).status).toBe(200)
  })

  it('gains nothing from a browser of another account or an invented one', async () => {
    const thief = await server.seller(`thief${count}`)
    await guesses(points)
    expect((await signIn(PASSWORD, thief)).status).toBe(429)
    thief.cookies.set('unspent_browser', 'x'.repeat(43))
    expect((await signIn(PASSWORD, thief)).status).toBe(429)
    thief.cookies.set('unspent_browser', (await hashesOf(owner))[0] ?? '')
    expect((await signIn(PASSWORD, thief)).status).toBe(429)
  })

  it('stays stopped after a restart', async () => {
    await guesses(points)
    const app = await buildApp({
      context: server.context,
      limits: createLimits(server.pool),
      sockets: new Sockets(),
      trustProxy: false,
    })
    expect((await signIn(PASSWORD, new Person(app))).status).toBe(429)
    await app.close()
  })

  it('gets the same answers for an address without an account', async () => {
    const [real, none] = await Promise.all([
      guesses(points + 5),
      guesses(points + 5, undefined, `Nobody${count}@example.com`),
    ])
    const texts = (answers: TestAnswer[]) => answers.map(({ text }) => text).sort()
    expect(texts(none)).toEqual(texts(real))
    const { rows } = await server.pool.query('select key from rate_limits')
    expect(JSON.stringify(rows)).not.toMatch(/nobody|target/i)
  })

  it('does not count right passwords', async () => {
    for (let time = 0; time < points * 2; time++) expect((await signIn(PASSWORD)).status).toBe(200)
  })

  it('is stopped for administrators too, who can sign in from known browsers', async () => {
    const desk = await server.staff()
    const guess = (password: string, person: Person) => {
      addresses += 1
      const remoteAddress = `10.200.${addresses >> 8}.${addresses & 255}`
      const payload = { username: 'Admin', password }
      return person.send({ method: 'POST', url: '/api/admin/login', payload, remoteAddress })
    }
    for (let tries = 0; tries < points; tries++) {
      expect((await guess('wrong', server.visitor())).status).toBe(401)
    }
    expect((await guess(ADMIN_PASSWORD, server.visitor())).status).toBe(429)
    expect((await guess(ADMIN_PASSWORD, desk)).status).toBe(200)
  })
})

async function hashesOf(person: Person): Promise<string[]> {
  const { rows } = await server.pool.query('select token_hash from known_browsers where account_id = $1', [
    person.id,
  ])
  return rows.map((row) => row.token_hash)
}

describe('the cookie of a known browser', () => {
  it('is hidden from scripts and other sites, and stored only as a hash', async () => {
    const answer = await signIn(PASSWORD, owner)
    const cookie = [answer.headers['set-cookie']]
      .flat()
      .find((line) => /^unspent_browser=/.test(String(line)))
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Strict/i)
    expect(cookie).toMatch(/Max-Age=34560000/)
    expect(await hashesOf(owner)).not.toContain(owner.cookies.get('unspent_browser'))
  })

  it('gets a new token at each sign-in, so a planted or copied one is useless', async () => {
    const copy = owner.cookies.get('unspent_browser') ?? ''
    await signIn(PASSWORD, owner)
    expect(owner.cookies.get('unspent_browser')).not.toBe(copy)
    await guesses(points)
    const thief = server.visitor()
    thief.cookies.set('unspent_browser', copy)
    expect((await signIn(PASSWORD, thief)).status).toBe(429)
  })

  it('remembers every account of a family', async () => {
    const sister = `sister${count}@example.com`
    const registration = { username: `sister${count}`, email: sister, password: PASSWORD }
    await owner.post('/api/auth/register', { ...registration, firstName: 'Si', lastName: 'S' })
    await Promise.all([guesses(points), guesses(points, undefined, sister)])
    expect((await signIn(PASSWORD, owner)).status).toBe(200)
    expect((await signIn(PASSWORD, owner, sister)).status).toBe(200)
  })

  it('is forgotten in other browsers when the password changes', async () => {
    const phone = server.visitor()
    await signIn(PASSWORD, phone)
    await owner.put('/api/user/password', { currentPassword: PASSWORD, newPassword: 'a fresh password' })
    await guesses(points)
    expect((await signIn('a fresh password', phone)).status).toBe(429)
    expect((await signIn('a fresh password', owner)).status).toBe(200)
  })

  it('is forgotten everywhere when a changed email is undone', async () => {
    const stolen = { firstName: 'T', lastName: 'T', email: `stolen${count}@example.com` }
    await owner.put('/api/user/profile', stolen)
    const { token } = mailWithLink(await accountMails(server), '/restore-email')
    await server.visitor().post('/api/auth/restore-email', { token })
    expect(await hashesOf(owner)).toEqual([])
  })

  it('is kept for the twenty most recently used browsers', async () => {
    for (let browser = 0; browser < 22; browser++) await signIn(PASSWORD)
    expect(await hashesOf(owner)).toHaveLength(20)
  })
})
