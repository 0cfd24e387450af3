import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { linked, type Person } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'
import { record } from './actions.ts'
import { verifyAuditLog } from './verify.ts'

/** Changes the log as the owner of the database can. */
async function tamper(database: TestDatabase, sql: string): Promise<void> {
  const tables = ['audit_log', 'audit_head']
  for (const table of tables) await database.pool.query(`alter table ${table} disable trigger user`)
  await database.pool.query(sql)
  for (const table of tables) await database.pool.query(`alter table ${table} enable trigger user`)
}

function write(database: TestDatabase, id: string, details = {}): Promise<void> {
  return transaction(database.db, (tx) =>
    record(tx, {
      actor: { kind: 'system' },
      action: 'admin.created',
      subject: { kind: 'administrator', id },
      details,
    }),
  )
}

describe('the chain', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
    for (const name of ['ana', 'ben', 'cleo', 'dora', 'eve'])
      await write(database, name, { note: `"${name}" — ü\n` })
  })

  it('is intact if it was not changed, even if empty', async () => {
    const head = { entries: 5, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }
    expect(await verifyAuditLog(database.db)).toEqual({ intact: true, head })
    const empty = await createTestDatabase()
    expect(await verifyAuditLog(empty.db)).toMatchObject({ intact: true, head: { entries: 0 } })
  })

  it.each([
    ["update audit_log set subject_id = 'mallory' where id = 3", 3],
    ["update audit_log set details = '{}' where id = 1", 1],
    ["update audit_log set at = at - interval '1 microsecond' where id = 2", 2],
    ["update audit_log set actor_kind = 'staff' where id = 5", 5],
    ["update audit_log set subject_id = 'x', hash = sha256('x') where id = 4", 4],
    ['delete from audit_log where id = 3', 3],
    ['delete from audit_log where id = 1', 1],
    ['delete from audit_log where id = 5', 4],
    ['delete from audit_log', 0],
    // Swaps two entries.
    [
      'update audit_log set id = case id when 2 then -3 when 3 then -2 end where id in (2, 3); update audit_log set id = -id where id < 0',
      2,
    ],
    // Removes an entry and closes the gap.
    ['delete from audit_log where id = 2; update audit_log set id = id - 1 where id > 2', 2],
    [
      "insert into audit_log (id, actor_kind, action, subject_kind, previous_hash, hash) values (6, 'system', 'x', 'x', (select hash from audit_log where id = 5), sha256('x'))",
      6,
    ],
    ['update audit_head set entries = 4', 5],
  ])('detects a change that bypasses the triggers: %s', async (sql, entry) => {
    await tamper(database, sql)
    expect(await verifyAuditLog(database.db)).toMatchObject({ intact: false, entry })
  })

  it('detects a missing end and a rewound head, if a later head was saved', async () => {
    const verdict = await verifyAuditLog(database.db)
    const known = verdict.intact ? verdict.head : undefined
    await tamper(
      database,
      'delete from audit_log where id > 3; update audit_head set entries = 3, hash = (select hash from audit_log where id = 3)',
    )
    expect(await verifyAuditLog(database.db)).toMatchObject({ intact: true })
    expect(await verifyAuditLog(database.db, known)).toMatchObject({ intact: false, entry: 5 })
  })

  it('detects a rewritten chain, if a head of the old one was saved', async () => {
    const verdict = await verifyAuditLog(database.db)
    const known = verdict.intact ? verdict.head : undefined
    await tamper(
      database,
      "delete from audit_log; update audit_head set entries = 0, hash = decode(repeat('00', 32), 'hex')",
    )
    for (const name of ['mallory', 'ben', 'cleo', 'dora', 'eve', 'fred']) await write(database, name)
    expect(await verifyAuditLog(database.db)).toMatchObject({ intact: true })
    expect(await verifyAuditLog(database.db, known)).toMatchObject({ intact: false, entry: 5 })
  })

  it('continues after a saved head', async () => {
    const verdict = await verifyAuditLog(database.db)
    const known = verdict.intact ? verdict.head : undefined
    await write(database, 'fred')
    expect(await verifyAuditLog(database.db, known)).toMatchObject({ intact: true, head: { entries: 6 } })
  })

  it.each([
    "update audit_log set action = 'x'",
    'delete from audit_log',
    'truncate audit_log',
    'update audit_head set entries = 0',
    'delete from audit_head',
    'truncate audit_head',
    "insert into audit_head values (true, 0, '')",
  ])('refuses a plain %s', async (sql) => {
    await expect(database.pool.query(sql)).rejects.toThrow('append-only')
  })

  it('sets number, time and hashes itself, whatever is inserted', async () => {
    await database.pool.query(`
      insert into audit_log (id, at, actor_kind, action, subject_kind, previous_hash, hash)
      values (77, '2001-01-01', 'system', 'x', 'x', 'x', 'x')`)
    expect(await verifyAuditLog(database.db)).toMatchObject({ intact: true, head: { entries: 6 } })
    const { rows } = await database.pool.query("select 1 from audit_log where at < now() - interval '1 day'")
    expect(rows).toEqual([])
  })

  it('stays intact with many concurrent writers, even if some roll back', async () => {
    const writes = Array.from({ length: 60 }, (_, index) =>
      transaction(database.db, async (tx) => {
        await record(tx, {
          actor: { kind: 'system' },
          action: 'admin.created',
          subject: { kind: 'administrator', id: String(index) },
        })
        if (index % 3 === 0) throw new Error('changed my mind')
      }).catch(() => {}),
    )
    await Promise.all(writes)
    expect(await verifyAuditLog(database.db)).toMatchObject({ intact: true, head: { entries: 45 } })
  })

  it('is checked across several batches', async () => {
    await database.pool.query(`
      insert into audit_log (actor_kind, action, subject_kind) select 'system', 'x', 'x' from generate_series(1, 2500)`)
    expect(await verifyAuditLog(database.db)).toMatchObject({ intact: true, head: { entries: 2505 } })
    await tamper(database, "update audit_log set action = 'y' where id = 2222")
    expect(await verifyAuditLog(database.db)).toMatchObject({ intact: false, entry: 2222 })
  })
})

