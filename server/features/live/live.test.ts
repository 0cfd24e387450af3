import { request as httpRequest } from 'node:http'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeCodes, type LiveSide } from '#contract/live.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted, mailedKey } from '#test/chat.ts'
import type { Person } from '#test/person.ts'
import { RawConnection } from '#test/raw-request.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'

const MAX_SOCKETS = 5

let server: TestApp
let url: string
const opened: LiveClient[] = []
beforeAll(async () => {
  server = await createTestApp({ maxSockets: MAX_SOCKETS })
  url = await server.listen()
})
afterEach(() => {
  for (const client of opened.splice(0)) client.close()
})

async function connect(person: Person, headers: Record<string, string> = {}): Promise<LiveClient> {
  const client = await LiveClient.open(url, { cookie: person.cookieHeader, ...headers })
  opened.push(client)
  return client
}

describe('the live channel', () => {
  it('reports a submission and its moves to staff and its seller, but not to other sellers', async () => {
    const [seller, stranger, staff] = [await server.seller(), await server.seller(), await server.staff()]
    const [mine, others, desk] = [await connect(seller), await connect(stranger), await connect(staff)]
    const id = await submitted(seller, { cardNumber: '5555 6666 7777 8888', securityCode: '2468' })
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    // The last message for all, so nothing else can still arrive.
    const strangers = await submitted(stranger)

    expect(await desk.heard(3)).toMatchObject([
      {
        type: 'NEW_SUBMISSION',
        submission: { id, brand: 'amazon', userId: seller.id, user: { id: seller.id } },
      },
      { type: 'STATUS_UPDATE', userId: seller.id, submissionId: id, status: 'processing' },
      { type: 'NEW_SUBMISSION', submission: { id: strangers } },
    ])
    expect(await mine.heard(2)).toMatchObject([
      { type: 'NEW_SUBMISSION', submission: { id } },
      { type: 'STATUS_UPDATE', status: 'approved' },
    ])
    expect(await others.heard(1)).toMatchObject([{ type: 'NEW_SUBMISSION', submission: { id: strangers } }])
    expect(withoutRandom(JSON.stringify([desk.messages, mine.messages]))).not.toMatch(/8888|2468|sally@/)
  })

  it('tells the seller when staff look at the numbers of a card', async () => {
    const [seller, staff] = [await server.seller(), await server.staff()]
    const id = await submitted(seller)
    const mine = await connect(seller)
    await staff.post(`/api/admin/submissions/${id}/reveal`)
    // The submission itself may be pushed late.
    const revealed = { type: 'REVEALED', userId: seller.id, submissionId: id }
    await expect.poll(() => mine.messages).toContainEqual(revealed)
  })

  it('reports chats only to staff who chat', async () => {
    const [seller, staff, auditor] = [
      await server.seller(),
      await server.staff(),
      await server.staff('aude', 'auditor'),
    ]
    const [desk, auditors] = [await connect(staff), await connect(auditor)]
    await seller.post('/api/chat/messages', { message: 'My card is stuck' })
    await staff.post('/api/admin/chat/reply', { userId: seller.id, message: 'We look into it' })
    await submitted(seller)
    expect((await desk.heard(3)).map(({ type }) => type)).toEqual([
      'NEW_CHAT_MESSAGE',
      'THREAD_UPDATE',
      'NEW_SUBMISSION',
    ])
    expect((await auditors.heard(1)).map(({ type }) => type)).toEqual(['NEW_SUBMISSION'])
  })

  it('does not report a refused move', async () => {
    const [seller, staff] = [await server.seller(), await server.staff()]
    const desk = await connect(staff)
    const id = await submitted(seller)
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'failed', reason: 'No' })
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' })
    expect(await desk.heard(2)).toMatchObject([{ type: 'NEW_SUBMISSION' }, { status: 'completed' }])
  })

  it('refuses strangers and other sites', async () => {
    await expect(connect(server.visitor())).rejects.toThrow('401')
    const seller = await server.seller()
    await expect(connect(seller, { origin: 'https://evil.example' })).rejects.toThrow('403')
    await expect(connect(seller, { 'sec-fetch-site': 'cross-site' })).rejects.toThrow('403')
    await connect(seller, { origin: url })
  })

  it('closes sockets over the limit of a person with their own code', async () => {
    const [seller, other] = [await server.seller(), await server.seller()]
    const clients = await Promise.all(Array.from({ length: MAX_SOCKETS }, () => connect(seller)))
    const beyond = await connect(seller)
    expect(await beyond.closed).toBe(closeCodes.tooMany)
    const [first] = clients
    first?.close()
    await first?.closed
    await connect(other)
    const again = await connect(seller)
    await submitted(seller)
    expect(await again.heard(1)).toMatchObject([{ type: 'NEW_SUBMISSION' }])
    expect(beyond.messages).toEqual([])
  })

  it('closes when the session ends', async () => {
    const seller = await server.seller()
    const client = await connect(seller)
    await seller.post('/api/auth/logout')
    expect(await client.closed).toBe(1000)
  })

  it('answers a ping and ignores everything else a client sends', async () => {
    const client = await connect(await server.seller())
    for (const text of ['{"type":"PONG"}', 'ping ', 'ping']) client.say(text)
    expect(await client.heard(1)).toEqual([{ type: 'PONG' }])
    client.say('ping')
    expect(await client.heard(2)).toEqual([{ type: 'PONG' }, { type: 'PONG' }])
  })

  it('closes when the session expires, without another message', async () => {
    const [seller, staff] = [await server.seller(), await server.staff('late')]
    const desk = await connect(staff)
    await submitted(seller)
    expect(await desk.heard(1)).toHaveLength(1)
    // Nothing announces that a session expires. The clock jumps past the time until which the socket trusts it.
    await server.pool.query(
      "update sessions set expire = now() - interval '1 second' where administrator_id = $1",
      [staff.id],
    )
    const later = performance.now() + 1e10
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    await submitted(seller)
    expect(await desk.closed).toBe(closeCodes.signedOut)
    clock.mockRestore()
    expect(desk.messages).toHaveLength(1)
  })

  it('stays open without losing messages if the session was used', async () => {
    const [seller, staff] = [await server.seller(), await server.staff()]
    const desk = await connect(staff)
    await submitted(seller)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1e10)
    for (let sent = 0; sent < 3; sent++) await submitted(seller)
    expect(await desk.heard(4)).toHaveLength(4)
    clock.mockRestore()
  })
})

