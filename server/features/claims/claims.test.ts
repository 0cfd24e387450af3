import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'

let server: TestApp
let ana: Person
let ben: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  ana = await server.staff('ana')
  ben = await server.staff('ben')
  seller = await server.seller()
})

const claim = (person: Person, id: string, body?: object) =>
  person.post(`/api/admin/submissions/${id}/claim`, body)
const release = (person: Person, id: string) => person.delete(`/api/admin/submissions/${id}/claim`)
const claimedBy = async (id: string) => (await ana.get(`/api/admin/submissions/${id}`)).json.claimedBy
const letLapse = (id: string) =>
  server.pool.query("update claims set until = now() - interval '1 second' where gift_card_id = $1", [id])

describe('a claim', () => {
  it('lasts a minute, is shown to staff and can be renewed', async () => {
    const id = await submitted(seller)
    expect(await claimedBy(id)).toBeNull()
    const first = await claim(ana, id)
    expect(first.json).toMatchObject({ id: ana.id, username: 'ana' })
    const seconds = (Date.parse(first.json.until) - Date.parse(first.json.since)) / 1000
    expect(seconds).toBe(60)
    const again = await claim(ana, id)
    expect(again.json.since).toBe(first.json.since)
    expect(Date.parse(again.json.until)).toBeGreaterThan(Date.parse(first.json.until))
    expect(await claimedBy(id)).toEqual(again.json)
    const listed = await ben.get(`/api/admin/submissions?q=${id}`)
    expect(listed.json[0].claimedBy).toEqual(again.json)
  })

  it('of another administrator is 409 with the username, unless it is taken over', async () => {
    const id = await submitted(seller)
    await claim(ana, id)
    const refused = await claim(ben, id)
    expect(refused.status).toBe(409)
    expect(refused.json).toMatchObject({
      code: 'claimed',
      message: expect.stringMatching(
        /^ana is working on this submission, opened (just now|\d+ seconds? ago)$/,
      ),
    })
    expect((await claim(ben, id, { takeOver: false })).status).toBe(409)
    expect((await claim(ben, id, { takeOver: true })).json.username).toBe('ben')
    expect((await claim(ana, id)).status).toBe(409)
    const { json } = await ana.get(`/api/admin/audit?action=submission.taken_over&subject=${id}`)
    expect(json).toMatchObject([{ actor: 'ben', details: { from: 'ana' } }])
  })

  it('that has expired is no longer shown, and anyone can claim the submission', async () => {
    const id = await submitted(seller)
    await claim(ana, id)
    await letLapse(id)
    expect(await claimedBy(id)).toBeNull()
    expect((await claim(ben, id)).json.username).toBe('ben')
    expect((await ana.get(`/api/admin/audit?action=submission.taken_over&subject=${id}`)).json).toEqual([])
  })

  it('starts again when its owner returns after it expired', async () => {
    const id = await submitted(seller)
    const { since } = (await claim(ana, id)).json
    await letLapse(id)
    expect(Date.parse((await claim(ana, id)).json.since)).toBeGreaterThan(Date.parse(since))
  })

  it('can be released only by its owner', async () => {
    const id = await submitted(seller)
    await claim(ana, id)
    expect((await release(ben, id)).status).toBe(200)
    expect(await claimedBy(id)).toMatchObject({ username: 'ana' })
    expect((await release(ana, id)).status).toBe(200)
    expect(await claimedBy(id)).toBeNull()
    expect((await release(ana, id)).status).toBe(200)
  })

  it('is released by signing out, unless its owner is also signed in elsewhere', async () => {
    const id = await submitted(seller)
    const [desk, laptop] = [await server.staff('cleo'), await server.staff('cleo')]
    const socket = await LiveClient.open(await server.listen(), { cookie: ben.cookieHeader })
    await claim(desk, id)
    await laptop.post('/api/admin/logout')
    expect(await claimedBy(id)).toMatchObject({ username: 'cleo' })
    await desk.post('/api/admin/logout')
    expect(await claimedBy(id)).toBeNull()
    await expect
      .poll(() => socket.messages.at(-1))
      .toEqual({ type: 'CLAIM_UPDATE', submissionId: id, claimedBy: null })
    socket.close()
  })

  it('goes to one of two administrators who claim at once', async () => {
    const id = await submitted(seller)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => claim(index % 2 ? ana : ben, id)),
    )
    const owner = (await claimedBy(id)).id
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(5)
    expect(new Set(won.map(({ json }) => json.id))).toEqual(new Set([owner]))
  })

  it('does not prevent moves by others', async () => {
    const id = await submitted(seller)
    await claim(ana, id)
    const moved = await ben.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    expect(moved.status).toBe(200)
    expect(moved.json.claimedBy).toMatchObject({ username: 'ana' })
  })

  it.each(['01890000-0000-7000-8000-000000000000', 'nothing'])('is refused for the id %s', async (id) => {
    const status = id === 'nothing' ? 400 : 404
    expect((await claim(ana, id)).status).toBe(status)
    expect((await release(ana, id)).status).toBe(status)
  })

  it('accepts only true or false for takeOver', async () => {
    const id = await submitted(seller)
    expect((await claim(ana, id, { takeOver: 'yes' })).status).toBe(400)
  })

  it('is deleted when the submission is cleared', async () => {
    const id = await submitted(seller)
    await claim(ana, id)
    await ben.delete('/api/admin/submissions')
    expect((await claim(ana, id)).status).toBe(404)
    const { rows } = await server.pool.query('select 1 from claims where gift_card_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('is pushed to staff but never to sellers', async () => {
    const id = await submitted(seller)
    const url = await server.listen()
    const [staffSocket, sellerSocket] = await Promise.all(
      [ben, seller].map((person) => LiveClient.open(url, { cookie: person.cookieHeader })),
    )
    const { json } = await claim(ana, id)
    await release(ana, id)
    // The push about the submission itself may still arrive after they open.
    const heardBy = (socket?: LiveClient) => socket?.messages.filter(({ type }) => type === 'CLAIM_UPDATE')
    await expect
      .poll(() => heardBy(staffSocket))
      .toEqual([
        { type: 'CLAIM_UPDATE', submissionId: id, claimedBy: json },
        { type: 'CLAIM_UPDATE', submissionId: id, claimedBy: null },
      ])
    expect(heardBy(sellerSocket)).toEqual([])
    for (const socket of [staffSocket, sellerSocket]) socket?.close()
  })
})
