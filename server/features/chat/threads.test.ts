import { beforeAll, describe, expect, it } from 'vitest'
import type { ChatMessage } from '#contract/chat.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import { linked, type Person, type TestAnswer } from '#test/person.ts'

let server: TestApp
let staff: Person
let ana: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  ana = await server.staff('ana')
})

const list = (query = '', by = staff) => by.get(`/api/admin/chat/threads?limit=200&${query}`)
const names = (answer: TestAnswer) => answer.json.map(({ username }: ChatThread) => username)
async function listed(name: { userId?: string; sessionId?: string }, by = staff): Promise<ChatThread> {
  const threads: ChatThread[] = (await list('', by)).json
  const found = threads.find(
    ({ userId, sessionId }) => userId === (name.userId ?? null) && sessionId === (name.sessionId ?? null),
  )
  if (!found) throw new Error('The thread is not in the list')
  return found
}
const say = (seller: Person, message = 'Hello') => seller.post('/api/chat/messages', { message })
const markRead = (name: object) => staff.post('/api/admin/chat/mark-read', name)

describe("staff's list of threads", () => {
  it('contains contact and user threads, the newest message first', async () => {
    const own = await createTestApp()
    const admin = await own.staff()
    const [maria, oskar] = [await own.seller('maria'), await own.seller('oskar')]
    await maria.put('/api/user/locale', { locale: 'es' })
    await say(maria)
    await say(oskar)
    const { sessionId } = await contacted(own)
    await say(maria, 'Are you there?')
    const answer = await admin.get('/api/admin/chat/threads')
    expect(answer.headers['x-total-count']).toBe('3')
    expect(answer.headers.link).toBeUndefined()
    const [first, second, third] = answer.json
    expect(first).toEqual({
      id: expect.any(String),
      type: 'user',
      userId: maria.id,
      sessionId: null,
      username: 'maria',
      userEmail: 'maria@example.com',
      locale: 'es',
      subject: null,
      about: null,
      lastMessage: 'Are you there?',
      lastMessageTime: (await maria.get('/api/chat/messages')).json[1].createdAt,
      lastMessageIsReply: false,
      waitingSince: (await maria.get('/api/chat/messages')).json[0].createdAt,
      unreadCount: 2,
      answeringBy: null,
      state: 'open',
      snoozedUntil: null,
      assignedTo: null,
    })
    expect(second).toMatchObject({
      type: 'contact',
      userId: null,
      sessionId,
      username: 'Vera Visitor',
      userEmail: 'vera@example.com',
      locale: 'en',
      subject: 'Where is my money?',
      lastMessage: expect.stringContaining('I sent a card yesterday.'),
      unreadCount: 1,
    })
    expect(third).toMatchObject({ username: 'oskar', lastMessage: 'Hello' })
  })

  it('shows a reply as the last message, without changing what is unread', async () => {
    const seller = await server.seller()
    await say(seller)
    await staff.post('/api/admin/chat/reply', { userId: seller.id, message: 'Good day' })
    expect(await listed({ userId: seller.id })).toMatchObject({
      lastMessage: 'Good day',
      lastMessageIsReply: true,
      unreadCount: 1,
    })
  })

  it('shows since when the customer has waited for a reply, and sorts by that, then newest first', async () => {
    const own = await createTestApp()
    const admin = await own.staff()
    const [maria, oskar, vera] = [
      await own.seller('maria'),
      await own.seller('oskar'),
      await own.seller('vera'),
    ]
    for (const seller of [vera, maria, oskar]) await say(seller)
    await admin.post('/api/admin/chat/reply', { userId: oskar.id, message: 'Good day' })
    await admin.post('/api/admin/chat/reply', { userId: vera.id, message: 'Good day' })
    await say(oskar, 'First')
    await say(oskar, 'Second')
    await say(maria, 'Are you there?')
    const first = await admin.get('/api/admin/chat/threads?sort=waiting&limit=2')
    const rest = await admin.get(linked(first))
    // Maria has waited longest although her last message is newer, and Vera's answered one is the oldest.
    expect(names(first)).toEqual(['maria', 'oskar'])
    expect(names(rest)).toEqual(['vera'])
    const [, , sinceThen] = (await oskar.get('/api/chat/messages')).json
    expect(first.json[1].waitingSince).toBe(sinceThen.createdAt)
    expect(rest.json[0].waitingSince).toBeNull()
    expect(names(await admin.get('/api/admin/chat/threads?sort=waiting&show=unread&q=example.com'))).toEqual([
      'maria',
      'oskar',
      'vera',
    ])
    await admin.patch('/api/admin/chat/threads', { userId: maria.id, closed: true })
    expect(names(await admin.get('/api/admin/chat/threads?sort=waiting'))).toEqual(['oskar', 'maria', 'vera'])
    await admin.patch('/api/admin/chat/threads', { userId: oskar.id, closed: true })
    expect((await admin.get(`/api/admin/chat/threads?userId=${oskar.id}`)).json[0].waitingSince).toBeNull()
  })

  it('finds one thread by its id or its seller, or none', async () => {
    const [seller, silent] = [await server.seller(), await server.seller()]
    await say(seller)
    const { id } = await listed({ userId: seller.id })
    for (const query of [`id=${id}`, `userId=${seller.id}`]) {
      const answer = await list(query)
      expect(answer.json).toMatchObject([{ id, userId: seller.id }])
      expect(answer.headers['x-total-count']).toBe('1')
    }
    expect((await list(`userId=${silent.id}`)).json).toEqual([])
    expect((await list(`id=${id}&userId=${silent.id}`)).json).toEqual([])
  })

  it('masks card numbers and shortens long messages', async () => {
    const seller = await server.seller()
    await say(seller, '6006 4930 1234 5678')
    expect((await listed({ userId: seller.id })).lastMessage).toBe('••••')
    await say(seller, 'x'.repeat(4000))
    expect((await listed({ userId: seller.id })).lastMessage).toHaveLength(300)
  })

  it('pages without skipping a thread when another one moves up', async () => {
    const own = await createTestApp()
    const admin = await own.staff()
    const sellers = []
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      const seller = await own.seller(name)
      await say(seller)
      sellers.push(seller)
    }
    const first = await admin.get('/api/admin/chat/threads?limit=2&q=example.com')
    expect(names(first)).toEqual(['five', 'four'])
    // The thread with which the next page starts, and one of the last page.
    await say(sellers[3] as Person)
    await say(sellers[0] as Person)
    const second = await admin.get(linked(first))
    expect(names(second)).toEqual(['three', 'two'])
    expect(second.headers.link).toBeUndefined()
    expect(names(await admin.get('/api/admin/chat/threads?limit=2'))).toEqual(['one', 'four'])
  })

  it.each(['limit=0', 'limit=201', 'cursor=x', 'cursor=-1', 'cursor=9999999999999999999', 'q=%00', 'id=1'])(
    'refuses %s',
    async (query) => {
      expect((await staff.get(`/api/admin/chat/threads?${query}`)).status).toBe(400)
    },
  )
})

