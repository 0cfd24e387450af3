import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import type { Person } from '#test/person.ts'
import { newNumber, submitted } from '#test/submissions.ts'

let server: TestApp
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})

async function sellerWithCard() {
  const seller = await server.seller()
  const cardNumber = newNumber()
  const id = await submitted(seller, { cardNumber })
  return { seller, id, ending: `•••• ${cardNumber.slice(-4)}` }
}
const say = (seller: Person, submissionId?: string | null) =>
  seller.post('/api/chat/messages', { message: 'When am I paid?', submissionId })
const reply = (seller: Person, submissionId?: string | null) =>
  staff.post('/api/admin/chat/reply', { userId: seller.id, message: 'Today.', submissionId })
const about = async (seller: Person) => (await seller.get('/api/chat')).json.about
const listed = async (seller: Person, by = staff) =>
  (await by.get(`/api/admin/chat/threads?userId=${seller.id}`)).json[0]

describe('the card that a chat is about', () => {
  it('is named by a message of the seller, and stays until another one is', async () => {
    const { seller, id, ending } = await sellerWithCard()
    expect(await about(seller)).toBeNull()
    expect((await say(seller, id)).status).toBe(201)
    await say(seller)
    const card = { id, brandName: 'Amazon', denomination: '100.00', cardNumber: ending }
    expect(await about(seller)).toEqual(card)
    expect((await listed(seller)).about).toEqual({
      ...card,
      quote: '93.00',
      status: 'pending',
      needsAccount: false,
    })
    const other = await submitted(seller)
    await reply(seller, other)
    expect(await about(seller)).toMatchObject({ id: other })
    await say(seller, null)
    expect(await about(seller)).toBeNull()
    expect((await listed(seller)).about).toBeNull()
  })

  it('is named by staff, also before the seller has written', async () => {
    const { seller, id } = await sellerWithCard()
    expect((await reply(seller, id)).status).toBe(201)
    expect(await about(seller)).toMatchObject({ id })
  })

  it('is forgotten when the seller writes again after the chat was closed, but not by a reply', async () => {
    const { seller, id } = await sellerWithCard()
    await say(seller, id)
    await staff.patch('/api/admin/chat/threads', { userId: seller.id, closed: true })
    await reply(seller)
    expect(await about(seller)).toMatchObject({ id })
    await say(seller)
    expect(await about(seller)).toBeNull()
    await staff.patch('/api/admin/chat/threads', { userId: seller.id, closed: true })
    await say(seller, id)
    expect(await about(seller)).toMatchObject({ id })
  })

  it("is never another seller's: 404, and nothing is sent", async () => {
    const [{ id }, { seller }] = [await sellerWithCard(), await sellerWithCard()]
    for (const answer of [await say(seller, id), await reply(seller, id)]) {
      expect(answer.status).toBe(404)
      expect(answer.json.code).toBe('not_found')
    }
    expect((await seller.get('/api/chat/messages')).json).toEqual([])
    expect((await say(seller, 'no-id')).status).toBe(400)
  })

  it('shows its brand, price and status to roles that may not see details, and no digits', async () => {
    const { seller, id } = await sellerWithCard()
    await say(seller, id)
    expect((await listed(seller, await server.staff('susan', 'support'))).about).toEqual({
      id,
      brandName: 'Amazon',
      denomination: '100.00',
      quote: '93.00',
      status: 'pending',
      needsAccount: false,
      cardNumber: '••••',
    })
  })

  it('is gone once the submission is removed', async () => {
    const { seller, id } = await sellerWithCard()
    await say(seller, id)
    await staff.delete('/api/admin/submissions')
    expect(await about(seller)).toBeNull()
    expect((await listed(seller)).about).toBeNull()
    expect((await say(seller, id)).status).toBe(404)
  })

  it("ends with the seller's account", async () => {
    const { seller, id } = await sellerWithCard()
    await say(seller, id)
    await seller.post(`/api/user/gift-cards/${id}/withdraw`)
    const deletion = {
      method: 'DELETE',
      url: '/api/user',
      payload: { password: 'a quite good password' },
    } as const
    expect((await seller.send(deletion)).status).toBe(200)
  })

  it("is not taken by a visitor's thread", async () => {
    const { id } = await sellerWithCard()
    const { sessionId } = await contacted(server)
    const message = { sessionId, message: 'Hello', submissionId: id }
    expect((await staff.post('/api/admin/contact/reply', message)).status).toBe(201)
    const threads = (await staff.get('/api/admin/chat/threads')).json
    expect(threads.find((one: { sessionId: string }) => one.sessionId === sessionId).about).toBeNull()
  })
})
