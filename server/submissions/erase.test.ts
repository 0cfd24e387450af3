import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finalStatuses, openStatuses, type Status } from '#domain/submission.ts'
import { verifyAuditLog } from '#server/audit/verify.ts'
import { Housekeeping } from '#server/housekeeping.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { withoutChance } from '#test/chance.ts'
import type { Person } from '#test/person.ts'
import { photo, photoFiles, submit, submitted, submittedIn } from '#test/submissions.ts'
import { eraseOldSecrets } from './erase.ts'

const card = {
  cardNumber: '6006 4930 4711 4321',
  securityCode: '9876',
  paymentAccountInfo: 'canary-sally@pay.example',
}
let server: TestApp
let staff: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
})
beforeEach(async () => {
  seller = await server.seller()
})

const move = (id: string, status: string) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'Because' })
const reveal = (id: string) => staff.post(`/api/admin/submissions/${id}/reveal`)

const made = (status: Status) => submittedIn(status, { seller, staff }, card)

/** Lets the last move of a submission have been so many days ago. */
const age = (id: string, days: number) =>
  server.pool.query("update gift_cards set updated_at = now() - $2 * interval '1 day' where id = $1", [
    id,
    days,
  ])

describe('the secrets of a submission', () => {
  it.each(finalStatuses)('go some days after it was %s, and not before', async (status) => {
    const [old, young] = [await made(status), await made(status)]
    await age(old, 91)
    await age(young, 89)
    expect(await eraseOldSecrets(server.context, 90)).toBe(1)
    expect((await reveal(old)).json).toEqual({
      code: 'erased',
      message: expect.stringMatching(/^Number, PIN and payout account .* were erased on \d{4}-\d\d-\d\d$/),
    })
    expect((await reveal(young)).json.cardNumber).toBe(card.cardNumber)
  })

  it('stay while it is open, however old it is', async () => {
    for (const status of openStatuses) await age(await made(status), 4000)
    expect(await eraseOldSecrets(server.context, 90)).toBe(0)
  })

  it('stay when it is reverted, and go when it has been final for as long again', async () => {
    const id = await made('completed')
    await age(id, 91)
    await move(id, 'processing')
    expect(await eraseOldSecrets(server.context, 90)).toBe(0)
    await move(id, 'completed')
    expect(await eraseOldSecrets(server.context, 90)).toBe(0)
    await age(id, 91)
    expect(await eraseOldSecrets(server.context, 90)).toBe(1)
  })

  it('leave no trace in the database or the folder, but for the last four digits and masked accounts', async () => {
    const answer = await submit(seller, card, { photos: [await photo(1), await photo(2)] })
    const { id, images } = answer.json.giftCard
    await move(id, 'completed')
    const before = (await photoFiles(server)).length
    await age(id, 91)
    await new Housekeeping(server.context, { eraseAfterDays: 90 }).tidy()
    expect(before - (await photoFiles(server)).length).toBe(4)
    const { rows } = await server.pool.query(
      `select data_key, card_number, security_code, expiration_date, payment_account_info, payment_routing_number,
        payment_account_number from gift_cards where id = $1`,
      [id],
    )
    expect(Object.values(rows[0])).toEqual(Array(7).fill(null))

    const [shown] = (await staff.get(`/api/admin/submissions?q=${id}`)).json
    expect(shown).toMatchObject({ cardNumber: '•••• 4321', pin: null, images: [], status: 'completed' })
    expect(Date.parse(shown.secretsErasedAt)).toBeLessThanOrEqual(Date.now())
    for (const path of images) expect((await seller.get(path)).status).toBe(404)
    const [paid] = (await seller.get('/api/my-transactions')).json
    expect(paid).toMatchObject({ amount: '93.00', status: 'completed' })
    expect(paid.paymentAccountInfo).not.toContain('canary')
    expect((await seller.get(`/api/user/gift-cards/${id}/history`)).json).toHaveLength(2)
  })

  it('leave what recognises the same card', async () => {
    const first = await submitted(seller, { cardNumber: 'TWICE 1111 2222' })
    await move(first, 'completed')
    await age(first, 91)
    await eraseOldSecrets(server.context, 90)
    const again = await submitted(await server.seller(), { cardNumber: 'TWICE 1111 2222' })
    expect((await staff.get(`/api/admin/submissions/${again}`)).json.possibleDuplicate).toBe(true)
  })

  it('leave an entry in the audit log for each, by nobody and without a secret', async () => {
    const id = await made('rejected')
    await age(id, 31)
    await eraseOldSecrets(server.context, 30)
    const { json, text } = await staff.get(`/api/admin/audit?subject=${id}&action=submission.erased`)
    expect(json).toMatchObject([{ actorKind: 'system', actor: null, details: { afterDays: 30 } }])
    expect(withoutChance(text)).not.toMatch(/4321|9876|canary/)
    expect(await verifyAuditLog(server.db)).toMatchObject({ intact: true })
  })

  it('go once, also when two servers tidy up at the same time and a reviewer reverts', async () => {
    const cards = await Promise.all(Array.from({ length: 12 }, () => made('completed')))
    for (const id of cards) await age(id, 91)
    const [first, second, reverted] = await Promise.all([
      eraseOldSecrets(server.context, 90),
      eraseOldSecrets(server.context, 90),
      move(cards[5] ?? '', 'processing'),
    ])
    expect(reverted.status).toBe(200)
    const { rows } = await server.pool.query(
      'select count(*)::int as count from gift_cards where id = any($1) and secrets_erased_at is not null',
      [cards],
    )
    expect(rows[0].count).toBe(first + second)
    expect([11, 12]).toContain(first + second)
    const erased = (await staff.get('/api/admin/audit?action=submission.erased&limit=200')).json
    const subjects = erased.map(({ subject }: { subject: string }) => subject)
    expect(new Set(subjects).size).toBe(subjects.length)
  })
})
