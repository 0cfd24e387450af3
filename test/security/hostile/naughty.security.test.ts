import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contactForm } from '#test/chat.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { amazonCard, image, photo, submit, submitted } from '#test/submissions.ts'
import { isLong } from '../size.ts'
import { naughtyStrings } from './naughty-strings.ts'
import { figure, seeded } from './size.ts'

let server: TestApp
let seller: Person
let staff: Person
let picture: Buffer
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
  picture = await photo(90, { width: 24, height: 24 })
})

const EVERY = isLong ? 1 : 48
const offset = seeded('naughty strings').below(EVERY)
const strings = naughtyStrings.filter((_, index) => index % EVERY === offset)
const PATIENCE = isLong ? 3_600_000 : 240_000
const counts = { shown: 0, refused: 0 }

type Fields = Record<string, string>
/** Sends a form and reads the stored fields back. */
interface Form {
  /** The fields to fill with the text, and the values to use for those that refuse it. */
  readonly fields: Fields
  readonly send: (fields: Fields) => Promise<TestAnswer>
  /** Sent as multipart, which is UTF-8: half a surrogate pair is replaced before it is sent. */
  readonly multipart?: true
  /** The stored value of each field. Blank may become null. */
  readonly read: (answer: TestAnswer) => Promise<Record<string, string | null | undefined>>
}

const last = (answer: TestAnswer) => answer.json.at(-1)

const forms: Readonly<Record<string, () => Promise<Form>>> = {
  profile: async () => ({
    fields: { firstName: 'Sally', lastName: 'Seller' },
    send: (fields) => seller.put('/api/user/profile', { email: `${seller.id}@example.com`, ...fields }),
    read: async () => (await seller.get('/api/auth/me')).json.user,
  }),
  registration: async () => ({
    fields: {
      username: `n${Math.random().toString(36).slice(2)}`,
      firstName: 'A',
      lastName: 'B',
      phoneNumber: '1',
    },
    send: (fields) =>
      server.visitor().post('/api/auth/register', {
        email: `r${Math.random().toString(36).slice(2)}@example.com`,
        password: 'a quite good password',
        ...fields,
      }),
    read: async (answer) => answer.json.user,
  }),
  submission: async () => ({
    fields: {
      cardNumber: '1234 5678',
      securityCode: '99',
      submissionNotes: 'none',
      paymentAccountName: 'Sally',
      paymentAccountInfo: 'sally@example.com',
    },
    multipart: true,
    // All other payment types check the account.
    send: (fields) =>
      submit(seller, { ...amazonCard, paymentType: 'other', ...fields }, { photos: [picture] }),
    async read(answer) {
      const { id } = answer.json.giftCard
      const [revealed, shown] = await Promise.all([
        staff.post(`/api/admin/submissions/${id}/reveal`),
        staff.get(`/api/admin/submissions/${id}`),
      ])
      const { submissionNotes, paymentAccountName } = shown.json
      return { ...revealed.json, submissionNotes, paymentAccountName }
    },
  }),
  'question and answer': async () => {
    const id = await submitted(seller)
    const ask = (reason: string) =>
      staff.patch(`/api/admin/submissions/${id}/status`, { status: 'under_review', reason })
    return {
      fields: { reason: 'Why?', message: 'Because' },
      multipart: true,
      async send({ reason = '', message = '' }) {
        const asked = await ask(reason)
        if (asked.status !== 200) return asked
        const answered = await seller.upload(`/api/user/gift-cards/${id}/answer`, [
          { name: 'message', value: message },
          image(picture),
        ])
        if (answered.status !== 200)
          await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'pending' })
        return answered
      },
      async read() {
        const history = (await staff.get(`/api/admin/submissions/${id}/history`)).json
        return { reason: history.at(-2).reason, message: history.at(-1).reason }
      },
    }
  },
  note: async () => ({
    fields: { text: 'A regular' },
    send: (fields) => staff.post('/api/admin/notes', { userId: seller.id, ...fields }),
    read: async (answer) => answer.json,
  }),
  review: async () => {
    const id = await submitted(seller)
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' })
    const [{ id: transactionId }] = (await seller.get('/api/my-transactions?limit=1')).json
    return {
      fields: { comment: 'Fine' },
      send: (fields) => seller.post('/api/reviews', { transactionId, rating: 5, ...fields }),
      read: async (answer) => answer.json,
    }
  },
  'payment method': async () => ({
    fields: { accountInfo: 'sally@example.com', accountName: 'Sally' },
    send: (fields) => seller.post('/api/payment-methods', { type: 'other', ...fields }),
    async read(answer) {
      const methods = (await seller.get('/api/payment-methods')).json as { id: string }[]
      await seller.delete(`/api/payment-methods/${answer.json.id}`)
      return (methods.find(({ id }) => id === answer.json.id) ?? {}) as Fields
    },
  }),
  contact: async () => ({
    fields: { firstName: 'Vera', lastName: 'Visitor', subject: 'A question' },
    send: (fields) => server.visitor().post('/api/contact', { ...contactForm, ...fields }),
    async read(answer) {
      const threads = (await staff.get('/api/admin/chat/threads?limit=1')).json
      const { username, sessionId } = threads[0]
      expect(sessionId).toBe(answer.json.sessionId)
      const { rows } = await server.pool.query(
        'select first_name as "firstName", last_name as "lastName", subject from contact_sessions where session_id = $1',
        [sessionId],
      )
      expect(username).toBe(`${rows[0].firstName} ${rows[0].lastName}`)
      return rows[0]
    },
  }),
  'contact message': async () => {
    const { sessionId } = (await server.visitor().post('/api/contact', contactForm)).json
    return {
      fields: { message: 'Hello' },
      send: (fields) => server.visitor().post('/api/contact/message', { sessionId, ...fields }),
      read: async () => last(await server.visitor().get(`/api/contact/messages?sessionId=${sessionId}`)),
    }
  },
  chat: async () => ({
    fields: { message: 'Hello' },
    send: (fields) => seller.post('/api/chat/messages', fields),
    read: async (answer) => (await staff.post(`/api/admin/chat/messages/${answer.json.id}/reveal`)).json,
  }),
  reply: async () => ({
    fields: { message: 'Hello' },
    send: (fields) => staff.post('/api/admin/chat/reply', { userId: seller.id, ...fields }),
    read: async () => last(await seller.get('/api/chat/messages')),
  }),
  'saved reply': async () => ({
    fields: { title: 'Title', text: 'Text' },
    send: (fields) => staff.post('/api/admin/saved-replies', fields),
    async read(answer) {
      const replies = (await staff.get('/api/admin/saved-replies')).json as { id: string }[]
      await staff.delete(`/api/admin/saved-replies/${answer.json.id}`)
      return (replies.find(({ id }) => id === answer.json.id) ?? {}) as Fields
    },
  }),
  brand: async () => ({
    fields: { name: 'Amazon' },
    send: (fields) => staff.patch('/api/admin/brands/amazon', fields),
    async read() {
      const brands = (await server.visitor().get('/api/brands')).json as { value: string; name: string }[]
      return { name: brands.find(({ value }) => value === 'amazon')?.name }
    },
  }),
}

