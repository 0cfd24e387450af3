import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted, contactForm } from '#test/chat.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})

const say = (seller: Person, message: unknown, clientId?: string) =>
  seller.post('/api/chat/messages', { message, clientId })
const reply = (userId: string, message: unknown) => staff.post('/api/admin/chat/reply', { userId, message })
const texts = (messages: { message: string }[]) => messages.map(({ message }) => message)

describe('pushes', () => {
  const opened: LiveClient[] = []
  afterEach(() => {
    for (const client of opened.splice(0)) client.close()
  })
  async function connect(person: Person, query = ''): Promise<LiveClient> {
    const headers = person.cookieHeader ? { cookie: person.cookieHeader } : {}
    const client = await LiveClient.open(await server.listen(), headers, query)
    opened.push(client)
    return client
  }
  const visit = (sessionId: string, person = server.visitor()) =>
    connect(person, `?sessionId=${encodeURIComponent(sessionId)}`)

  it("carry a seller's message to staff and a reply to that seller, and reach no one else", async () => {
    const [seller, stranger] = [await server.seller('pushing'), await server.seller()]
    const [desk, mine, others] = [await connect(staff), await connect(seller), await connect(stranger)]
    await say(seller, 'Hello')
    await reply(seller.id, 'Good day')
    // The stranger receives this last, so nothing sent before is still on its way.
    await reply(stranger.id, 'To you')
    const threadId = (await staff.get(`/api/admin/chat/threads?userId=${seller.id}`)).json[0].id
    expect((await desk.heard(3)).slice(0, 2)).toEqual([
      { type: 'NEW_CHAT_MESSAGE', username: 'pushing', message: 'Hello', userId: seller.id, threadId },
      { type: 'THREAD_UPDATE', threadId, what: 'replied' },
    ])
    expect(await mine.heard(1)).toEqual([
      { type: 'NEW_CHAT_MESSAGE', username: 'Support agent', message: 'Good day', userId: seller.id },
    ])
    expect(await others.heard(1)).toMatchObject([{ message: 'To you' }])
  })

  it('carry a visitor’s message to staff and a reply to that visitor only', async () => {
    const desk = await connect(staff)
    const { visitor, sessionId } = await contacted(server)
    const other = await contacted(server)
    const [mine, others] = [await visit(sessionId), await visit(other.sessionId)]
    await visitor.post('/api/contact/message', { sessionId, message: 'Still there?' })
    await staff.post('/api/admin/contact/reply', { sessionId, message: 'Yes' })
    await staff.post('/api/admin/contact/reply', { sessionId: other.sessionId, message: 'Hello' })
    const from = { type: 'NEW_CHAT_MESSAGE', username: 'Vera Visitor' }
    const threadId = expect.any(String)
    expect((await desk.heard(3)).slice(0, 3)).toEqual([
      { ...from, message: contactForm.message, sessionId, threadId },
      { ...from, message: contactForm.message, sessionId: other.sessionId, threadId },
      { ...from, message: 'Still there?', sessionId, threadId },
    ])
    const support = { type: 'NEW_CHAT_MESSAGE', username: 'Support agent' }
    expect(await mine.heard(1)).toEqual([{ ...support, message: 'Yes', sessionId }])
    expect(await others.heard(1)).toEqual([{ ...support, message: 'Hello', sessionId: other.sessionId }])
  })

  it('tell only staff what another administrator did in a thread', async () => {
    const seller = await server.seller()
    const [desk, mine] = [await connect(staff), await connect(seller)]
    await say(seller, 'Hello')
    const [{ id: threadId }] = (await staff.get(`/api/admin/chat/threads?userId=${seller.id}`)).json
    const name = { userId: seller.id }
    await staff.post('/api/admin/chat/mark-read', name)
    // Nothing was unread, so nothing is pushed.
    await staff.post('/api/admin/chat/mark-read', name)
    await staff.post('/api/admin/chat/answering', name)
    await staff.post('/api/admin/chat/answering', { ...name, answering: false })
    await reply(seller.id, 'Good day')
    const [hello, ...told] = await desk.heard(5)
    expect(hello).toMatchObject({ message: 'Hello' })
    expect(told).toEqual(
      ['read', 'answering', 'answering', 'replied'].map((what) => ({
        type: 'THREAD_UPDATE',
        threadId,
        what,
      })),
    )
    expect(await mine.heard(3)).toMatchObject([
      { type: 'ANSWERING', seconds: 30, userId: seller.id },
      { type: 'ANSWERING', seconds: 0 },
      { type: 'NEW_CHAT_MESSAGE' },
    ])
  })

  it('of a contact thread are all that its channel carries, even for staff', async () => {
    const { sessionId } = await contacted(server)
    const channel = await visit(sessionId, staff)
    await say(await server.seller(), 'Not for this channel')
    await staff.post('/api/admin/contact/reply', { sessionId, message: 'For it' })
    expect(await channel.heard(1)).toMatchObject([{ message: 'For it' }])
  })

  it.each([
    ['unknown', 404],
    ['', 400],
    ['\u0000', 400],
    ['x'.repeat(256), 400],
  ])('are refused with a key that is unknown or invalid (%#)', async (key, status) => {
    await expect(visit(key)).rejects.toThrow(String(status))
    await expect(visit(key, staff)).rejects.toThrow(String(status))
  })

  it('are refused to other sites, even with the right key', async () => {
    const { sessionId } = await contacted(server)
    const evil = { origin: 'https://evil.example' }
    const open = LiveClient.open(await server.listen(), evil, `?sessionId=${sessionId}`)
    await expect(open).rejects.toThrow('403')
  })

  it('are sent once for a message that is sent twice', async () => {
    const seller = await server.seller()
    const desk = await connect(staff)
    const clientId = randomUUID()
    await say(seller, 'Once', clientId)
    await say(seller, 'Once', clientId)
    await say(seller, 'Next')
    // The message of an earlier test may still arrive here.
    const pushed = () => desk.messages.filter((message) => JSON.stringify(message).includes(seller.id))
    await expect.poll(() => texts(pushed() as unknown as { message: string }[])).toEqual(['Once', 'Next'])
  })

  it('carry a short preview without card numbers; the message itself is unchanged', async () => {
    const seller = await server.seller()
    const desk = await connect(staff)
    const card = 'It is 6006 4930 1234 5678, PIN 9876'
    await say(seller, card)
    // The longest characters in JSON: six bytes each.
    await say(seller, '\u0001'.repeat(4000))
    await say(seller, '😀'.repeat(2000))
    expect(texts((await desk.heard(3)) as unknown as { message: string }[])).toEqual([
      'It is ••••, PIN ••••',
      `${'\u0001'.repeat(199)}…`,
      `${'😀'.repeat(199)}…`,
    ])
    expect((await seller.get('/api/chat/messages')).json[0].message).toBe(card)
  })
})