describe('a visitor', () => {
  const listen = async (sessionId: string) => {
    const client = await LiveClient.open(url, {}, `?sessionId=${sessionId}`)
    opened.push(client)
    return client
  }

  it('receives replies by the key in the mailed link from its first use on, and the other key receives nothing more', async () => {
    const staff = await server.staff()
    const { sessionId } = await contacted(server)
    const stranger = await listen(sessionId)
    const key = await mailedKey(server, staff, sessionId)
    const owner = await listen(key)
    expect(await stranger.closed).toBe(closeCodes.signedOut)
    await expect(listen(sessionId)).rejects.toThrow('404')
    await staff.post('/api/admin/chat/answering', { sessionId, answering: true })
    await staff.post('/api/admin/contact/reply', { sessionId, message: 'For you only' })
    expect(await owner.heard(2)).toMatchObject([
      { type: 'ANSWERING', sessionId: key },
      { type: 'NEW_CHAT_MESSAGE', sessionId: key, message: 'For you only' },
    ])
    expect(stranger.messages).toMatchObject([{ type: 'NEW_CHAT_MESSAGE', sessionId }])
    expect(JSON.stringify(stranger.messages)).not.toContain(key)
  })

  it('is named to staff by the session id, whichever key they write with', async () => {
    const staff = await server.staff()
    const { sessionId } = await contacted(server)
    const key = await mailedKey(server, staff, sessionId)
    const desk = await connect(staff)
    await server.visitor().post('/api/contact/message', { sessionId: key, message: 'It is me' })
    expect(await desk.heard(1)).toMatchObject([{ type: 'NEW_CHAT_MESSAGE', sessionId, message: 'It is me' }])
    expect(JSON.stringify(desk.messages)).not.toContain(key)
  })
})