describe('the audit log for staff', () => {
  let server: TestApp
  let ana: Person
  let card: string
  beforeAll(async () => {
    server = await createTestApp()
    ana = await server.staff('Ana')
    const ben = await server.staff('ben')
    card = await submitted(await server.seller())
    await ana.patch(`/api/admin/submissions/${card}/status`, { status: 'processing' })
    await ben.post(`/api/admin/submissions/${card}/reveal`)
    await server.visitor().post('/api/admin/login', { username: 'mallory', password: 'guess' })
  })

  const list = (query = '') => ana.get(`/api/admin/audit?${query}`)
  const actions = async (query: string) =>
    (await list(query)).json.map(({ action }: { action: string }) => action)

  it('lists the newest first, with actor, action, subject and time', async () => {
    const answer = await list()
    const numbers = answer.json.map(({ id }: { id: string }) => Number(id))
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a))
    expect(answer.headers['x-total-count']).toBe(String(numbers.length))
    expect(answer.json[0]).toEqual({
      id: String(numbers.length),
      at: expect.stringMatching(/Z$/),
      actorKind: 'visitor',
      actor: null,
      action: 'admin.sign_in_refused',
      subjectKind: 'administrator',
      subject: expect.stringMatching(/^unknown [0-9a-f]{16}$/),
      details: {},
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(answer.json[2]).toMatchObject({ actor: 'Ana', details: { from: 'pending', to: 'processing' } })
  })

  it('is paged by cursor', async () => {
    const one = await list('limit=2&actor=ana')
    expect(one.headers['x-total-count']).toBe('2')
    const first = await list('limit=3')
    const second = await ana.get(linked(first))
    const all = await list()
    expect([...first.json, ...second.json]).toEqual(all.json.slice(0, 3 + second.json.length))
  })

  it('can be filtered by actor, action and subject', async () => {
    expect(await actions('actor=ANA')).toEqual(['submission.moved', 'admin.signed_in'])
    expect(await actions('action=submission.revealed')).toEqual(['submission.revealed'])
    expect(await actions(`subject=${card}`)).toEqual(['submission.revealed', 'submission.moved'])
    expect(await actions(`subject=${card}&actor=ben`)).toEqual(['submission.revealed'])
    expect(await actions('actor=nobody')).toEqual([])
  })

  it('can be filtered by time', async () => {
    const all = (await list()).json
    const at = all[1].at
    const after = (await list(`from=${at}`)).json
    const before = (await list(`to=${at}`)).json
    expect([...after, ...before]).toEqual(all)
    expect(await actions('from=2090-01-01T00:00:00Z')).toEqual([])
    expect(await actions('to=2001-01-01T00:00:00%2B02:00')).toEqual([])
  })

  it.each([
    'action=nothing',
    'from=yesterday',
    'from=0000-01-01T00:00:00Z',
    'cursor=x',
    'limit=0',
    'actor=%00',
  ])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })

  it('is still intact after all of this', async () => {
    expect(await verifyAuditLog(server.db)).toMatchObject({ intact: true })
  })
})
