import { describe, expect, it } from 'vitest'
import { createTestApp } from '#test/app.ts'
import { submitted } from '#test/submissions.ts'
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
})
