import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submittedIn } from '#test/submissions.ts'
import { eraseOldSecrets } from './erase.ts'

let server: TestApp
let manager: Person
let reviewer: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  manager = await server.staff('mia', 'manager')
  reviewer = await server.staff('rob', 'reviewer')
  seller = await server.seller('sam')
})

const place = (about: object, by = manager) =>
  by.post('/api/admin/holds', { reason: 'The police asked about 6006 4930 1111 2222', ...about })
const lift = (payload: object, by = manager) =>
  by.send({ method: 'DELETE', url: '/api/admin/holds', payload })
const shown = async (id: string) => (await reviewer.get(`/api/admin/submissions/${id}`)).json
const list = async (query = '') => (await reviewer.get(`/api/admin/holds?${query}`)).json
const rejected = (by = seller) => submittedIn('rejected', { seller: by, staff: reviewer })

async function aged(...ids: string[]) {
  await server.pool.query(
    "update gift_cards set updated_at = now() - interval '91 days' where id = any($1)",
    [ids],
  )
}

it('a hold keeps a submission from being erased by age, until it is lifted', async () => {
  const [held, other] = [await rejected(), await rejected()]
  const placed = await place({ submissionId: held })
  expect([placed.status, placed.json]).toMatchObject([
    201,
    { submissionId: held, userId: null, username: 'sam', placedBy: 'mia', liftedAt: null },
  ])
  expect([(await shown(held)).onHold, (await shown(other)).onHold]).toEqual([true, false])
  await aged(held, other)
  expect(await eraseOldSecrets(server.context, 90)).toBe(1)
  expect((await lift({ submissionId: held })).json).toMatchObject({ id: placed.json.id, liftedBy: 'mia' })
  expect((await shown(held)).onHold).toBe(false)
  expect(await eraseOldSecrets(server.context, 90)).toBe(1)
  // The reason of the lifted hold may quote a number, so it goes too.
  expect((await server.pool.query('select from holds where gift_card_id = $1', [held])).rowCount).toBe(0)
})

it("a hold on a seller keeps all of the seller's submissions, also from clear-all", async () => {
  const [own, later] = [await rejected(), await rejected()]
  const free = await rejected(await server.seller())
  await place({ userId: seller.id })
  await place({ submissionId: later })
  expect(await list(`submissionId=${own}`)).toMatchObject([{ userId: seller.id, submissionId: null }])
  expect(await list(`submissionId=${later}`)).toHaveLength(2)
  expect(await list('on=seller')).toMatchObject([{ userId: seller.id }])
  expect(await list('on=submission')).toMatchObject([{ submissionId: later }])
  await aged(own)
  expect(await eraseOldSecrets(server.context, 90)).toBe(0)
  const clear = () => manager.delete('/api/admin/submissions')
  const kept = (await reviewer.get('/api/admin/submissions?q=sam')).json.length
  const clearable = () => manager.get('/api/admin/submissions/clearable')
  expect((await clearable()).json).toEqual({ total: 1, byStatus: { rejected: 1 } })
  expect((await clear()).json).toEqual({
    message: `1 submission cleared. ${kept} are kept because they are on hold`,
    deletedCount: 1,
  })
  expect((await reviewer.get(`/api/admin/submissions/${free}`)).status).toBe(404)
  expect((await shown(own)).onHold).toBe(true)
  await lift({ userId: seller.id })
  const oneHeld = '1 is kept because it is on hold'
  expect((await clear()).json).toMatchObject({
    deletedCount: kept - 1,
    message: expect.stringContaining(oneHeld),
  })
  await lift({ submissionId: later })
  expect((await clear()).json).toMatchObject({ message: '1 submission cleared', deletedCount: 1 })
  expect(await list()).toEqual([])
})

it('clear-all keeps a submission that is put on hold while it waits for it', async () => {
  const id = await rejected()
  const client = await server.pool.connect()
  await client.query('begin')
  await client.query('select from gift_cards where id = $1 for update', [id])
  const clearing = manager.delete('/api/admin/submissions')
  await expect
    .poll(async () => {
      const { rowCount } = await server.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return rowCount
    })
    .toBe(1)
  await client.query(
    `insert into holds (id, gift_card_id, data_key, sealed_reason, placed_by)
     values (gen_random_uuid(), $1, '\\x01', '\\x01', $2)`,
    [id, manager.id],
  )
  await client.query('commit')
  client.release()
  expect((await clearing).json.message).toBe('0 submissions cleared. 1 is kept because it is on hold')
  expect(await list(`submissionId=${id}`)).toMatchObject([{ reason: '(This text cannot be read)' }])
  await lift({ submissionId: id })
})

it('is placed once, by managers, for exactly one thing, and recorded without its reason', async () => {
  const id = await rejected()
  expect((await place({ submissionId: id }, reviewer)).json.code).toBe('not_permitted')
  const both = await Promise.all([place({ submissionId: id }), place({ submissionId: id })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(both.find(({ status }) => status === 409)?.json.code).toBe('on_hold_already')
  expect((await place({ submissionId: id, userId: seller.id })).json.errors).toMatchObject([
    { code: 'note_unclear' },
  ])
  expect((await place({ submissionId: id, reason: ' ' })).json.errors).toMatchObject([
    { code: 'reason_required' },
  ])
  expect((await lift({ submissionId: id }, reviewer)).json.code).toBe('not_permitted')
  expect((await lift({ submissionId: id })).status).toBe(200)
  expect((await lift({ submissionId: id })).json.code).toBe('not_found')
  const { json, text } = await (await server.staff()).get(`/api/admin/audit?subject=${id}`)
  expect(json).toMatchObject([{ action: 'hold.lifted', actor: 'mia' }, { action: 'hold.placed' }, {}])
  expect(text).not.toContain('police')
})