describe('a browser with a signed-in seller and administrator', () => {
  /** One person with both cookies. */
  async function both(): Promise<Person> {
    const person = await server.seller()
    for (const [name, value] of (await server.staff()).cookies) person.cookies.set(name, value)
    return person
  }

  const only = (side: LiveSide) => ({ 'sec-websocket-protocol': side })
  const staffSockets = [{}, only('staff')]
  const sellerSockets = [{}, only('seller')]

  it.each(staffSockets)('keeps its staff socket %j when the seller signs out', async (headers) => {
    const person = await both()
    const desk = await connect(person, headers)
    await person.post('/api/auth/logout')
    const id = await submitted(await server.seller())
    expect((await desk.heard(1)).at(-1)).toMatchObject({ submission: { id } })
  })

  it.each(sellerSockets)('keeps its seller socket %j when staff sign out', async (headers) => {
    const person = await both()
    const mine = await connect(person, headers)
    await person.post('/api/admin/logout')
    await submitted(await server.seller())
    const id = await submitted(person)
    expect(await mine.heard(1)).toMatchObject([{ submission: { id } }])
  })

  it('has a socket per side, which closes with its session', async () => {
    const person = await both()
    const [mine, desk] = [await connect(person, only('seller')), await connect(person, only('staff'))]
    await submitted(await server.seller())
    await desk.heard(1)
    await person.post('/api/auth/logout')
    expect(await mine.closed).toBe(closeCodes.signedOut)
    expect(mine.messages).toEqual([])
    await expect(connect(person, only('seller'))).rejects.toThrow('401')
    await person.post('/api/admin/logout')
    expect(await desk.closed).toBe(closeCodes.signedOut)
  })

  it('keeps a socket for both sides until both have signed out', async () => {
    const person = await both()
    const socket = await connect(person)
    await person.post('/api/auth/logout')
    await person.post('/api/admin/logout')
    expect(await socket.closed).toBe(closeCodes.signedOut)
  })
})

describe('an upgrade', () => {
  it.each([
    '/',
    '/api/brands',
    '/api/auth/me',
    '/healthz',
    '/ws/',
    '/WS',
    '/%77s',
    '//ws',
    '/./ws',
    '/ws%2f',
    '/ws;a',
    '/ws/x?y',
    '/nowhere',
  ])('at %s is refused', async (path) => {
    expect(await upgrade(path, (await server.staff()).cookieHeader)).toBe(404)
  })

  it('at /ws is accepted with a query', async () => {
    expect(await upgrade('/ws?', (await server.staff()).cookieHeader)).toBe(101)
  })
})

// Java's HttpClient and `curl --http2` send this to http:// addresses.
it('answers a call that offers HTTP/2 in HTTP/1.1, and reads its body', async () => {
  const offer =
    'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'
  const connection = await RawConnection.open(url)
  connection.say(`GET /api/brands HTTP/1.1\r\nhost: x\r\n${offer}\r\n`)
  await expect.poll(() => connection.heard).toMatch(/^HTTP\/1\.1 200 /)
  connection.close()
  const body = '{"email":"nobody@example.com","password":"a wrong password"}'
  const signIn = await RawConnection.open(url)
  signIn.say(
    `POST /api/auth/login HTTP/1.1\r\nhost: x\r\n${offer}` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await expect.poll(() => signIn.heard).toMatch(/^HTTP\/1\.1 401 /)
  signIn.close()
})

/** The status of a handshake at exactly this path, which a client library would normalize. */
function upgrade(path: string, cookie: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  const headers = {
    cookie,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, headers })
    request.on('response', (response) => resolve(response.resume().statusCode))
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response.statusCode)
    })
    request.on('error', reject)
    request.end()
  })
}
