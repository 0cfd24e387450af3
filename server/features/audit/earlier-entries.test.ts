import { copyFile, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { migrate, migrationsFolder } from '#server/platform/database/migrate.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { tamper } from '#test/audit.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { record, redact } from './actions.ts'
import { verifyAuditLog } from './verify.ts'

/** A database as the version before this migration left it. */
async function databaseBefore(migration: string): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await database.pool.query('drop owned by current_user')
  const folder = await mkdtemp(join(tmpdir(), 'unspent-migrations-'))
  const names = await readdir(migrationsFolder)
  for (const name of names.filter((candidate) => candidate < migration)) {
    await copyFile(join(migrationsFolder, name), join(folder, name))
  }
  await migrate(database.pool, { folder })
  return database
}

it('numbers and chains entries from before the chain, in order and without gaps', async () => {
  const { pool, db } = await databaseBefore('0004')
  for (const id of ['ana', 'rolled back', 'ben', 'cleo']) {
    const end = id === 'rolled back' ? 'rollback' : 'commit'
    await pool.query(`
      begin;
      insert into audit_log (actor_kind, action, subject_kind, subject_id, details)
      values ('system', 'admin.created', 'administrator', '${id}', '{"b": [1, "ü"], "a": null}');
      ${end}`)
  }
  await migrate(pool)
  const { rows } = await pool.query('select id::int as id, subject_id from audit_log order by id')
  expect(rows).toEqual([
    { id: 1, subject_id: 'ana' },
    { id: 2, subject_id: 'ben' },
    { id: 3, subject_id: 'cleo' },
    { id: 4, subject_id: null },
  ])
  expect(await verifyAuditLog(db)).toMatchObject({ intact: true, head: { entries: 4, sealed: 3 } })
})

const SELLER = '0190a000-0000-7000-8000-000000000001'
const OTHER = '0190a000-0000-7000-8000-000000000002'

/** 1: of a seller. 2: about another, and redacted. 3: the deletion of that one. 4: of staff. 5: a search. The head was saved. */
async function logBeforeSeal(): Promise<TestDatabase & { known: { entries: number; hash: string } }> {
  const database = await databaseBefore('0053')
  await database.pool.query(`
    insert into users (id, username, email, password_hash, first_name, last_name, created_at) values
      ('${SELLER}', 'sally', 'sally@example.com', 'hash', 'Sally', 'Smith', now() - interval '1 day'),
      ('${OTHER}', 'throwaway', 'throwaway@example.com', 'hash', 'Sally', 'Smith', now() + interval '1 day');
    insert into audit_log (actor_kind, actor_id, actor_name, action, subject_kind, subject_id, details) values
      ('seller', '${SELLER}', 'sally', 'payout.account_changed', 'payout', 'x', '{"from": "zelle"}'),
      ('staff', '${OTHER}', 'ana', 'submission.moved', 'seller', 'gone', '{"reason": "Blurry", "to": "rejected"}');
    update audit_log set details = details - 'reason' where id = 2;
    insert into audit_log (actor_kind, actor_id, actor_name, action, subject_kind, subject_id, details) values
      ('system', null, null, 'seller.deleted', 'seller', 'gone', '{"redacted": [2]}'),
      ('staff', '${OTHER}', 'ana', 'submission.moved', 'seller', '${SELLER}', '{"reason": "Blurry", "to": "rejected"}'),
      ('staff', '${OTHER}', 'ana', 'transactions.exported', 'transactions', 'all', '{"q": "smith"}')`)
  const { rows } = await database.pool.query(
    "select entries::int as entries, encode(hash, 'hex') as hash from audit_head",
  )
  return { ...database, known: rows[0] }
}

/** Redacts the entries of a seller, and records it. */
function deleteSeller({ db }: TestDatabase, id: string, username: string): Promise<void> {
  return transaction(db, async (tx) => {
    const details = { redacted: await redact(tx, { id, username }) }
    const subject = { kind: 'seller', id } as const
    await record(tx, { actor: { kind: 'system' }, action: 'seller.deleted', subject, details })
  })
}

