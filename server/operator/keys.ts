import type { Command } from 'commander'
import type pg from 'pg'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { createDatabase, type Database } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { rememberKeys, verifyKeys } from '#server/platform/vault/key-check.ts'
import { type KeyRing, KeySettingError } from '#server/platform/vault/key-ring.ts'
import {
  addMasterKey,
  giveToServer,
  KEYS_CHANNEL,
  keyFileOf,
  loadKeys,
  removeMasterKey,
} from '#server/platform/vault/keys.ts'
import { countKeys, dropKey, hasOutdated, nextKeyId, rewrapAll } from './rotation.ts'
import type { Run, Tools } from './tools.ts'

export class KeyCommandError extends OperatorError {
  override name = 'KeyCommandError'
}

export function addKeyCommands(program: Command, run: Run): void {
  const keys = program.command('keys').description('manage the master keys')
  keys
    .command('list')
    .description('list them, and how many secrets each protects')
    .action(() => run(list))
  keys
    .command('rotate')
    .description('protect every secret with a new key; if interrupted, run it again')
    .action(() => run((tools) => exclusively(tools, () => rotate(tools))))
  keys
    .command('drop')
    .description('forget an old key that no secret needs')
    .argument('KEY')
    .action((id: string) => run((tools) => exclusively(tools, () => drop(tools, id))))
}

/** Two rotations at once would overwrite each other's key file. */
async function exclusively<T>({ pool }: Tools, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query(
      "select pg_try_advisory_lock(hashtext('Unspent key rotation')) as free",
    )
    if (!rows[0].free)
      throw new KeyCommandError('Another command is changing the keys right now. Try again later.')
    return await work()
  } finally {
    await client.query("select pg_advisory_unlock(hashtext('Unspent key rotation'))").catch(() => {})
    // Closing the connection releases the lock in any case.
    client.release(true)
  }
}

async function list({ pool, source, say }: Tools): Promise<void> {
  const db = createDatabase(pool)
  const keys = await loadKeys(source)
  await verifyKeys(db, keys)
  const counts = await countKeys(db)
  const ids = new Set([...keys.masters.keys(), ...[...counts.values()].flatMap((of) => [...of.keys()])])
  for (const id of ids) {
    const held = [...counts].map(([table, of]) => `${table} ${of.get(id) ?? 0}`).join(', ')
    const notes = [id === keys.currentId && 'current', !keys.masters.has(id) && 'MISSING'].filter(Boolean)
    say(`${id || '(malformed)'}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${held}`)
  }
}

async function rotate(tools: Tools): Promise<boolean> {
  const { pool, source } = tools
  const db = createDatabase(pool)
  const keys = await loadKeys(source)
  const file = keyFileOf(source)
  if (file === undefined) {
    await requireServersKnow(db, keys)
    requireSecondKey(keys)
    return rewrap(tools, keys)
  }
  await rememberKeys(db, keys)
  // An interrupted run may have left the file to root.
  await giveToServer(file)
  if (await hasOutdated(db, keys)) {
    tools.say(`Not everything is under ${keys.currentId} yet. Resuming that rotation.`)
    return rewrap(tools, keys)
  }
  const id = await nextKeyId(db, keys)
  await addMasterKey(file, id)
  keys.reread?.()
  if (keys.currentId !== id) throw new KeySettingError(`${file}: the new key is missing`)
  tools.say(`A new master key ${id} is in ${file}. Back up that file now, apart from the database.`)
  return rewrap(tools, keys)
}

async function rewrap({ pool, say }: Tools, keys: KeyRing): Promise<boolean> {
  const db = createDatabase(pool)
  // Before the first row: everything that servers seal from now on is under the new key.
  await notify(db, KEYS_CHANNEL)
  const results = await rewrapAll(db, keys, ({ table, rows, unopened }) => {
    say(`${table}: ${rows} rewrapped under ${keys.currentId}`)
    for (const id of unopened) say(`${table}: ${id} does not open and was left unchanged`)
  })
  if (results.some(({ unopened }) => unopened.length > 0)) return false
  sayUnusedKeys(say, keys)
  return true
}

/** Servers read SECRET_KEYS only when they start, and remember them then. This command never remembers them. */
async function requireServersKnow(db: Database, keys: KeyRing): Promise<void> {
  if (await verifyKeys(db, keys)) return
  throw new KeyCommandError(
    `No server has started yet with ${keys.currentId} as the first of SECRET_KEYS. Restart every server with ` +
      'these SECRET_KEYS, then run this again.',
  )
}

function requireSecondKey(keys: KeyRing): void {
  if (keys.masters.size > 1) return
  throw new KeyCommandError(
    'SECRET_KEYS has only one master key. Make another (openssl rand -base64 32), add it at the end of SECRET_KEYS ' +
      'as name:key and restart every server; then put it first and restart them again; then run this.',
  )
}

function sayUnusedKeys(say: Tools['say'], keys: KeyRing): void {
  say(`Every secret is under ${keys.currentId}.`)
  for (const id of keys.masters.keys()) {
    if (id === keys.currentId) continue
    say(
      `${id} still opens older backups of the database. When they are gone: npm run admin -- keys drop ${id}`,
    )
  }
}

/** A running backup may hold rows under the old key, and copies the key file at its end. */
async function refuseDuringBackup(pool: pg.Pool): Promise<void> {
  const { rowCount } = await pool.query(
    "select from pg_stat_activity where datname = current_database() and application_name = 'unspent backup'",
  )
  if (rowCount)
    throw new KeyCommandError('A backup is running that may need the key. Drop the key when it is done.')
}

async function drop({ pool, source, say }: Tools, id: string): Promise<true> {
  const db = createDatabase(pool)
  const keys = await loadKeys(source)
  const file = keyFileOf(source)
  if (file === undefined) await requireServersKnow(db, keys)
  else await rememberKeys(db, keys)
  if (id === keys.currentId) throw new KeyCommandError(`${id} is the current key: rotate first.`)
  if (!keys.masters.has(id)) throw new KeyCommandError(`There is no master key ${id}.`)
  await refuseDuringBackup(pool)
  const needed = await dropKey(db, id)
  if (needed.size > 0) {
    const tables = [...needed].map(([table, count]) => `${count} of ${table}`).join(', ')
    throw new KeyCommandError(`${id} is still needed (${tables}). Run: npm run admin -- keys rotate`)
  }
  if (file === undefined) {
    say(`No row needs ${id}, and none will be written under it. Now remove it from SECRET_KEYS.`)
    return true
  }
  await removeMasterKey(file, id)
  await notify(db, KEYS_CHANNEL)
  say(`No row needs ${id}. It was removed from ${file}. Backups from before the rotation still need it.`)
  return true
}