describe('the search', () => {
  beforeAll(async () => {
    await say(await server.seller('Percy_100'))
    await say(await server.seller('percyx100'))
    await contacted(server, { firstName: 'Ünal', lastName: 'O%Neill', email: 'Unal@Mail.example' })
  })

  it.each([
    ['percy_', ['Percy_100']],
    ['PERCY', ['percyx100', 'Percy_100']],
    ['percyx100@EXAMPLE', ['percyx100']],
    ['o%n', ['Ünal O%Neill']],
    ['ünal o', ['Ünal O%Neill']],
    ['ÜNAL', ['Ünal O%Neill']],
    ['unal@mail', ['Ünal O%Neill']],
    ['percy%', []],
    ['\\', []],
    ["'; drop table chat_threads; --", []],
    [' percyx ', ['percyx100']],
  ])('finds %s literally, in any case', async (q, expected) => {
    const answer = await list(`q=${encodeURIComponent(q)}`)
    expect(names(answer)).toEqual(expected)
    expect(answer.headers['x-total-count']).toBe(String(expected.length))
  })

  it('finds everything for an empty text', async () => {
    expect(names(await list('q='))).toEqual(names(await list()))
  })
})

describe('marking read', () => {
  it('works for both kinds of threads, and counts only later messages', async () => {
    const seller = await server.seller()
    const { visitor, sessionId } = await contacted(server)
    await say(seller)
    for (const name of [{ userId: seller.id }, { sessionId }]) {
      expect((await listed(name)).unreadCount).toBe(1)
      expect((await markRead(name)).status).toBe(200)
      expect((await markRead(name)).status).toBe(200)
      expect((await listed(name)).unreadCount).toBe(0)
    }
    await say(seller, 'And?')
    await visitor.post('/api/contact/message', { sessionId, message: 'And?' })
    expect((await listed({ userId: seller.id })).unreadCount).toBe(1)
    expect((await listed({ sessionId })).unreadCount).toBe(1)
    const mine = (await seller.get('/api/chat/messages')).json
    expect(mine.map(({ read }: { read: boolean }) => read)).toEqual([true, false])
  })

  it('is undone for the last message only, and never marks another as read', async () => {
    const seller = await server.seller()
    const name = { userId: seller.id }
    const read = async () => (await seller.get('/api/chat/messages')).json.map((one: ChatMessage) => one.read)
    const markUnread = () => staff.patch('/api/admin/chat/threads', { ...name, unread: true })
    await say(seller)
    await say(seller, 'And?')
    expect((await markUnread()).json.unreadCount).toBe(2)
    expect(await read()).toEqual([false, false])
    await markRead(name)
    expect((await markUnread()).json.unreadCount).toBe(1)
    expect(await read()).toEqual([true, false])
  })

  it('does nothing before the first message', async () => {
    const seller = await server.seller()
    expect((await markRead({ userId: seller.id })).status).toBe(200)
    expect(names(await list())).not.toContain(seller.id)
  })

  it('requires exactly one way to name the thread', async () => {
    const { sessionId } = await contacted(server)
    for (const path of ['mark-read', 'answering']) {
      const send = (name: object) => staff.post(`/api/admin/chat/${path}`, name)
      expect((await send({ userId: staff.id, sessionId })).status).toBe(400)
      expect((await send({})).status).toBe(400)
      expect((await send({ userId: 'x' })).status).toBe(400)
      expect((await send({ sessionId: '\u0000' })).status).toBe(400)
    }
  })

  it('by the seller does not change what staff have not read', async () => {
    const seller = await server.seller()
    await say(seller)
    await seller.post('/api/chat/mark-read')
    expect((await listed({ userId: seller.id })).unreadCount).toBe(1)
  })
})

