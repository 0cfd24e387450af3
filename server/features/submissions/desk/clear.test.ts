import { beforeAll, describe, expect, it } from 'vitest'
import { clearableStatuses, type Status, statuses } from '#domain/submission.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { exportedBatch, latestPayoutOf, payoutReturned } from '#test/payouts.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { photoFiles, submitted, submittedIn } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'

let server: TestApp
let staff: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  seller = await server.seller()
})

const clear = () => staff.delete('/api/admin/submissions')
const move = (id: string, status: string) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'Because' })
const ids = (answer: TestAnswer) => answer.json.map(({ id }: { id: string }) => id)

const secrets = { cardNumber: 'SECRET 4321', securityCode: '9876' }

const columns = `data_key, card_number, card_number_index, card_number_last_four, security_code,
  payment_account_info, payment_account_index, payment_routing_number, payment_account_number`

describe('clear-all', () => {
  it('removes all submissions that are not completed from every list, and says how many', async () => {
    const made = new Map<Status, string>()
    for (const status of statuses) made.set(status, await submittedIn(status, { seller, staff }, secrets))
    const toll = Object.fromEntries(clearableStatuses.map((status) => [status, 1]))
    const clearable = () => staff.get('/api/admin/submissions/clearable')
    expect((await clearable()).json).toEqual({ total: 7, byStatus: toll })
    const photosBefore = (await photoFiles(server)).length
    const answer = await clear()
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ message: '7 submissions cleared', deletedCount: 7 })
    expect((await clearable()).json).toEqual({ total: 0, byStatus: {} })
    const completed = made.get('completed') ?? ''
    expect(ids(await staff.get('/api/admin/submissions'))).toEqual([completed])
    expect(ids(await seller.get('/api/user/gift-cards'))).toEqual([completed])
    for (const list of [
      await seller.get('/api/my-transactions'),
      await staff.get('/api/admin/transactions'),
    ]) {
      expect(list.json.map((row: { giftCardId: string }) => row.giftCardId)).toEqual([completed])
    }
    for (const status of clearableStatuses) {
      const id = made.get(status)
      expect((await staff.get(`/api/admin/submissions/${id}`)).status).toBe(404)
      expect((await staff.post(`/api/admin/submissions/${id}/reveal`)).status).toBe(404)
      expect((await move(id ?? '', 'processing')).status).toBe(404)
      expect((await staff.get(`/api/admin/notes?submissionId=${id}`)).status).toBe(404)
      expect((await staff.post('/api/admin/notes', { submissionId: id, text: 'Gone' })).status).toBe(404)
    }
    // The completed one's photo and thumbnail are left.
    expect([photosBefore, (await photoFiles(server)).length]).toEqual([16, 2])
    expect((await staff.post(`/api/admin/submissions/${completed}/reveal`)).json.cardNumber).toBe(
      'SECRET 4321',
    )
  })

  it('leaves no secrets in the rows or in its entry in the audit log', async () => {
    const { rows } = await server.pool.query(`select ${columns} from gift_cards where cleared_at is not null`)
    expect(rows).toHaveLength(7)
    for (const row of rows) expect(Object.values(row).every((value) => value === null)).toBe(true)
    const { json, text } = await staff.get('/api/admin/audit?action=submissions.cleared')
    expect(json).toMatchObject([{ actor: 'admin', details: { deletedCount: 7, pending: 1, cancelled: 1 } }])
    expect(withoutRandom(text)).not.toMatch(/4321|9876|sally@/)
  })

  it('answers 0 and writes nothing when there is nothing to remove', async () => {
    expect((await clear()).json).toEqual({ message: '0 submissions cleared', deletedCount: 0 })
    expect((await staff.get('/api/admin/audit?action=submissions.cleared')).json).toHaveLength(1)
  })

  it('works without a body and ignores one', async () => {
    await submitted(seller)
    const answer = await staff.send({
      method: 'DELETE',
      url: '/api/admin/submissions',
      payload: { status: 'completed' },
    })
    expect(answer.json).toEqual({ message: '1 submission cleared', deletedCount: 1 })
    expect(ids(await staff.get('/api/admin/submissions?status=completed'))).toHaveLength(1)
  })

  it('never both moves and clears a submission when moves are concurrent', async () => {
    const made = await Promise.all(Array.from({ length: 24 }, () => submitted(seller)))
    const [cleared, ...moved] = await Promise.all([
      clear(),
      ...made.map((id) => move(id, 'completed')),
      clear(),
    ])
    const second = moved.pop()
    const kept = new Set(ids(await staff.get('/api/admin/submissions?status=completed')))
    for (const [index, id] of made.entries()) {
      expect([200, 404]).toContain(moved[index]?.status)
      expect(kept.has(id)).toBe(moved[index]?.status === 200)
    }
    const won = moved.filter(({ status }) => status === 200).length
    expect(cleared.json.deletedCount + second?.json.deletedCount + won).toBe(24)
    const { rows } = await server.pool.query(
      "select count(*)::int as count from gift_cards where cleared_at is not null and status = 'completed'",
    )
    expect(rows[0].count).toBe(0)
  })

  it('keeps money that came back, also while it waits to be sent again, until the card fails', async () => {
    const scene = { seller, staff }
    const [returned, renewed, failed] = [
      await submittedIn('processing', scene),
      await submittedIn('processing', scene),
      await submittedIn('processing', scene),
    ]
    for (const id of [returned, renewed, failed]) {
      await exportedBatch(server, [id])
      await payoutReturned(server, id)
    }
    const account = { type: 'venmo', accountName: 'Sally', accountInfo: '@sally-s' }
    await seller.post(`/api/user/gift-cards/${renewed}/payout-account`, account)
    expect((await latestPayoutOf(server, renewed)).state).toBe('due')
    await move(failed, 'failed')
    expect((await staff.get('/api/admin/submissions/clearable')).json).toEqual({
      total: 1,
      byStatus: { failed: 1 },
    })
    expect((await clear()).json).toEqual({
      message: '1 submission cleared. 2 are kept because their payouts came back and are still owed',
      deletedCount: 1,
    })
    for (const id of [returned, renewed]) {
      expect((await staff.get(`/api/admin/submissions/${id}`)).json.status).toBe('processing')
      await move(id, 'failed')
    }
    expect((await clear()).json.deletedCount).toBe(2)
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('clears more than one batch', async () => {
    const model = await submitted(seller)
    await server.pool.query(`
      insert into gift_cards (id, seller_id, brand, brand_name, unlisted_brand, denomination, selling_price, quoted_price,
        discount_percentage, payment_type, payment_account_name, payment_account_hint, fingerprint, created_at, updated_at)
      select gen_random_uuid(), seller_id, brand, brand_name, unlisted_brand, denomination, selling_price, selling_price,
        discount_percentage, payment_type, payment_account_name, payment_account_hint, fingerprint, created_at, updated_at
      from gift_cards, generate_series(1, 1200) where id = '${model}'`)
    expect((await clear()).json.deletedCount).toBe(1201)
  })

  it('is pushed only to staff and to the affected sellers', async () => {
    const url = await server.listen()
    const other = await server.seller()
    await submitted(seller)
    const [staffSocket, own, foreign] = await Promise.all(
      [staff, seller, other].map((person) => LiveClient.open(url, { cookie: person.cookieHeader })),
    )
    await clear()
    // The push about the submission itself may still arrive after they open.
    const heardBy = (socket?: LiveClient) =>
      socket?.messages.filter(({ type }) => type === 'SUBMISSIONS_CLEARED')
    await expect.poll(() => heardBy(own)).toEqual([{ type: 'SUBMISSIONS_CLEARED', userId: seller.id }])
    await expect.poll(() => heardBy(staffSocket)).toEqual([{ type: 'SUBMISSIONS_CLEARED' }])
    expect(foreign?.messages).toEqual([])
    for (const socket of [staffSocket, own, foreign]) socket?.close()
  })
})
