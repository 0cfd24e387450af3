import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})

const say = (seller: Person, message: unknown, clientId?: string) =>
  seller.post('/api/chat/messages', { message, clientId })
const reply = (userId: string, message: unknown, clientId?: string) =>
  staff.post('/api/admin/chat/reply', { userId, message, clientId })
const thread = (userId: string) => staff.get(`/api/admin/chat/messages?userId=${userId}`)
const unread = async (seller: Person) => (await seller.get('/api/chat/unread')).json.unreadCount
const texts = (messages: { message: string }[]) => messages.map(({ message }) => message)

describe('the chat of a signed-in seller', () => {
  it('shows messages oldest first, and no administrator’s name to the seller', async () => {
    const seller = await server.seller()
    expect((await seller.get('/api/chat/messages')).json).toEqual([])
    const sent = await say(seller, ' Hello \n')
    expect(sent.status).toBe(201)
    await reply(seller.id, ' Good day ')
    const mine = await seller.get('/api/chat/messages')
    expect(mine.json).toEqual([
      {
        id: sent.json.id,
        userId: seller.id,
        images: [],
        photoCount: 0,
        message: 'Hello',
        isUserMessage: true,
        isAdminReply: false,
        read: false,
        clientId: null,
        createdAt: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ message: 'Good day', isUserMessage: false, isAdminReply: true }),
    ])
    expect(mine.text).not.toMatch(/admin"|adminUser|username/)
    expect(mine.headers['cache-control']).toBe('no-store')
  })

  it('shows staff who wrote what', async () => {
    const seller = await server.seller('talkative')
    await say(seller, 'Hello')
    await reply(seller.id, 'Good day')
    expect((await thread(seller.id)).json).toMatchObject([
      { username: 'talkative', adminUsername: null, adminUserId: null },
      { username: 'talkative', adminUsername: 'admin', adminUserId: staff.id },
    ])
  })

  it('is visible to its seller only', async () => {
    const [seller, stranger] = [await server.seller(), await server.seller()]
    await say(seller, 'My secret')
    expect((await stranger.get(`/api/chat/messages?userId=${seller.id}`)).json).toEqual([])
    await stranger.post('/api/chat/messages', { message: 'Mine', userId: seller.id })
    expect(texts((await thread(seller.id)).json)).toEqual(['My secret'])
  })

  it('can be started by staff', async () => {
    const seller = await server.seller()
    expect((await thread(seller.id)).json).toEqual([])
    expect((await reply(seller.id, 'We have a question')).status).toBe(201)
    expect(texts((await seller.get('/api/chat/messages')).json)).toEqual(['We have a question'])
  })

  it('is created once when both sides start it at the same time', async () => {
    const seller = await server.seller()
    const answers = await Promise.all([
      ...['a', 'b', 'c'].map((message) => say(seller, message)),
      ...['d', 'e', 'f'].map((message) => reply(seller.id, message)),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(texts((await thread(seller.id)).json).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('is 404 for staff if the seller does not exist', async () => {
    const userId = '01890000-0000-7000-8000-000000000000'
    const answers = [
      await thread(userId),
      await reply(userId, 'Hello'),
      await thread(staff.id),
      await staff.post('/api/admin/chat/mark-read', { userId }),
      await staff.post('/api/admin/chat/answering', { userId }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect((await thread('1')).status).toBe(400)
  })

  it.each([[''], [' \n\t '], [undefined], [null], ['x'.repeat(4001)], ['\u0000'], ['\udc00']])(
    'refuses a message that is empty, too long or not text (%#)',
    async (message) => {
      const seller = await server.seller()
      for (const answer of [await say(seller, message), await reply(seller.id, message)]) {
        expect(answer.status).toBe(400)
        expect(answer.json.errors).toMatchObject([{ path: 'message' }])
      }
      expect((await thread(seller.id)).json).toEqual([])
    },
  )

  it('stores a message once, however often it is sent', async () => {
    const seller = await server.seller()
    const clientId = randomUUID()
    const mine = await Promise.all([1, 2, 3].map(() => say(seller, 'Once', clientId)))
    const theirs = await Promise.all([1, 2, 3].map(() => reply(seller.id, 'Answered once', clientId)))
    for (const answers of [mine, theirs]) {
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    }
    expect(texts((await thread(seller.id)).json)).toEqual(['Once', 'Answered once'])
    expect(await unread(seller)).toBe(1)
  })
})

describe('a seller’s unread count', () => {
  it('counts replies until they are read, but not their own messages', async () => {
    const seller = await server.seller()
    expect(await unread(seller)).toBe(0)
    await say(seller, 'Hello')
    await reply(seller.id, 'One')
    await reply(seller.id, 'Two')
    expect(await unread(seller)).toBe(2)
    expect((await thread(seller.id)).json.at(-1).read).toBe(false)
    expect((await seller.post('/api/chat/mark-read')).status).toBe(200)
    expect(await unread(seller)).toBe(0)
    const seen = (await thread(seller.id)).json
    expect(seen.map(({ read }: { read: boolean }) => read)).toEqual([false, true, true])
    await reply(seller.id, 'Three')
    expect(await unread(seller)).toBe(1)
  })

  it('can be reset only by the seller, and is 0 before the first message', async () => {
    const [seller, stranger] = [await server.seller(), await server.seller()]
    await reply(seller.id, 'One')
    expect((await stranger.post('/api/chat/mark-read', { userId: seller.id })).status).toBe(200)
    expect(await unread(seller)).toBe(1)
  })
})