describe('who is answering', () => {
  const answer = (by: Person, name: object) => by.post('/api/admin/chat/answering', name)

  it('is shown to other administrators, cannot be taken over, and ends with the reply', async () => {
    const { sessionId } = await contacted(server)
    expect((await answer(ana, { sessionId })).json).toEqual({ answeringBy: null })
    expect((await listed({ sessionId })).answeringBy).toBe('ana')
    expect((await listed({ sessionId }, ana)).answeringBy).toBeNull()
    expect((await answer(staff, { sessionId })).json).toEqual({ answeringBy: 'ana' })
    expect((await listed({ sessionId })).answeringBy).toBe('ana')
    await ana.post('/api/admin/contact/reply', { sessionId, message: 'Hello' })
    expect((await listed({ sessionId })).answeringBy).toBeNull()
  })

  it('ends when the administrator stops; others cannot end it', async () => {
    const seller = await server.seller()
    await say(seller)
    const name = { userId: seller.id }
    await answer(ana, name)
    await answer(staff, { ...name, answering: false })
    expect((await listed(name)).answeringBy).toBe('ana')
    await answer(ana, { ...name, answering: false })
    expect((await listed(name)).answeringBy).toBeNull()
  })

  it('expires, and then another administrator can answer', async () => {
    const { sessionId } = await contacted(server)
    await answer(ana, { sessionId })
    const { rows } = await server.pool.query(
      'select extract(epoch from answering_until - now())::float as left from chat_threads where answering_by = $1',
      [ana.id],
    )
    expect(rows).toEqual([{ left: expect.closeTo(30, -1) }])
    await server.pool.query('update chat_threads set answering_until = now() where answering_by = $1', [
      ana.id,
    ])
    expect((await listed({ sessionId })).answeringBy).toBeNull()
    expect((await answer(staff, { sessionId })).json).toEqual({ answeringBy: null })
    expect((await answer(ana, { sessionId })).json).toEqual({ answeringBy: 'admin' })
  })

  it('is empty before a seller’s first message', async () => {
    const seller = await server.seller()
    expect((await answer(ana, { userId: seller.id })).json).toEqual({ answeringBy: null })
    expect((await list(`q=${seller.id}`)).json).toEqual([])
  })
})
