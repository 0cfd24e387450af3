import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted, contactForm, mailedKey } from '#test/chat.ts'
import { linked, type Person } from '#test/person.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})

const read = (person: Person, sessionId: string, query = '') =>
  person.get(`/api/contact/messages?sessionId=${encodeURIComponent(sessionId)}${query}`)
const say = (person: Person, sessionId: unknown, message: unknown, more = {}) =>
  person.post('/api/contact/message', { sessionId, message, ...more })
const texts = (messages: { message: string }[]) => messages.map(({ message }) => message)

describe('the contact form', () => {
  it('starts a thread with a first message composed by the server, whatever fullMessage says', async () => {
    const visitor = server.visitor()
    const answer = await visitor.post('/api/contact', { ...contactForm, fullMessage: 'forged', status: 'x' })
    expect(answer.status).toBe(201)
    const { sessionId } = answer.json
    const messages = await read(visitor, sessionId)
    expect(messages.headers['cache-control']).toBe('no-store')
    expect(messages.json).toEqual([
      {
        id: expect.any(String),
        sessionId,
        message:
          'Subject: Where is my money?\nFrom: Vera Visitor (vera@example.com)\n\nI sent a card yesterday.',
        isUserMessage: true,
        isAdminReply: false,
        read: false,
        clientId: null,
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
  })

  it('composes the first message in the language of the visitor', async () => {
    const visitor = server.visitor()
    const { json } = await visitor.post('/api/contact', contactForm, { 'accept-language': 'es-MX' })
    const [first] = texts((await read(visitor, json.sessionId)).json)
    expect(first).toMatch(/^Asunto: Where is my money\?\nDe: Vera Visitor \(vera@example.com\)\n\nI sent/)
  })

  it('returns keys that cannot be guessed', async () => {
    const keys = await Promise.all([1, 2, 3].map(async () => (await contacted(server)).sessionId))
    expect(new Set(keys).size).toBe(3)
    for (const key of keys) expect(Buffer.from(key, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
  })

  it('reports all errors together', async () => {
    const answer = await server.visitor().post('/api/contact', { email: 'nobody', message: ' too short ' })
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toEqual([
      { path: 'firstName', message: 'First name is required', code: 'first_name_required' },
      { path: 'lastName', message: 'Last name is required', code: 'last_name_required' },
      { path: 'email', message: 'Please enter a valid email', code: 'email_invalid' },
      { path: 'subject', message: 'Subject is required', code: 'subject_required' },
      {
        path: 'message',
        message: 'Message must be at least 10 characters',
        code: 'contact_message_too_short',
        params: { minimum: 10 },
      },
    ])
    const blank = await server.visitor().post('/api/contact', { ...contactForm, message: ' '.repeat(20) })
    expect(blank.json.message).toBe('Message must be at least 10 characters')
  })

  it.each([
    ['firstName', 'x'.repeat(101)],
    ['lastName', 'x'.repeat(101)],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['subject', 'x'.repeat(256)],
    ['message', 'x'.repeat(4001)],
    ['message', 'a NUL: \u0000 in here'],
    ['subject', 'half a pair \ud83d'],
    // Could fake another line of the first message.
    ['subject', 'Hi\r\nFrom: The Boss'],
    ['lastName', 'Boss\u2028x'],
    ['firstName', 'The\u0085Boss'],
    ['firstName', ['Vera']],
    ['message', { text: 'long enough' }],
  ])('refuses %s %.20j', async (field, value) => {
    const answer = await server.visitor().post('/api/contact', { ...contactForm, [field]: value })
    expect(answer.status).toBe(400)
    expect(answer.json.errors).toMatchObject([{ path: field }])
  })

  it('accepts every field at its maximum length', async () => {
    const { visitor, sessionId } = await contacted(server, {
      firstName: '😀'.repeat(50),
      lastName: 'x'.repeat(100),
      subject: 'x'.repeat(255),
      message: '\u0001'.repeat(4000),
    })
    expect((await read(visitor, sessionId)).json[0].message).toContain('\u0001'.repeat(4000))
  })
})

describe('the chat of a visitor', () => {
  it('shows messages oldest first, and no administrator’s name to the visitor', async () => {
    const { visitor, sessionId } = await contacted(server)
    await staff.post('/api/admin/contact/reply', { sessionId, message: ' Let me look. ' })
    const sent = await say(visitor, sessionId, ' Thank you \n')
    expect(sent.status).toBe(201)
    expect(sent.json).toMatchObject({ sessionId, message: 'Thank you', isUserMessage: true })
    const seen = await read(visitor, sessionId)
    expect(texts(seen.json).slice(1)).toEqual(['Let me look.', 'Thank you'])
    expect(seen.json.map((message: { isUserMessage: boolean }) => message.isUserMessage)).toEqual([
      true,
      false,
      true,
    ])
    expect(seen.text).not.toMatch(/admin"|adminUser|username/)
  })

  it('shows administrators who wrote each message, at the same address', async () => {
    const { sessionId } = await contacted(server)
    await staff.post('/api/admin/contact/reply', { sessionId, message: 'Hello' })
    expect((await read(staff, sessionId)).json).toMatchObject([
      { username: 'Vera Visitor', adminUsername: null, isUserMessage: true },
      { username: 'Vera Visitor', adminUsername: 'admin', adminUserId: staff.id, isUserMessage: false },
    ])
  })

  it('is 404 for an unknown key, for everyone and every request', async () => {
    const unknown = 'A'.repeat(43)
    const seller = await server.seller()
    const answers = [
      await read(server.visitor(), unknown),
      await read(seller, seller.id),
      await read(staff, unknown),
      await say(server.visitor(), unknown, 'Hello'),
      await staff.post('/api/admin/contact/reply', { sessionId: unknown, message: 'Hello' }),
      await staff.post('/api/admin/chat/mark-read', { sessionId: unknown }),
      await staff.post('/api/admin/chat/answering', { sessionId: unknown }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  })

  it.each(['', '\u0000', 'x'.repeat(256), '%'])('refuses a key that cannot exist (%#)', async (key) => {
    expect((await read(server.visitor(), key)).status).toBe(key === '%' ? 404 : 400)
    expect((await say(server.visitor(), key, 'Hello')).status).toBe(key === '%' ? 404 : 400)
  })

  it('needs a key', async () => {
    expect((await server.visitor().get('/api/contact/messages')).status).toBe(400)
    expect((await server.visitor().get('/api/contact/messages?sessionId=a&sessionId=b')).status).toBe(400)
  })

  it.each([[''], [' \n\t '], [undefined], [null], [7], ['x'.repeat(4001)], ['\u0000'], ['\udc00']])(
    'refuses a message that is empty, too long or not text (%#)',
    async (message) => {
      const { visitor, sessionId } = await contacted(server)
      for (const answer of [
        await say(visitor, sessionId, message),
        await staff.post('/api/admin/contact/reply', { sessionId, message }),
      ]) {
        expect(answer.status).toBe(400)
        expect(answer.json.errors).toMatchObject([{ path: 'message' }])
      }
      expect((await read(visitor, sessionId)).json).toHaveLength(1)
    },
  )

  it('keeps hostile text unchanged', async () => {
    const { visitor, sessionId } = await contacted(server)
    const hostile = `<script>alert(1)</script> '; drop table chat_messages; -- \u202e😀`
    await say(visitor, sessionId, hostile)
    expect(texts((await read(visitor, sessionId)).json).at(-1)).toBe(hostile)
  })

  it('stores a message once, however often it is sent', async () => {
    const { visitor, sessionId } = await contacted(server)
    const clientId = randomUUID()
    const answers = await Promise.all([1, 2, 3, 4].map(() => say(visitor, sessionId, 'Once', { clientId })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    expect(answers[0]?.json.clientId).toBe(clientId)
    expect(texts((await read(visitor, sessionId)).json).slice(1)).toEqual(['Once'])
    expect((await say(visitor, sessionId, 'x', { clientId: 'no uuid' })).status).toBe(400)
  })

  it("keeps a reply apart from the customer's message of the same id, and threads from each other", async () => {
    const [one, two] = [await contacted(server), await contacted(server)]
    const clientId = randomUUID()
    const reply = { sessionId: one.sessionId, message: 'Reply', clientId }
    expect((await staff.post('/api/admin/contact/reply', reply)).status).toBe(201)
    expect((await say(one.visitor, one.sessionId, 'Mine', { clientId })).json.message).toBe('Mine')
    expect((await say(two.visitor, two.sessionId, 'Elsewhere', { clientId })).status).toBe(201)
    expect(texts((await read(one.visitor, one.sessionId)).json).slice(1)).toEqual(['Reply', 'Mine'])
  })

  it('pages back to older messages', async () => {
    const { visitor, sessionId } = await contacted(server)
    for (const message of ['1', '2', '3', '4']) await say(visitor, sessionId, message)
    const newest = await read(visitor, sessionId, '&limit=2')
    expect(texts(newest.json)).toEqual(['3', '4'])
    const older = await visitor.get(linked(newest, 'prev'))
    expect(texts(older.json)).toEqual(['1', '2'])
    const oldest = await visitor.get(linked(older, 'prev'))
    expect(oldest.json).toHaveLength(1)
    expect(oldest.headers.link).toBeUndefined()
  })

  it('ignores a cursor that is not one of its own messages', async () => {
    const { visitor, sessionId } = await contacted(server)
    const later = await contacted(server)
    const [strange] = (await read(later.visitor, later.sessionId)).json
    expect((await read(visitor, sessionId, `&before=${strange.id}`)).json).toEqual([])
    expect((await read(visitor, sessionId, `&before=${randomUUID()}`)).json).toEqual([])
    expect((await read(visitor, sessionId, '&before=1')).status).toBe(400)
    expect((await read(visitor, sessionId, '&limit=501')).status).toBe(400)
  })
})

describe('a mailed link', () => {
  const secret = 'The number is on my other card'

  it('leaves the key from the form as it is until somebody uses it', async () => {
    const { visitor, sessionId } = await contacted(server)
    const key = await mailedKey(server, staff, sessionId)
    expect(Buffer.from(key, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
    expect(key).not.toBe(sessionId)
    const seen = await read(visitor, sessionId)
    expect(seen.json).toHaveLength(2)
    expect(seen.text).not.toContain(key)
    expect((await say(visitor, sessionId, 'From the form')).json.sessionId).toBe(sessionId)
    expect(await mailedKey(server, staff, sessionId)).toBe(key)
  })

  it.each([
    ['reads', (person: Person, key: string) => read(person, key)],
    ['peeks', (person: Person, key: string) => read(person, key, '&peek=true')],
    ['writes', (person: Person, key: string) => say(person, key, 'Hello')],
  ])('ends the key from the form when its owner %s', async (_what, use) => {
    const { visitor: stranger, sessionId } = await contacted(server)
    const key = await mailedKey(server, staff, sessionId)
    const owner = server.visitor()
    const first = await use(owner, key)
    expect(first.status).toBeLessThan(300)
    expect([first.json].flat().map((message) => message.sessionId)).not.toContain(sessionId)
    const sent = await say(owner, key, secret)
    expect(sent.json).toMatchObject({ sessionId: key, message: secret })

    const refused = [
      await read(stranger, sessionId),
      await read(stranger, sessionId, `&before=${sent.json.id}`),
      await read(stranger, sessionId, '&peek=true'),
      await say(stranger, sessionId, 'Let me in'),
      await say(stranger, sessionId, 'Let me in', { clientId: randomUUID() }),
    ]
    for (const { status, json } of refused) {
      expect([status, json]).toEqual([
        404,
        {
          code: 'continued_by_email',
          message: 'This conversation has a new link, which we emailed. Please open that one.',
        },
      ])
    }
  })

  it('keeps working on every device and in later mails, with its own key in every answer', async () => {
    const { sessionId } = await contacted(server)
    const key = await mailedKey(server, staff, sessionId)
    await read(server.visitor(), key)
    const elsewhere = await read(server.visitor(), key)
    expect(elsewhere.json).toHaveLength(2)
    for (const message of elsewhere.json) expect(message.sessionId).toBe(key)
    expect(elsewhere.text).not.toContain(sessionId)
    expect(await mailedKey(server, staff, sessionId)).toBe(key)
    const older = linked(await read(server.visitor(), key, '&limit=1'), 'prev')
    expect((await server.visitor().get(older)).json[0].sessionId).toBe(key)
  })

  it('leaves staff with the session id', async () => {
    const { sessionId } = await contacted(server)
    const key = await mailedKey(server, staff, sessionId)
    // Staff who open the link themselves end nothing.
    expect((await read(staff, key)).json[0].sessionId).toBe(sessionId)
    expect((await read(server.visitor(), sessionId)).status).toBe(200)
    await say(server.visitor(), key, secret)
    const seen = await read(staff, sessionId)
    expect(texts(seen.json).at(-1)).toBe(secret)
    const replied = await staff.post('/api/admin/contact/reply', { sessionId, message: 'Thank you' })
    expect([replied.status, replied.json.sessionId]).toEqual([201, sessionId])
    expect((await staff.post('/api/admin/chat/mark-read', { sessionId })).status).toBe(200)
    const { json: threads, text } = await staff.get('/api/admin/chat/threads?limit=100')
    expect(threads.map((thread: { sessionId: string }) => thread.sessionId)).toContain(sessionId)
    expect(seen.text + replied.text + text).not.toContain(key)
  })

  it('does not open or end another thread with the same address', async () => {
    const [one, two] = [await contacted(server), await contacted(server)]
    const key = await mailedKey(server, staff, one.sessionId)
    await say(server.visitor(), key, secret)
    expect(await mailedKey(server, staff, two.sessionId)).not.toBe(key)
    const seen = await read(two.visitor, two.sessionId)
    expect(seen.status).toBe(200)
    expect(seen.text).not.toContain(secret)
  })

  it('ends the other key once when it is used several times at once, also while the stranger polls', async () => {
    const { visitor: stranger, sessionId } = await contacted(server)
    const key = await mailedKey(server, staff, sessionId)
    const poll = () => [
      read(stranger, sessionId),
      say(stranger, sessionId, 'Still here'),
      read(stranger, sessionId),
    ]
    const polls = poll()
    const used = [say(server.visitor(), key, secret), say(server.visitor(), key, secret)]
    polls.push(...poll())
    expect((await Promise.all(used)).map(({ status }) => status)).toEqual([201, 201])
    polls.push(...poll())
    const answers = await Promise.all(polls)
    for (const { text } of answers) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(key)
    }
    expect(answers.slice(-3).map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('is not outrun by a stranger who was let in just before it was opened', async () => {
    const { visitor: stranger, sessionId } = await contacted(server)
    const key = await mailedKey(server, staff, sessionId)
    await read(stranger, sessionId)
    const client = await server.pool.connect()
    try {
      await client.query('begin; lock table chat_messages in access exclusive mode')
      const reading = read(stranger, sessionId)
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      await expect.poll(async () => (await server.pool.query(waiting)).rowCount).toBe(1)
      await client.query('update contact_sessions set mailed_key_used_at = now() where mailed_key = $1', [
        key,
      ])
      await client.query(
        `insert into chat_messages (id, thread_id, message)
         select gen_random_uuid(), thread.id, $2 from chat_threads thread
         join contact_sessions contact on contact.id = thread.contact_session_id where contact.mailed_key = $1`,
        [key, secret],
      )
      await client.query('commit')
      const answer = await reading
      expect([answer.status, answer.json.code]).toEqual([404, 'continued_by_email'])
    } finally {
      client.release(true)
    }
  })
})

it('limits contact forms and messages', async () => {
  const limited = await createTestApp({ limits: true })
  const visitor = limited.visitor()
  const send = () => visitor.post('/api/contact', contactForm, { 'accept-language': 'es-MX' })
  let answer = await send()
  const { sessionId } = answer.json
  for (let sent = 1; answer.status === 201; sent++) {
    expect(sent).toBeLessThan(100)
    answer = await send()
  }
  expect(answer.status).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect((await say(visitor, sessionId, 'The chat is counted by itself')).status).toBe(201)
})
