import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { rememberKeys } from '#server/platform/vault/key-check.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { type KeySource, keyFileIn, loadKeys, makeKeys } from '#server/platform/vault/keys.ts'
import { newDataKey, open, seal, unwrapKey, wrapKey } from '#server/platform/vault/seal.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { runCommand } from '#test/operator.ts'
import { newDataDir } from '#test/server-process.ts'

let database: TestDatabase
let source: KeySource
let path: string
beforeEach(async () => {
  database = await createTestDatabase()
  const dataDir = await newDataDir()
  path = keyFileIn(dataDir)
  source = { dataDir }
  await makeKeys(source)
})

const run = (...words: string[]) => runCommand({ db: database.db, source }, 'keys', ...words)

/** The keys of a server that never rereads the file. */
async function fixedKeys(): Promise<KeyRing> {
  const { currentId, masters, index } = await loadKeys(source)
  return { currentId, masters, index }
}

/** Adds an administrator's sealed secret: the smallest row with a data key. */
async function addRow(keys: KeyRing): Promise<string> {
  const id = randomUUID()
  const context = (column: string) => ({ table: 'second_factors', column, row: id })
  const dataKey = newDataKey()
  await database.pool.query(
    "insert into administrators (id, username, password_hash) values ($1, $1::uuid::text, '')",
    [id],
  )
  await database.pool.query('insert into second_factors (account_id, data_key, secret) values ($1, $2, $3)', [
    id,
    wrapKey(keys, dataKey, context('data_key')),
    seal(dataKey, `secret of ${id}`, context('secret')),
  ])
  return id
}

async function openRow(keys: KeyRing, id: string): Promise<string> {
  const { rows } = await database.pool.query('select * from second_factors where account_id = $1', [id])
  const context = (column: string) => ({ table: 'second_factors', column, row: id })
  return open(
    unwrapKey(keys, rows[0].data_key, context('data_key')),
    rows[0].secret,
    context('secret'),
  ).toString()
}

