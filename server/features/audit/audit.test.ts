import { createHash } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { rehash, tamper } from '#test/audit.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { linked, type Person } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'
import { personalDetails, type Redacted, record } from './actions.ts'
import { type Anchor, verifyAuditLog } from './verify.ts'

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
    const head = { entries: 5, hash: expect.stringMatching(/^[0-9a-f]{64}$/), sealed: 0 }
    expect(await verifyAuditLog(database.db)).toEqual({ intact: true, head, unproven: 0, removed: 0 })
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

const SALLY = '0190a000-0000-7000-8000-000000000001'

/** Writes an entry of a seller with every personal part, one of staff with a reason, and the deletion that removed parts. */
async function writePersonal(database: TestDatabase, redacted: Redacted): Promise<void> {
  const subject = { kind: 'submission', id: 'card' } as const
  await transaction(database.db, async (tx) => {
    const actor = { kind: 'seller', id: SALLY, username: 'sally' } as const
    const details = {
      code: 'kept',
      ...Object.fromEntries(personalDetails.map((part) => [part, `of ${part}`])),
    }
    await record(tx, { actor, action: 'payout.account_changed', subject, details })
    const staff = { kind: 'staff', id: SALLY, username: 'ana' } as const
    await record(tx, {
      actor: staff,
      action: 'submission.risk_acknowledged',
      subject,
      details: { reason: 'true' },
    })
  })
  await database.pool.query('update audit_log set actor_name = null where id = 1')
  await recordDeletion(database, redacted)
}

function recordDeletion({ db }: TestDatabase, redacted: unknown): Promise<void> {
  const subject = { kind: 'seller', id: SALLY } as const
  return transaction(db, (tx) =>
    record(tx, { actor: { kind: 'system' }, action: 'seller.deleted', subject, details: { redacted } }),
  )
}

/** What somebody with the rights of the database's owner does, and the entry that the check names. */
const forgeries: readonly (readonly [string, string, number])[] = [
  ['an actor again', "update audit_log set actor_name = 'mallory' where id = 1", 1],
  [
    'an actor again, with a salt',
    `update audit_log set actor_name = 'mallory', salts = salts || '{"actor_name": "x"}' where id = 1`,
    1,
  ],
  ['another reason', `update audit_log set details = details || '{"reason": "false"}' where id = 2`, 2],
  [
    'another reason, with its commitment',
    `update audit_log set details = details || '{"reason": "false"}' where id = 2;
     update audit_log set commitments = audit_commitments(audit_personal_parts(audit_log), salts) where id = 2`,
    2,
  ],
  [
    'swapped salts',
    `update audit_log set salts = jsonb_build_object('q', salts->'reason', 'reason', salts->'q') where id = 1`,
    1,
  ],
  ['a salt of a removed part', `update audit_log set salts = salts || '{"actor_name": "x"}' where id = 1`, 1],
  ['a part without a commitment', `update audit_log set details = details || '{"q": "x"}' where id = 2`, 2],
  [
    'no reason, and no deletion',
    "update audit_log set details = details - 'reason', salts = '{}' where id = 2",
    2,
  ],
  ['no commitment', "update audit_log set commitments = '{}', salts = '{}' where id = 1", 1],
  ['other kept details', `update audit_log set details = details || '{"code": "x"}' where id = 1`, 1],
  ['another subject', "update audit_log set subject_id = 'x' where id = 1", 1],
  ['another kind of actor', "update audit_log set actor_kind = 'staff' where id = 1", 1],
]

const follow = (id: number) =>
  `update audit_log set previous_hash = (select hash from audit_log where id = ${id - 1}) where id = ${id}`
const moveHead = 'update audit_head set hash = (select hash from audit_log order by id desc limit 1)'

