import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
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

  it('can be made for a colleague, who is notified, until the next move', async () => {
    const id = await submitted(seller)
    const assign = (by: Person, assignedTo: string | null) =>
      by.post(`/api/admin/submissions/${id}/assign`, { assignedTo })
    const socket = await LiveClient.open(await server.listen(), { cookie: ben.cookieHeader })
    await claim(ana, id)
    expect((await assign(ben, ben.id)).json.code, 'ana is working on it').toBe('claimed')
    const assigned = await assign(ana, ben.id)
    expect(assigned.json.claimedBy).toMatchObject({ id: ben.id, username: 'ben', assignedBy: 'ana' })
    await expect
      .poll(() => socket.messages)
      .toContainEqual({ type: 'ASSIGNED', assigneeId: ben.id, by: 'ana', about: 'Amazon' })
    socket.close()

    // It outlives opening, leaving and signing out.
    const laptop = await server.staff('ben')
    expect((await claim(laptop, id)).json).toEqual(assigned.json.claimedBy)
    await release(laptop, id)
    await laptop.post('/api/admin/logout')
    expect((await ana.get(`/api/admin/submissions?claimed=none&q=${id}`)).json).toEqual([])
    expect((await ben.get(`/api/admin/submissions?claimed=me&q=${id}`)).json).toMatchObject([{ id }])
    const cleo = await server.staff('cleo')
    expect((await assign(cleo, cleo.id)).json.code).toBe('claimed')
    expect((await assign(ana, cleo.id)).json.claimedBy.username, 'who assigned it may choose again').toBe(
      'cleo',
    )

    expect((await assign(cleo, null)).json).toEqual({ claimedBy: null })
    await assign(cleo, ben.id)
    await ana.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    expect(await claimedBy(id)).toBeNull()
    expect((await claim(ana, id)).json).toMatchObject({ username: 'ana', assignedBy: null })
    const { json } = await ana.get(`/api/admin/audit?action=submission.assigned&subject=${id}`)
    const entries = json.map(({ actor, details }: AuditEntry) => [actor, details.assignee])
    expect(entries).toEqual([
      ['cleo', 'ben'],
      ['cleo', null],
      ['ana', 'cleo'],
      ['ana', 'ben'],
    ])
  })

  it('can be made only for a colleague whose role can move it, and ends when they are disabled', async () => {
    const id = await submitted(seller)
    const gone = await server.staff('gone', 'reviewer')
    const assign = (assignedTo: string) => ana.post(`/api/admin/submissions/${id}/assign`, { assignedTo })
    for (const { id: other } of [
      await server.staff('pia', 'payer'),
      await server.staff('sue', 'support'),
      seller,
    ]) {
      const answer = await assign(other)
      expect([answer.status, answer.json.errors]).toMatchObject([400, [{ code: 'assignee_unavailable' }]])
    }
    await assign(gone.id)
    await ana.patch(`/api/admin/staff/${gone.id}`, { disabled: true })
    expect(await claimedBy(id)).toBeNull()
    expect((await assign(gone.id)).status).toBe(400)
    const colleagues = (await ana.get('/api/admin/colleagues')).json
    expect(colleagues).toContainEqual({ id: ben.id, username: 'ben', role: 'owner' })
    expect(colleagues).not.toContainEqual(expect.objectContaining({ id: gone.id }))
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
