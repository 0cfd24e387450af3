import { beforeAll, describe, expect, it } from 'vitest'
import { callLimits } from '#contract/route.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import type { Person } from '#test/person.ts'

let server: TestApp
let owner: Person
beforeAll(async () => {
  server = await createTestApp()
  owner = await server.staff()
})

const TYPED = 'It is 6006 4930 1234 5678, PIN 9876'
const MASKED = 'It is ••••, PIN ••••'

const say = async (seller: Person, message: string): Promise<string> =>
  (await seller.post('/api/chat/messages', { message })).json.id
const read = async (staff: Person, seller: Person) =>
  (await staff.get(`/api/admin/chat/messages?userId=${seller.id}`)).json
const reveal = (staff: Person, id: string) => staff.post(`/api/admin/chat/messages/${id}/reveal`)
const latestEntry = async () => (await owner.get('/api/admin/audit?limit=1')).json[0]

describe('a number in a message', () => {
  it.each(['owner', 'manager', 'reviewer', 'payer', 'support'] as const)(
    'is masked for the role %s',
    async (role) => {
      const staff = await server.staff(`${role}-who-reads`, role)
      const seller = await server.seller()
      await say(seller, TYPED)
      await say(seller, 'Thanks')
      expect(await read(staff, seller)).toMatchObject([
        { message: MASKED, isMasked: true },
        { message: 'Thanks', isMasked: false },
      ])
      const replied = await staff.post('/api/admin/chat/reply', { userId: seller.id, message: TYPED })
      expect(replied.json).toMatchObject({ message: MASKED, isMasked: true })
      const [mine] = (await seller.get('/api/chat/messages')).json
      expect(mine.message).toBe(TYPED)
      expect(mine).not.toHaveProperty('isMasked')

      const { visitor, sessionId } = await contacted(server, { subject: TYPED, message: TYPED })
      const address = `/api/contact/messages?sessionId=${sessionId}`
      const [first] = (await staff.get(address)).json
      expect(first).toMatchObject({ message: expect.stringContaining(MASKED), isMasked: true })
      expect(first.message).not.toMatch(/5678|9876/)
      expect((await visitor.get(address)).json[0].message).toContain(TYPED)
    },
  )

  it('is masked in the list of conversations, as are codes of letters', async () => {
    const seller = await server.seller()
    await say(seller, 'Code AS6D-PXQ9WR-4T7B')
    await contacted(server, { subject: TYPED })
    const threads = (await owner.get('/api/admin/chat/threads?limit=2')).json
    expect(threads).toMatchObject([{ subject: MASKED }, { lastMessage: 'Code ••••' }])
  })
})

describe('revealing a message', () => {
  it('answers its text and is recorded without it', async () => {
    const rita = await server.staff('rita', 'reviewer')
    const seller = await server.seller()
    const id = await say(seller, TYPED)
    const answer = await reveal(rita, id)
    expect([answer.status, answer.json]).toEqual([200, { message: TYPED }])
    expect(answer.headers['cache-control']).toBe('no-store')
    const [thread] = (await owner.get(`/api/admin/chat/threads?userId=${seller.id}`)).json
    const entry = await latestEntry()
    expect(entry).toMatchObject({
      actor: 'rita',
      action: 'chat.message_revealed',
      subjectKind: 'thread',
      subject: thread.id,
    })
    expect(entry.details).toEqual({ messageId: id, role: 'reviewer' })
    expect((await owner.get('/api/admin/audit?action=revealed&limit=1')).json).toEqual([entry])
    // The list stays masked.
    expect((await read(rita, seller))[0].message).toBe(MASKED)
  })

  it.each(['payer', 'support', 'auditor'] as const)('is refused to a %s and not recorded', async (role) => {
    const staff = await server.staff(`${role}-who-asks`, role)
    const seller = await server.seller()
    const id = await say(seller, TYPED)
    const before = await latestEntry()
    const answer = await reveal(staff, id)
    expect([answer.status, answer.json.code]).toEqual([403, 'not_permitted'])
    expect(await latestEntry()).toEqual(before)
  })

  it('counts against the limit of reveals', async () => {
    const limited = await createTestApp({ limits: true })
    const [seller, ben] = [await limited.seller(), await limited.staff('ben')]
    const id = await say(seller, TYPED)
    expect((await reveal(ben, id)).status).toBe(200)
    const used = "update rate_limits set points = $1 where key like 'reveal:%'"
    expect((await limited.pool.query(used, [callLimits.reveal.points])).rowCount).toBe(1)
    expect((await reveal(ben, id)).status).toBe(429)
  })
})