describe('personal parts', () => {
  let database: TestDatabase
  let known: Anchor
  beforeAll(async () => {
    database = await createTestDatabase()
    await writePersonal(database, { actor_name: [1] })
    const verdict = await verifyAuditLog(database.db)
    if (!verdict.intact) throw new Error(verdict.problem)
    known = verdict.head
    await database.pool.query(
      'create table kept_log as table audit_log; create table kept_head as table audit_head',
    )
  })
  afterEach(() =>
    tamper(
      database,
      `delete from audit_log; insert into audit_log table kept_log;
       delete from audit_head; insert into audit_head table kept_head`,
    ),
  )

  it('may be missing from an entry if a later deletion removed them', async () => {
    expect(await verifyAuditLog(database.db, known)).toMatchObject({ intact: true, removed: 1 })
    const { rows } = await database.pool.query('select commitments, salts from audit_log where id = 1')
    expect(Object.keys(rows[0].commitments).sort()).toEqual(['actor_name', ...personalDetails])
    expect(Object.keys(rows[0].salts).sort()).toEqual([...personalDetails])
  })

  it.each(forgeries)(
    'are proven against %s, even if a forged deletion lists all entries',
    async (_, sql, entry) => {
      await tamper(database, sql)
      expect(await verifyAuditLog(database.db, known)).toMatchObject({ intact: false, entry })
      await recordDeletion(database, [1, 2, 3])
      await recordDeletion(database, { any: [1, 2, 3], actor_name: [1, 2, 3], q: ['1', {}], reason: 'x' })
      expect(await verifyAuditLog(database.db, known)).toMatchObject({ intact: false, entry })
    },
  )

  it('are proven against the seal of an upgrade that never was', async () => {
    const seal = (sha256: string) => `'{"sha256": "${sha256}", "unproven": [1, 2, 3]}'`
    await recordDeletion(database, [1, 2, 3])
    await database.pool.query(
      `insert into audit_log (actor_kind, action, subject_kind, details) values ('system', 'audit.sealed', 'audit_log', ${seal('')})`,
    )
    await tamper(
      database,
      `update audit_log set details = '{"reason": "false"}', commitments = '{}', salts = '{}' where id = 2;
       update audit_log set commitments = '{}', salts = '{}' where id = 1;
       update audit_log set hash = sha256(previous_hash || convert_to(jsonb_build_array(
         id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_kind, actor_id, actor_name, action, subject_kind,
         subject_id, details
       )::text, 'UTF8')) where id = 4`,
    )
    const { rows } = await database.pool.query(
      'select audit_text(a) as text from audit_log a where id < 5 order by id',
    )
    const digest = rows.reduce(
      (sum, { text }) => createHash('sha256').update(sum).update(text).digest(),
      Buffer.alloc(32),
    )
    await tamper(
      database,
      `update audit_log set details = ${seal(digest.toString('hex'))} where id = 5; ${follow(5)}; ${rehash(5)}; ${moveHead}`,
    )
    expect(await verifyAuditLog(database.db, known)).toMatchObject({ intact: false, entry: 3 })
    // The verdict shows the forgery to somebody without a head.
    expect(await verifyAuditLog(database.db)).toMatchObject({
      intact: true,
      unproven: 3,
      head: { sealed: 4 },
    })
  })

  it.each([
    "update audit_log set actor_name = null where actor_kind = 'staff'",
    "update audit_log set details = details - 'code' where id = 1",
    `update audit_log set details = details || '{"reason": "x"}' where id = 2`,
    "update audit_log set commitments = '{}'",
  ])('refuse a plain %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow('append-only')
  })

  it('take their salts with them, whatever is written', async () => {
    await database.pool.query(
      `update audit_log set details = details - 'reason', salts = salts || '{"q": "x"}' where id = 2`,
    )
    const { rows } = await database.pool.query('select salts from audit_log where id = 2')
    expect(rows).toEqual([{ salts: {} }])
    await recordDeletion(database, { reason: [2] })
    expect(await verifyAuditLog(database.db, known)).toMatchObject({ intact: true, removed: 2 })
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
      batchNumber: null,
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
