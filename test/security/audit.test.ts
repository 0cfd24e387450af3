import { beforeAll, expect, it } from 'vitest'
import { record } from '#server/features/audit/actions.ts'
import { type Anchor, verifyAuditLog } from '#server/features/audit/verify.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { rehash, tamper } from '../audit.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { Random } from '../random.ts'
import { PATIENCE, report, times } from './size.ts'

const ENTRIES = 40
let database: TestDatabase
let noted: Anchor
const random = new Random(4711)
const entry = () => 1 + random.below(ENTRIES)

beforeAll(async () => {
  database = await createTestDatabase()
  for (let index = 0; index < ENTRIES; index++) {
    await transaction(database.db, (tx) =>
      record(tx, {
        actor: { kind: 'staff', id: crypto.randomUUID(), username: `ana${index % 3}` },
        action: 'submission.risk_acknowledged',
        subject: { kind: 'submission', id: crypto.randomUUID() },
        details: { count: index, reason: `Reason ${index}` },
      }),
    )
  }
  await database.pool.query('create table kept_log as select * from audit_log')
  await database.pool.query('create table kept_head as select * from audit_head')
  const verdict = await verifyAuditLog(database.db)
  if (!verdict.intact) throw new Error('The log is broken from the start')
  noted = verdict.head
})

/** Edits by an attacker with full rights in the database. */
const edits: readonly (() => string)[] = [
  () => `update audit_log set actor_name = 'mallory' where id = ${entry()}`,
  () => `update audit_log set actor_id = gen_random_uuid() where id = ${entry()}`,
  () => `update audit_log set actor_kind = 'system' where id = ${entry()}`,
  () => `update audit_log set action = 'submission.moved' where id = ${entry()}`,
  () => `update audit_log set subject_kind = 'brand' where id = ${entry()}`,
  () => `update audit_log set subject_id = gen_random_uuid() where id = ${entry()}`,
  () => `update audit_log set details = details || '{"count": -1}' where id = ${entry()}`,
  () => `update audit_log set details = '{}' where id = ${entry()}`,
  () => `update audit_log set details = details || '{"reason": "x"}' where id = ${entry()}`,
  () => `update audit_log set details = details - 'reason', salts = '{}' where id = ${entry()}`,
  () => `update audit_log set commitments = '{}', salts = '{}' where id = ${entry()}`,
  // Edits a reason, its commitment and the hash of the entry.
  () => {
    const id = entry()
    return `update audit_log set details = details || '{"reason": "x"}' where id = ${id};
      update audit_log a set commitments = audit_commitments(audit_personal_parts(a), salts) where id = ${id}; ${rehash(id)}`
  },
  () => `update audit_log set at = at - interval '1 microsecond' where id = ${entry()}`,
  () => `update audit_log set hash = sha256(hash) where id = ${entry()}`,
  () => `update audit_log set previous_hash = sha256(hash) where id = ${entry()}`,
  () => `delete from audit_log where id = ${entry()}`,
  () => `delete from audit_log where id >= ${entry()}`,
  // Edits an entry and computes its hash again.
  () => {
    const id = entry()
    return `update audit_log set actor_name = 'mallory' where id = ${id}; ${rehash(id)}`
  },
  // Deletes an entry and closes the gap.
  () => {
    const id = 1 + random.below(ENTRIES - 1)
    return `delete from audit_log where id = ${id};
      update audit_log set id = -id where id > ${id}; update audit_log set id = -id - 1 where id < 0`
  },
  // Swaps two entries.
  () => {
    const id = 1 + random.below(ENTRIES - 1)
    return `update audit_log set id = case id when ${id} then ${-id - 1} else ${-id} end where id in (${id}, ${id + 1});
      update audit_log set id = -id where id < 0`
  },
  // Cuts off the end and resets the head.
  () => {
    const id = 1 + random.below(ENTRIES - 1)
    return `delete from audit_log where id > ${id};
      update audit_head set entries = ${id}, hash = (select hash from audit_log where id = ${id})`
  },
  // Edits an entry and computes all later hashes again, and the head.
  () => {
    const id = entry()
    return `update audit_log set actor_name = 'mallory' where id = ${id};
      do $$ begin for i in ${id}..${ENTRIES} loop
        update audit_log set previous_hash = (select hash from audit_log where id = i - 1) where id = i and i > 1;
        update audit_log a set hash = sha256(previous_hash || convert_to(audit_text(a), 'UTF8')) where id = i;
      end loop; end $$;
      update audit_head set hash = (select hash from audit_log where id = ${ENTRIES})`
  },
]

it('every edit of the audit log is detected with a head that was saved elsewhere', {
  timeout: PATIENCE,
}, async () => {
  const count = times({ small: 36, long: 100 })
  const missed: string[] = []
  for (let index = 0; index < count; index++) {
    const sql = edits[index % edits.length]?.() ?? ''
    await tamper(database, sql)
    const verdict = await verifyAuditLog(database.db, noted)
    if (verdict.intact) missed.push(sql)
    await tamper(
      database,
      `delete from audit_log; insert into audit_log select * from kept_log;
      delete from audit_head; insert into audit_head select * from kept_head`,
    )
  }
  expect(missed).toEqual([])
  expect(await verifyAuditLog(database.db, noted)).toMatchObject({ intact: true })
  report(`${count} edits of the audit log, ${count - missed.length} detected`)
})
