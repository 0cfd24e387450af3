import { describe, expect, it } from 'vitest'
import { createTestApp } from '#test/app.ts'
import { image, photo, submitted } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'

const server = await createTestApp()
const seller = await server.seller()
const staff = await server.staff()

describe('revealing', () => {
  it('returns the full values and records it in the audit log without them', async () => {
    const id = await submitted(seller, { cardNumber: 'REVEAL 1234 5678', securityCode: '4321' })
    const answer = await staff.post(`/api/admin/submissions/${id}/reveal`)
    expect(answer.json).toMatchObject({ cardNumber: 'REVEAL 1234 5678', securityCode: '4321' })
    const { rows } = await server.pool.query(
      "select * from audit_log where action = 'submission.revealed' and subject_id = $1",
      [id],
    )
    expect(rows).toMatchObject([{ actor_name: 'admin', actor_id: staff.id }])
    expect(withoutRandom(JSON.stringify(rows))).not.toContain('4321')
  })

  it('shows each role only what it may see, and records what that was', async () => {
    const id = await submitted(seller, { cardNumber: 'ROLES 1234 5678', securityCode: '4321' })
    const card = { cardNumber: 'ROLES 1234 5678', securityCode: '4321' }
    const account = { paymentAccountInfo: 'sally@example.com' }
    const hidden = { cardNumber: null, securityCode: null, paymentAccountInfo: null }
    for (const [role, shown, what] of [
      ['reviewer', card, ['card_number', 'pin']],
      ['payer', account, ['account']],
      ['manager', { ...card, ...account }, ['card_number', 'pin', 'account']],
    ] as const) {
      const person = await server.staff(`${role}1`, role)
      const answer = await person.post(`/api/admin/submissions/${id}/reveal`)
      expect(answer.json).toMatchObject({ ...hidden, ...shown })
      const log = await staff.get(`/api/admin/audit?action=submission.revealed&actor=${role}1`)
      expect(log.json).toMatchObject([{ subject: id, details: { what } }])
    }
  })

  it('gives photos only to those who may see them', async () => {
    const id = await submitted(seller)
    const path = `/api/admin/submissions/${id}`
    await staff.patch(`${path}/status`, { status: 'under_review', reason: 'And the back?' })
    await seller.upload(`/api/user/gift-cards/${id}/answer`, [image(await photo(99))])
    const [whole] = (await staff.get(path)).json.images
    for (const role of ['payer', 'auditor'] as const) {
      const person = await server.staff(`${role}2`, role)
      const views = [await person.get(path), ...(await person.get('/api/admin/submissions')).json]
      expect(JSON.stringify(views)).not.toContain('/uploads')
      expect((await person.get(`${path}/history`)).text).not.toContain('/uploads')
      expect((await person.get(whole.replace('/uploads', '/api/admin/view'))).json.code).toBe('not_permitted')
    }
  })
})
