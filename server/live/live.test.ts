import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeCodes } from '#contract/live.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { withoutChance } from '#test/chance.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'

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
  it('tells staff and the seller of a submission and of its moves, and no other seller', async () => {
    const [seller, stranger, staff] = [await server.seller(), await server.seller(), await server.staff()]
    const [mine, others, desk] = [await connect(seller), await connect(stranger), await connect(staff)]
    const id = await submitted(seller, { cardNumber: '5555 6666 7777 8888', securityCode: '2468' })
    await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    // Heard last by both, so nothing before it is still on its way.
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
    expect(withoutChance(JSON.stringify([desk.messages, mine.messages]))).not.toMatch(/8888|2468|sally@/)
  })

  it('says nothing of a move that was refused', async () => {
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

  it('is open so many times for one person, and closed with a code of its own beyond that', async () => {
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

  it('ends with the session', async () => {
    const seller = await server.seller()
    const client = await connect(seller)
    await seller.post('/api/auth/logout')
    expect(await client.closed).toBe(1000)
  })
})
