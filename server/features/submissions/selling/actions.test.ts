import { beforeAll, describe, expect, it } from 'vitest'
import { findMove, type Status, statuses } from '#domain/submission.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { field, image, photo, submittedIn } from '#test/submissions.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller()
  staff = await server.staff()
})

const submissionIn = (status: Status) => submittedIn(status, { seller, staff })

describe('the history', () => {
  it('shows staff who made each move, and the seller which side', async () => {
    const id = await submissionIn('failed')
    const seen = (await staff.get(`/api/admin/submissions/${id}/history`)).json
    expect(
      seen.map((entry: { from: string; to: string; by: string }) => [entry.from, entry.to, entry.by]),
    ).toEqual([
      [null, 'pending', expect.stringMatching(/^seller/)],
      ['pending', 'processing', 'admin'],
      ['processing', 'failed', 'admin'],
    ])
    const own = (await seller.get(`/api/user/gift-cards/${id}/history`)).json
    expect(own.map((entry: { to: string; by: string }) => [entry.to, entry.by])).toEqual([
      ['pending', 'seller'],
      ['approved', 'staff'],
      ['failed', 'staff'],
    ])
    expect(own[2].reason).toBe('Refused by the bank')
  })

  it('tells the seller who looked at what, and nobody else', async () => {
    const id = await submissionIn('processing')
    const payer = await server.staff('pia', 'payer')
    await staff.post(`/api/admin/submissions/${id}/reveal`)
    await payer.post(`/api/admin/submissions/${id}/reveal`)
    const [path] = (await staff.get(`/api/admin/submissions/${id}`)).json.images
    await staff.get(path.replace('/uploads/', '/api/admin/view/'))
    const [payout] = (await payer.get(`/api/admin/payouts?q=${id}`)).json
    await payer.post(`/api/admin/payouts/${payout.id}/reveal`)
    const at = expect.any(String)
    expect((await seller.get(`/api/user/gift-cards/${id}/reveals`)).json).toEqual([
      { at, role: 'payer', what: ['account'] },
      { at, role: 'owner', what: ['photo'] },
      { at, role: 'payer', what: ['account'] },
      { at, role: 'owner', what: ['card_number', 'pin', 'account'] },
    ])
    const other = await server.seller()
    expect((await other.get(`/api/user/gift-cards/${id}/reveals`)).status).toBe(404)
  })

  it('tells the seller in which role somebody looked, even if it has changed since', async () => {
    const id = await submissionIn('processing')
    const rita = await server.staff('rita', 'reviewer')
    const roles = async () => {
      const { json } = await seller.get(`/api/user/gift-cards/${id}/reveals`)
      return json.map(({ role }: { role: string }) => role)
    }
    await rita.post(`/api/admin/submissions/${id}/reveal`)
    for (const role of ['payer', 'manager']) await staff.patch(`/api/admin/staff/${rita.id}`, { role })
    expect(await roles()).toEqual(['reviewer'])
    // Entries of earlier versions do not name the role.
    await server.pool.query('alter table audit_log disable trigger user')
    await server.pool.query("update audit_log set details = details - 'role' where subject_id = $1", [id])
    await server.pool.query('alter table audit_log enable trigger user')
    expect(await roles()).toEqual(['reviewer'])
    await server.pool.query("update administrators set disabled_at = now() where username = 'rita'")
    expect(await roles()).toEqual(['reviewer'])
  })

  it.each(['status_history', 'audit_log'])('in %s cannot be edited', async (table) => {
    await submissionIn('processing')
    await expect(server.pool.query(`delete from ${table}`)).rejects.toThrow('append-only')
    await expect(server.pool.query(`truncate ${table}`)).rejects.toThrow('append-only')
    const column = table === 'audit_log' ? 'action' : 'to_status'
    await expect(server.pool.query(`update ${table} set ${column} = 'completed'`)).rejects.toThrow(
      'append-only',
    )
  })
})

describe('a seller', () => {
  it('can withdraw while it is pending or under review, but not later', async () => {
    for (const status of statuses) {
      const id = await submissionIn(status)
      const answer = await seller.post(`/api/user/gift-cards/${id}/withdraw`)
      expect(answer.status).toBe(findMove(status, 'cancelled', 'seller')?.name === 'withdraw' ? 200 : 409)
    }
  })

  it('answers a question with text and more photos', async () => {
    const id = await submissionIn('under_review')
    const answer = await seller.upload(`/api/user/gift-cards/${id}/answer`, [
      field('message', 'From the corner shop'),
      image(await photo(200)),
    ])
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ status: 'pending', images: { length: 2 } })
    const history = (await staff.get(`/api/admin/submissions/${id}/history`)).json
    expect(history.at(-1)).toMatchObject({
      from: 'under_review',
      to: 'pending',
      reason: 'From the corner shop',
    })
  })

  it('answers with only a photo, which the history shows', async () => {
    const id = await submissionIn('under_review')
    const answer = await seller.upload(`/api/user/gift-cards/${id}/answer`, [image(await photo(201))])
    expect(answer.status).toBe(200)
    const [, second] = answer.json.images
    const own = (await seller.get(`/api/user/gift-cards/${id}/history`)).json
    expect(own.map(({ images }: { images?: string[] }) => images)).toEqual([undefined, undefined, [second]])
    expect(own.at(-1).reason).toBeUndefined()
    const seen = (await staff.get(`/api/admin/submissions/${id}`)).json
    const history = (await staff.get(`/api/admin/submissions/${id}/history`)).json
    expect(history.at(-1).images).toEqual([seen.images[1]])
  })

  it('cannot answer without text or photos, or without a question', async () => {
    const asked = await submissionIn('under_review')
    const blank = await seller.upload(`/api/user/gift-cards/${asked}/answer`, [field('message', ' ')])
    expect([blank.status, blank.json.errors]).toEqual([
      400,
      [{ path: 'message', message: 'Please write an answer or add a photo', code: 'answer_required' }],
    ])
    const idle = await submissionIn('pending')
    expect(
      (await seller.upload(`/api/user/gift-cards/${idle}/answer`, [field('message', 'Hello')])).status,
    ).toBe(409)
  })

  it("finds no trace of another seller's submission", async () => {
    const id = await submissionIn('pending')
    const stranger = await server.seller()
    const missing = '01890000-0000-7000-8000-000000000000'
    for (const path of ['history', 'withdraw']) {
      const method = path === 'history' ? 'GET' : 'POST'
      const other = await stranger.send({ method, url: `/api/user/gift-cards/${id}/${path}` })
      const none = await stranger.send({ method, url: `/api/user/gift-cards/${missing}/${path}` })
      expect([other.status, other.text]).toEqual([404, none.text])
    }
  })
})
