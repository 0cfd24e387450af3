import { copyFile, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { migrate, migrationsFolder } from '#server/platform/database/migrate.ts'
import { createTestDatabase } from '#test/database.ts'
import { verifyAuditLog } from './verify.ts'

it('numbers and chains entries from before the chain, in order and without gaps', async () => {
  const { pool, db } = await createTestDatabase()
  await pool.query('drop owned by current_user')
  const folder = await mkdtemp(join(tmpdir(), 'unspent-migrations-'))
  const names = await readdir(migrationsFolder)
  for (const name of names.filter((candidate) => candidate < '0004')) {
    await copyFile(join(migrationsFolder, name), join(folder, name))
  }
  await migrate(pool, folder)
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
  ])
  expect(await verifyAuditLog(db)).toMatchObject({ intact: true, head: { entries: 3 } })
})