it('seals entries from before their personal parts had commitments', async () => {
  const log = await logBeforeSeal()
  await migrate(log.pool)
  const sealed = { intact: true, unproven: 1, head: { entries: 6, sealed: 5 } }
  expect(await verifyAuditLog(log.db, log.known)).toMatchObject(sealed)

  await deleteSeller(log, OTHER, 'throwaway')
  expect(await verifyAuditLog(log.db, log.known)).toMatchObject({
    ...sealed,
    removed: 0,
    head: { entries: 7 },
  })
  await deleteSeller(log, SELLER, 'sally')
  expect(await verifyAuditLog(log.db, log.known)).toMatchObject({
    ...sealed,
    removed: 3,
    head: { entries: 8 },
  })
  const { rows } = await log.pool.query(
    'select actor_name, details from audit_log where id in (1, 4, 5) order by id',
  )
  expect(rows).toEqual([
    { actor_name: null, details: { from: 'zelle' } },
    { actor_name: 'ana', details: { to: 'rejected' } },
    { actor_name: 'ana', details: {} },
  ])
})

describe('finds a change of sealed entries, even if forged deletions list all of them', () => {
  let log: Awaited<ReturnType<typeof logBeforeSeal>>
  beforeAll(async () => {
    log = await logBeforeSeal()
    await migrate(log.pool)
    await log.pool.query(
      'create table kept_log as table audit_log; create table kept_head as table audit_head',
    )
  })
  afterEach(() =>
    tamper(
      log,
      `delete from audit_log; insert into audit_log table kept_log;
       delete from audit_head; insert into audit_head table kept_head`,
    ),
  )

  // The seal has number 6.
  it.each([
    [`update audit_log set details = details || '{"to": "completed"}' where id = 2`, 6],
    [`update audit_log set details = details || '{"reason": "x"}' where id = 2`, 6],
    [`update audit_log set actor_name = 'ben' where id = 2`, 6],
    [`update audit_log set details = details || '{"to": "completed"}' where id = 4`, 4],
    [`update audit_log set details = '{"to": "completed"}', salts = '{}' where id = 4`, 4],
    [
      `update audit_log set details = '{"to": "completed"}', salts = '{}', commitments = '{}' where id = 4`,
      4,
    ],
    [`update audit_log set actor_name = 'mallory' where id = 1`, 1],
    [`update audit_log set details = '{"redacted": [2, 4]}' where id = 3`, 3],
    [`update audit_log set details = details || '{"unproven": [2, 4]}' where id = 6`, 4],
    [`update audit_log set details = details || '{"sha256": ""}' where id = 6`, 6],
    [`update audit_log set action = 'x' where id = 6`, 1],
    ['delete from audit_log where id = 6', 1],
  ])('%s', async (statement, entry) => {
    await tamper(log, statement)
    for (const redacted of [
      '[1, 2, 3, 4, 5, 6]',
      '{"any": [1, 2, 3, 4, 5, 6], "actor_name": [1, 2, 4, 5]}',
    ]) {
      await log.pool.query(`
        insert into audit_log (actor_kind, action, subject_kind, details)
        values ('system', 'seller.deleted', 'seller', '{"redacted": ${redacted}}')`)
    }
    expect(await verifyAuditLog(log.db, log.known)).toMatchObject({ intact: false, entry })
  })
})

it('finds a change from before the upgrade, even if the entry loses its parts later', async () => {
  const log = await logBeforeSeal()
  await tamper(log, `update audit_log set details = details || '{"to": "completed"}' where id = 4`)
  await migrate(log.pool)
  expect(await verifyAuditLog(log.db, log.known)).toMatchObject({ intact: false, entry: 4 })
  await deleteSeller(log, SELLER, 'sally')
  expect(await verifyAuditLog(log.db, log.known)).toMatchObject({ intact: false, entry: 4 })
})
