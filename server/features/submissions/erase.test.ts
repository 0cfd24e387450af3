import { NIL } from 'uuid'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { erasedByAge, openStatuses, type Status } from '#domain/submission.ts'
import { verifyAuditLog } from '#server/features/audit/verify.ts'
import { tidy } from '#server/housekeeping.ts'
import { lockReleasable } from '#server/operator/release.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { runCommand } from '#test/operator.ts'
import type { Person } from '#test/person.ts'
import { explain } from '#test/plans.ts'
import { moveAnyway, photo, photoFiles, submit, submitted, submittedIn } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'
import { eraseOldSecrets, lockErasable } from './erase.ts'

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

const move = (id: string, status: string, version?: number) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, reason: 'Because', version })
const reveal = (id: string) => staff.post(`/api/admin/submissions/${id}/reveal`)

const made = (status: Status) => submittedIn(status, { seller, staff }, card)

/** Dates the last move of a submission `days` back. */
const age = (id: string, days: number) =>
  server.pool.query("update gift_cards set updated_at = now() - $2 * interval '1 day' where id = $1", [
    id,
    days,
  ])

/** Dates the release of a submission `days` back. */
async function ageRelease(id: string, days: number) {
  for (const [table, column, key] of [
    ['gift_cards', 'released_at', 'id'],
    ['inventory', 'left_at', 'gift_card_id'],
  ]) {
    const sql = `update ${table} set ${column} = now() - $2 * interval '1 day' where ${key} = $1`
    await server.pool.query(sql, [id, days])
  }
}

const release = (...words: string[]) => runCommand({ db: server.db, eraseAfterDays: 90 }, 'release', ...words)

