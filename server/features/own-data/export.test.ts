import { once } from 'node:events'
import { get } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import { accountMails, confirmEmail } from '#test/mails.ts'
import type { Person } from '#test/person.ts'
import { photo, submit, submitted, submittedIn } from '#test/submissions.ts'
import { unzip } from '#test/zip.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})

/** The files of a seller's download, by name. JSON is parsed. */
async function download(seller: Person) {
  const answer = await seller.get('/api/user/export')
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('application/zip')
  const files = [...unzip(answer.bytes)]
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  const parsed = new Map<string, any>(
    files.map(([name, bytes]) => [name, name.endsWith('.json') ? JSON.parse(bytes.toString()) : bytes]),
  )
  return { answer, files: parsed }
}

describe('the download of a seller', () => {
  it('has everything that they see, with masked numbers and opened photos', async () => {
    const seller = await server.seller()
    const pictures = [await photo(10), await photo(200)]
    const secrets = { cardNumber: '6006 4930 7777 5678', securityCode: '40718263' }
    const { giftCard } = (await submit(seller, secrets, { photos: pictures })).json
    const path = `/api/admin/submissions/${giftCard.id}`
    await staff.post(`${path}/reveal`)
    await staff.patch(`${path}/status`, { status: 'under_review', reason: 'Which shop?' })
    await seller.upload(`/api/user/gift-cards/${giftCard.id}/answer`, [
      { name: 'message', value: 'The one on Main Street' },
    ])
    await staff.patch(`${path}/status`, { status: 'completed' })
    const bank = { type: 'bank_transfer', routingNumber: '021000021', accountNumber: '998877665544' }
    await seller.post('/api/payment-methods', { ...bank, accountName: 'Sally' })
    await seller.post('/api/chat/messages', { message: 'Hello there' })
    await staff.post('/api/admin/chat/reply', { userId: seller.id, message: 'Hello Sally' })
    const [{ id: transactionId }] = (await seller.get('/api/my-transactions')).json
    await seller.post('/api/reviews', { transactionId, rating: 4, comment: 'Quick' })

    const { answer, files } = await download(seller)
    expect(answer.headers['content-disposition']).toMatch(/filename="my-data-\d{4}-\d\d-\d\d\.zip"/)
    expect(String(files.get('README.txt'))).toMatch(/Everything Unspent keeps about the account seller/)
    expect(files.get('profile.json')).toEqual((await seller.get('/api/auth/me')).json.user)
    expect(files.get('payment-methods.json')).toEqual((await seller.get('/api/payment-methods')).json)
    expect(files.get('sessions.json')).toHaveLength(1)
    expect(files.get('reviews.json')).toMatchObject([{ transactionId, rating: 4, comment: 'Quick' }])
    expect(files.get('notifications.json')).toEqual((await seller.get('/api/user/notifications')).json)
    expect(files.get('messages/chat.json')).toMatchObject([
      { by: 'you', message: 'Hello there' },
      { by: 'staff', message: 'Hello Sally' },
    ])
    const day = giftCard.createdAt.slice(0, 10)
    const folder = `submissions/${day}-amazon-${giftCard.id}`
    const { submission, transaction, payouts, history, revealed } = files.get(`${folder}/submission.json`)
    expect(submission).toMatchObject({ cardNumber: '•••• 5678', images: ['photo-1.jpg', 'photo-2.jpg'] })
    expect(transaction).toMatchObject({ id: transactionId, amount: '93.00' })
    expect(payouts).toMatchObject([{ state: 'paid', amount: '93.00' }])
    expect(history.map(({ reason }: { reason?: string }) => reason)).toContain('The one on Main Street')
    expect(revealed).toMatchObject([{ role: 'owner', what: ['card_number', 'pin', 'account'] }])
    for (const number of [1, 2]) {
      expect(files.get(`${folder}/photo-${number}.jpg`).readUIntBE(0, 3)).toBe(0xffd8ff)
    }
    const text = answer.bytes.toString('latin1')
    for (const secret of ['4930 7777', '49307777', secrets.securityCode, '998877665544', '$argon2']) {
      expect(text).not.toContain(secret)
    }
    const mails = await accountMails(server)
    expect(mails.map(({ subject }) => subject)).toContain('Your data was downloaded')
  })

  it('has the conversations of visitors with the same email once it is confirmed', async () => {
    const seller = await server.seller()
    const { email } = (await seller.get('/api/auth/me')).json.user
    await contacted(server, { email: email.toUpperCase(), message: 'From the form' })
    const contacts = async () =>
      [...(await download(seller)).files.keys()].filter((name) => name.startsWith('messages/contact-form'))
    expect(await contacts()).toEqual([])
    await confirmEmail(server, seller)
    expect(await contacts()).toHaveLength(1)
  })

  it('holds nothing of other sellers', async () => {
    const [seller, other] = [await server.seller(), await server.seller()]
    const id = await submitted(other)
    await other.post('/api/chat/messages', { message: 'Not yours' })
    const { answer, files } = await download(seller)
    expect([...files.keys()]).toEqual([
      'README.txt',
      'profile.json',
      'tax-details.json',
      'sessions.json',
      'passkeys.json',
      'second-factor.json',
      'reviews.json',
      'payment-methods.json',
      'notifications.json',
    ])
    expect(answer.text).not.toContain(id)
  })

  it('leaves out a photo that is lost', async () => {
    const seller = await server.seller()
    const id = await submittedIn('rejected', { seller, staff })
    const { rows } = await server.pool.query('select name from photos where gift_card_id = $1', [id])
    await server.context.photos.remove(rows[0].name)
    const names = [...(await download(seller)).files.keys()]
    expect(names.filter((name) => name.startsWith('submissions/'))).toEqual([
      expect.stringMatching(/submission\.json$/),
    ])
  })

  it('holds no transaction open for a slow reader, and ends with its connection', async () => {
    const seller = await server.seller()
    await submit(seller, {}, { photos: [await photo(1, { width: 4000, height: 3000 })] })
    const url = new URL('/api/user/export', await server.listen())
    const request = get(url, { headers: { cookie: seller.cookieHeader ?? '' } })
    const [response] = await once(request, 'response')
    expect(response.statusCode).toBe(200)
    response.pause()
    const { rows } = await server.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    )
    expect(rows).toEqual([])
    response.destroy()
    await once(response, 'close')
  })

  it('may be made five times a day', async () => {
    const limited = await createTestApp({ limits: true })
    const seller = await limited.seller()
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1) statuses.push((await seller.get('/api/user/export')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})