describe('keys rotate', () => {
  it('rewraps everything under a new key, leaves sealed values alone, and keeps running processes working', async () => {
    const running = await loadKeys(source)
    const ids = [await addRow(running), await addRow(running)]
    const before = await database.pool.query('select secret from second_factors order by 1')
    expect(await run('rotate')).toBe(
      [
        `A new master key k2 is in ${path}. Back up that file now, apart from the database.`,
        'gift_cards: 0 rewrapped under k2',
        'chat_messages: 0 rewrapped under k2',
        'payment_methods: 0 rewrapped under k2',
        'payout_batches: 0 rewrapped under k2',
        'second_factors: 2 rewrapped under k2',
        'notes: 0 rewrapped under k2',
        'holds: 0 rewrapped under k2',
        'code_exports: 0 rewrapped under k2',
        'tax_details: 0 rewrapped under k2',
        'webhook_endpoints: 0 rewrapped under k2',
        'balance_connectors: 0 rewrapped under k2',
        'Every secret is under k2.',
        'k1 still opens older backups of the database. When they are gone: ./unspent admin keys drop k1',
      ].join('\n'),
    )
    expect(await run('list')).toMatch(
      /^k2 \(current\): .*second_factors 2, notes 0, holds 0, code_exports 0, tax_details 0, webhook_endpoints 0, balance_connectors 0\nk1: .*second_factors 0, notes 0, holds 0, code_exports 0, tax_details 0, webhook_endpoints 0, balance_connectors 0$/,
    )
    expect(await database.pool.query('select secret from second_factors order by 1')).toMatchObject({
      rows: before.rows,
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const { rows } = await database.pool.query('select action, subject_id, details from audit_log')
    expect(rows).toEqual([
      { action: 'keys.rotated', subject_id: 'k2', details: { by: 'command line', rows: 2 } },
    ])
    // It was not notified, and finds the new key in a row.
    expect(running.currentId).toBe('k1')
    for (const id of ids) expect(await openRow(running, id)).toBe(`secret of ${id}`)
    expect(running.currentId).toBe('k2')
  })

  it('resumes an interrupted rotation before it makes another key', async () => {
    const old = await fixedKeys()
    await addRow(old)
    await run('rotate')
    await addRow(old)
    expect(await run('rotate')).toMatch(
      /^Not everything is under k2 yet\. Resuming that rotation\.[\s\S]*second_factors: 1 rewrapped under k2/,
    )
    expect(await run('rotate')).toMatch(/^A new master key k3 is in /)
  })

  it('reports rows that do not open, leaves them unchanged, and still makes a new key', async () => {
    const id = await addRow(await loadKeys(source))
    await addRow(await loadKeys(source))
    await database.pool.query(
      'update second_factors set data_key = set_byte(data_key, 40, 255 - get_byte(data_key, 40)) where account_id = $1',
      [id],
    )
    for (const key of ['k2', 'k3']) {
      const output = await run('rotate')
      expect(output).toContain(`A new master key ${key} is in`)
      expect(output).toContain(`second_factors: ${id} does not open and was left unchanged`)
      expect(output).not.toContain('Every secret')
    }
    await expect(run('drop', 'k1')).rejects.toThrow('k1 is still needed (1 of second_factors')
  })

  it('refuses to run twice at once', async () => {
    const client = await database.pool.connect()
    await client.query("select pg_advisory_lock(hashtext('Unspent key rotation'))")
    await expect(run('rotate')).rejects.toThrow('Another command is changing the keys right now.')
    client.release(true)
    await expect.poll(() => run('rotate').catch(String)).toContain('Every secret is under k2.')
  })

  it('refuses keys of another database and makes no new ones', async () => {
    await rememberKeys(database.db, await loadKeys(source))
    source = { ...source, dataDir: await newDataDir() }
    for (const word of ['list', 'rotate']) {
      await expect(run(word)).rejects.toThrow(OperatorError)
      expect(await readdir(source.dataDir)).toEqual([])
    }
    await makeKeys(source)
    for (const word of ['list', 'rotate']) await expect(run(word)).rejects.toThrow('lacks the key')
  })
})

describe('keys rotate with SECRET_KEYS', () => {
  const entry = (id: string) => `${id}:${newDataKey().toString('base64')}`
  const [k1, k2, index] = [entry('k1'), entry('k2'), entry('index')]
  const withKeys = (...entries: string[]) => {
    source = { ...source, secretKeys: entries.join(',') }
    return loadKeys(source)
  }

  it('works once every server has started with the new key', async () => {
    const first = await withKeys(k1, index)
    await rememberKeys(database.db, first)
    const id = await addRow(first)
    await expect(run('rotate')).rejects.toThrow('SECRET_KEYS has only one master key.')
    const both = await withKeys(k2, k1, index)
    // On every attempt; and servers with the old keys still start.
    for (const words of [['rotate'], ['rotate'], ['drop', 'k1']])
      await expect(run(...words)).rejects.toThrow('No server has started yet with k2')
    await rememberKeys(database.db, first)
    // A server starts.
    await rememberKeys(database.db, both)
    expect(await run('rotate')).toContain('second_factors: 1 rewrapped under k2')
    expect(await run('drop', 'k1')).toContain('Now remove it from SECRET_KEYS.')
    expect(await openRow(await withKeys(k2, index), id)).toBe(`secret of ${id}`)
    // A server that still puts the old key first would lose what it seals.
    await expect(rememberKeys(database.db, await withKeys(k1, k2, index))).rejects.toThrow('it was dropped')
  })
})

describe('keys drop', () => {
  it('removes an old key from the file and from running processes, and keeps the current one', async () => {
    const running = await loadKeys(source)
    const id = await addRow(running)
    await expect(run('drop', 'k1')).rejects.toThrow('k1 is the current key: rotate first.')
    await run('rotate')
    await expect(run('drop', 'nothing')).rejects.toThrow('There is no master key nothing.')
    await expect(run('drop', 'index')).rejects.toThrow('There is no master key index.')
    expect(await run('drop', 'k1')).toContain('No row needs k1.')
    expect(await readFile(path, 'utf8')).not.toMatch(/^k1:/m)
    running.reread?.()
    expect([...running.masters.keys()]).toEqual(['k2'])
    expect(await openRow(running, id)).toBe(`secret of ${id}`)
    // Later keys get another id.
    expect(await run('rotate')).toContain('A new master key k3')
  })

  it('keeps a key that a row needs', async () => {
    const old = await fixedKeys()
    await addRow(old)
    await run('rotate')
    await addRow(old)
    await expect(run('drop', 'k1')).rejects.toThrow(
      'k1 is still needed (1 of second_factors). Run: ./unspent admin keys rotate',
    )
    expect(await readFile(path, 'utf8')).toMatch(/^k1:/m)
  })

  it('keeps a key while a backup is running', async () => {
    await addRow(await loadKeys(source))
    await run('rotate')
    const backup = new pg.Client({ connectionString: database.url, application_name: 'unspent backup' })
    await backup.connect()
    await expect(run('drop', 'k1')).rejects.toThrow('A backup is running')
    await backup.end()
    await expect.poll(() => run('drop', 'k1').catch(String)).toContain('No row needs k1.')
  })

  it('never drops a key that a concurrent transaction is writing rows under', async () => {
    const old = await fixedKeys()
    await addRow(old)
    await run('rotate')
    const results = await Promise.allSettled([
      ...Array.from({ length: 12 }, () => addRow(old)),
      run('drop', 'k1'),
      ...Array.from({ length: 12 }, () => addRow(old)),
    ])
    const drop = results[12]
    const written = results.filter(({ status }, index) => index !== 12 && status === 'fulfilled').length
    const { rows } = await database.pool.query(
      "select count(*)::int as count from second_factors where wrapping_key_id(data_key) = 'k1'",
    )
    expect(rows[0].count).toBe(written)
    expect(drop?.status === 'fulfilled' && written > 0).toBe(false)
    if (drop?.status === 'rejected') await run('rotate').then(() => run('drop', 'k1'))
    await expect(addRow(old)).rejects.toThrow('wrapped under a dropped key')
  })
})

describe('a running process', () => {
  it('keeps its keys while the file is gone, broken or of another database', async () => {
    const running = await loadKeys(source)
    const id = await addRow(running)
    const other = (await readFile(path, 'utf8')).replace(
      /^index:.*$/m,
      `index:${newDataKey().toString('base64')}`,
    )
    for (const text of ['', 'k1:abc', other.replace(/^k1:/m, 'k7:')]) {
      await writeFile(path, text)
      running.reread?.()
      expect(running.currentId).toBe('k1')
      expect(await openRow(running, id)).toBe(`secret of ${id}`)
    }
  })
})