describe('the secrets of a submission', () => {
  it.each(erasedByAge)('are erased some days after it was %s, and not before', async (status) => {
    const [old, young] = [await made(status), await made(status)]
    await age(old, 91)
    await age(young, 89)
    expect(await eraseOldSecrets(server.context, 90)).toBe(1)
    expect((await reveal(old)).json).toEqual({
      code: 'erased',
      message: expect.stringMatching(
        /^The number, PIN and payout account .* were erased on \d{4}-\d\d-\d\d$/,
      ),
      params: { date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    })
    expect((await reveal(young)).json.cardNumber).toBe(card.cardNumber)
  })

  it('are kept while it is open, however old it is', async () => {
    for (const status of openStatuses) await age(await made(status), 4000)
    expect(await eraseOldSecrets(server.context, 90)).toBe(0)
  })

  it('are kept when it is completed, until some days after its release', async () => {
    const [kept, released] = [await made('completed'), await made('completed')]
    for (const id of [kept, released]) await age(id, 4000)
    expect(await release(released)).toBe(
      '1 completed submission was released: used, no longer in stock. Numbers, payout accounts and photos are erased in 90 days.',
    )
    expect(await eraseOldSecrets(server.context, 90)).toBe(0)
    await ageRelease(released, 91)
    expect(await eraseOldSecrets(server.context, 90)).toBe(1)
    expect((await reveal(released)).json.code).toBe('erased')
    expect((await reveal(kept)).json.cardNumber).toBe(card.cardNumber)
    const { json } = await staff.get('/api/admin/audit?action=submission.released')
    expect(json).toMatchObject([{ actorKind: 'system', actor: null, subject: released }])
  })

  it('can be released by day, each with an entry in the audit log', async () => {
    const [old, young, rejected] = [await made('completed'), await made('completed'), await made('rejected')]
    for (const id of [old, rejected]) await age(id, 10)
    await age(young, 1)
    const day = dayFromNow(-5)
    await release('--completed-before', day)
    const { rows } = await server.pool.query(
      'select id from gift_cards where released_at is not null and id = any($1)',
      [[old, young, rejected]],
    )
    expect(rows).toEqual([{ id: old }])
    expect((await staff.get(`/api/admin/audit?subject=${old}&action=submission.released`)).json).toHaveLength(
      1,
    )
    expect(await release('--completed-before', day)).toBe('Nothing was released.')
    // Today's are kept.
    const today = await made('completed')
    await release('--completed-before', dayFromNow(0))
    await expect(release(today)).resolves.toContain('1 completed submission was released')
  })

  it('are released once, and only if it is completed', async () => {
    const [completed, rejected] = [await made('completed'), await made('rejected')]
    await release(completed)
    await expect(release(completed)).rejects.toThrow(/was already released on \d{4}-\d\d-\d\d/)
    await expect(release(rejected)).rejects.toThrow(
      'is rejected: only a completed submission can be released',
    )
    await expect(release(NIL)).rejects.toThrow('There is no submission')
    for (const words of [
      [],
      ['1'],
      [completed, rejected],
      ['--completed-before'],
      ['--completed-before', '2026-13-01'],
      ['--completed-before', '2026-02-30'],
      ['--completed-before', dayFromNow(1)],
      ['--completed-before', '9999-12-31'],
    ])
      await expect(release(...words)).rejects.toMatchObject({ name: 'CommanderError' })
  })

  it('are kept while it is reverted after its release, and erased once it is completed again', async () => {
    const id = await made('completed')
    await release(id)
    await ageRelease(id, 91)
    await move(id, 'processing', 2)
    expect(await eraseOldSecrets(server.context, 90)).toBe(0)
    await move(id, 'completed')
    await expect(release(id)).rejects.toThrow('its card is used')
    expect(await eraseOldSecrets(server.context, 90)).toBe(1)
  })

  it('are kept after the card came back into the stock', async () => {
    const id = await made('completed')
    await release(id)
    await ageRelease(id, 91)
    expect((await staff.patch(`/api/admin/inventory/${id}`, { state: 'in_stock' })).json.leftAt).toBeNull()
    expect(await eraseOldSecrets(server.context, 90)).toBe(0)
    await release(id)
    expect(await eraseOldSecrets(server.context, 90)).toBe(0)
    await ageRelease(id, 91)
    expect(await eraseOldSecrets(server.context, 90)).toBe(1)
  })

  it('are found by indexes, however many submissions there are', async () => {
    const due = await explain(server.pool, (db) =>
      lockErasable(db as never, { before: new Date(), limit: 100 }),
    )
    const indexes = due.flatMap((query) => query.indexes)
    expect(indexes.filter((name) => !name.startsWith('holds_'))).toEqual(['gift_cards_to_erase'])
    expect(due.flatMap(({ scanned }) => scanned)).toEqual([])
    const kept = await explain(server.pool, (db) =>
      lockReleasable(db as never, { completedBefore: new Date(0), limit: 100 }),
    )
    expect(kept[0]?.indexes).toEqual(['gift_cards_to_release'])
  })

  it('leave only the last four digits and masked accounts in the database and the folder', async () => {
    const answer = await submit(seller, card, { photos: [await photo(1), await photo(2)] })
    const { id, images } = answer.json.giftCard
    await moveAnyway(staff, id, { status: 'completed' })
    const before = (await photoFiles(server)).length
    await release(id)
    await ageRelease(id, 91)
    await tidy(server.context, { eraseAfterDays: 90 })
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

  it('leave the index that recognizes the same card', async () => {
    const first = await submitted(seller, { cardNumber: 'TWICE 1111 2222' })
    await move(first, 'completed')
    await release(first)
    await ageRelease(first, 91)
    await eraseOldSecrets(server.context, 90)
    const again = await submitted(await server.seller(), { cardNumber: 'TWICE 1111 2222' })
    expect((await staff.get(`/api/admin/submissions/${again}`)).json.possibleDuplicate).toBe(true)
  })

  it('leave an entry by the system in the audit log, without secrets', async () => {
    const id = await made('rejected')
    await age(id, 31)
    await eraseOldSecrets(server.context, 30)
    const { json, text } = await staff.get(`/api/admin/audit?subject=${id}&action=submission.erased`)
    expect(json).toMatchObject([{ actorKind: 'system', actor: null, details: { afterDays: 30 } }])
    expect(withoutRandom(text)).not.toMatch(/4321|9876|canary/)
    expect(await verifyAuditLog(server.db)).toMatchObject({ intact: true })
  })

  it('are erased once, even when two servers clean up while a reviewer reverts', async () => {
    const cards = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        submittedIn('rejected', { seller, staff }, { ...card, cardNumber: `6006 ${index + 1000} 4321` }),
      ),
    )
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

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
}
