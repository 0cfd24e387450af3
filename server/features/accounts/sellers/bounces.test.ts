import { describe, expect, it } from 'vitest'
import { createTestApp } from '#test/app.ts'
import { accountMails } from '#test/mails.ts'
import type { Person } from '#test/person.ts'

const SECRET = 'a secret of the mail provider'
const server = await createTestApp({ bounceSecret: SECRET })
const owner = await server.staff()

const report = (body: object, headers: Record<string, string> = { 'x-bounce-secret': SECRET }) =>
  server.visitor().post('/api/mail/bounces', body, headers)
const bounced = (recipient: string) => report({ recipient, kind: 'bounce', reason: 'mailbox full' })
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const staffSee = async ({ id }: Person) => (await owner.get(`/api/admin/seller?id=${id}`)).json.bounce
const sellerSees = async (seller: Person) => (await seller.get('/api/user/home')).json.bouncedEmail

async function confirmMailed(seller: Person): Promise<void> {
  const token = (await accountMails(server)).flatMap(
    ({ text }) => /\/confirm-email\?token=(\S+)/.exec(text)?.[1] ?? [],
  )
  expect((await seller.post('/api/auth/confirm-email', { token: token.at(-1) })).status).toBe(200)
}
const changeEmail = (seller: Person, email: string) =>
  seller.put('/api/user/profile', { firstName: 'S', lastName: 'S', email })

describe('a report of the mail provider', () => {
  it('shows at the address, whatever its case, to the seller and the staff', async () => {
    const [mia, other] = [await server.seller('mia'), await server.seller('other')]
    expect(await sellerSees(mia)).toBeNull()
    expect(await bounced('MIA@Example.com')).toMatchObject({ status: 200 })
    expect(await sellerSees(mia)).toBe('m•••@example.com')
    expect(await staffSee(mia)).toEqual({
      kind: 'bounce',
      reason: 'mailbox full',
      at: expect.stringMatching(/Z$/),
    })
    expect([await sellerSees(other), await staffSee(other)]).toEqual([null, null])
    const support = await server.staff('sue', 'support')
    expect((await support.get(`/api/admin/seller?id=${mia.id}`)).json.bounce).toBeNull()
  })

  it('stays until a new address is confirmed', async () => {
    const nina = await server.seller('nina')
    await bounced('nina@example.com')
    await changeEmail(nina, 'nina@new.example')
    expect(await sellerSees(nina)).toBe('n•••@example.com')
    await confirmMailed(nina)
    expect([await sellerSees(nina), await staffSee(nina)]).toEqual([null, null])
    // Late news about the address before.
    await bounced('nina@example.com')
    expect(await sellerSees(nina)).toBeNull()
  })

  it('goes with a new address that the seller takes back', async () => {
    const olga = await server.seller('olga')
    await changeEmail(olga, 'olga@wrong.example')
    await bounced('olga@wrong.example')
    expect(await sellerSees(olga)).toBe('o•••@wrong.example')
    await changeEmail(olga, 'olga@example.com')
    expect(await sellerSees(olga)).toBeNull()
  })

  it('of a complaint, or of long ago, is shown to the staff only', async () => {
    const pat = await server.seller('pat')
    await report({ recipient: 'pat@example.com', kind: 'complaint' })
    expect(await staffSee(pat)).toMatchObject({ kind: 'complaint', reason: '' })
    expect(await sellerSees(pat)).toBeNull()
    await bounced('pat@example.com')
    await server.pool.query(
      `update users set bounce = bounce || '{"at": "2026-01-01T00:00:00.000Z"}' where username = 'pat'`,
    )
    expect(await staffSee(pat)).toMatchObject({ kind: 'bounce' })
    expect(await sellerSees(pat)).toBeNull()
  })

  it('is one short line, whatever the provider sends', async () => {
    const rob = await server.seller('rob')
    const reason = `550\r\n\u001b[2J\u2028 ${'<script>alert(1)</script>'.repeat(100)}`
    await report({ recipient: 'rob@example.com', kind: 'bounce', reason })
    const found = await staffSee(rob)
    expect(found.reason).toMatch(/^550 \[2J <script>/)
    expect(found.reason).not.toMatch(/\p{Cc}/u)
    expect(found.reason).toHaveLength(200)
  })

  it('answers the same for an unknown address, and refuses what is no report', async () => {
    const known = await bounced('rob@example.com')
    const unknown = await bounced('nobody@example.com')
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    for (const body of [
      {},
      { recipient: 'rob@example.com' },
      { recipient: 'rob@example.com', kind: 'made-up' },
      { recipient: 'no address', kind: 'bounce' },
      { recipient: 'rob@example.com', kind: 'bounce', reason: 5 },
    ])
      expect(await report(body)).toMatchObject({ status: 400, json: { code: 'invalid' } })
  })
})

describe('the secret', () => {
  it.each([
    ['its header', { 'x-bounce-secret': SECRET }, 200],
    ['basic authentication', basic(`anybody:${SECRET}`), 200],
    ['no secret', {}, 401],
    ['an empty one', { 'x-bounce-secret': '' }, 401],
    ['a part of it', { 'x-bounce-secret': SECRET.slice(0, -1) }, 401],
    ['another password', basic('anybody:guess'), 401],
    ['the secret as the username', basic(`${SECRET}:`), 401],
    ['a bearer token', { authorization: `Bearer ${SECRET}` }, 401],
  ])('is checked: %s', async (_name, headers, status) => {
    const answer = await report({ recipient: 'x@example.com', kind: 'bounce' }, headers)
    expect(answer.status).toBe(status)
  })

  it('is not enough for another site, and without a setting nothing is taken', async () => {
    const body = { recipient: 'x@example.com', kind: 'bounce' }
    const crossSite = { 'x-bounce-secret': SECRET, 'sec-fetch-site': 'cross-site' }
    expect((await report(body, crossSite)).json.code).toBe('cross_site')
    const closed = await createTestApp()
    for (const secret of ['', SECRET])
      expect(
        (await closed.visitor().post('/api/mail/bounces', body, { 'x-bounce-secret': secret })).status,
      ).toBe(404)
  })
})