/** Blank counts as missing. */
const expected = (text: string) => text.trim() || null

it.each(Object.entries(forms))(
  'each text in the %s form is stored unchanged or refused',
  { timeout: PATIENCE },
  async (_name, open) => {
    for (const text of strings) {
      const { fields, send, read, multipart } = await open()
      const filled = Object.fromEntries(Object.keys(fields).map((name) => [name, text]))
      let answer = await send(filled)
      // Uses valid values for the refused fields, and sends the others again.
      for (let tries = 0; answer.status === 400 && tries <= Object.keys(fields).length; tries++) {
        const refused = (answer.json.errors as { path: string }[]).map(({ path }) => path)
        expect(refused.length, JSON.stringify(text)).toBeGreaterThan(0)
        for (const path of refused) {
          expect(Object.keys(fields), JSON.stringify(text)).toContain(path)
          filled[path] = fields[path] ?? ''
          counts.refused += 1
        }
        answer = await send(filled)
      }
      // An earlier text may be the same username.
      if (answer.status === 409) continue
      expect([200, 201], `${JSON.stringify(text)}: ${answer.text.slice(0, 300)}`).toContain(answer.status)
      const shown = await read(answer)
      for (const [name, value] of Object.entries(filled)) {
        expect(shown[name] || null, `${name}: ${JSON.stringify(text)}`).toBe(
          expected(multipart ? value.toWellFormed() : value),
        )
        counts.shown += 1
      }
    }
    figure(
      `naughty strings: ${strings.length} so far shown as they are ${counts.shown}, refused ${counts.refused}`,
    )
  },
)

it('every search and every sign-in accepts any text', { timeout: PATIENCE }, async () => {
  const searches = [
    'submissions?q=',
    'users?q=',
    'transactions?q=',
    'transactions.csv?q=',
    'chat/threads?q=',
    'audit?actor=',
    'audit?subject=',
  ]
  for (const text of strings) {
    const encoded = text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
    for (const search of searches) {
      const { status } = await staff.get(`/api/admin/${search}${encoded}`)
      expect([200, 400], `${search} ${JSON.stringify(text)}`).toContain(status)
    }
    const signIns = [
      server.visitor().post('/api/auth/login', { email: text, password: text }),
      server.visitor().post('/api/auth/forgot-password', { email: text }),
      server.visitor().post('/api/auth/reset-password', { token: text, password: text }),
    ]
    for (const { status } of await Promise.all(signIns)) expect([200, 400, 401]).toContain(status)
  }
})
