import type { Command } from 'commander'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { rememberKeys, verifyKeys } from '#server/platform/vault/key-check.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import {
  addMasterKey,
  giveToServer,
  KEYS_CHANNEL,
  keyFileOf,
  loadKeys,
  removeMasterKey,
} from '#server/platform/vault/keys.ts'
import { countKeys, dropKey, hasOutdated, nextKeyId, rewrapAll, sealedTables } from './rotation.ts'
import type { Run, Tools } from './tools.ts'

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
async function exclusively<T>({ db }: Tools, work: () => Promise<T>): Promise<T> {
  const client = await db.$client.connect()
  try {
    const { rows } = await client.query(
      "select pg_try_advisory_lock(hashtext('Unspent key rotation')) as free",
    )
    if (!rows[0].free)
      throw new OperatorError('Another command is changing the keys right now. Try again later.')
    return await work()
  } finally {
    await client.query("select pg_advisory_unlock(hashtext('Unspent key rotation'))").catch(() => {})
    // Closing the connection releases the lock in any case.
    client.release(true)
  }
}

async function list({ db, source, say }: Tools): Promise<void> {
  const keys = await loadKeys(source)
  await verifyKeys(db, keys)
  const uses = await countKeys(db)
  for (const id of new Set([...keys.masters.keys(), ...uses.map(({ key }) => key)])) {
    const countIn = (table: string) => uses.find((use) => use.key === id && use.table === table)?.count ?? 0
    const held = sealedTables.map(({ table }) => `${table} ${countIn(table)}`).join(', ')
    const notes = [id === keys.currentId && 'current', !keys.masters.has(id) && 'MISSING'].filter(Boolean)
    say(`${id || '(malformed)'}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${held}`)
  }
}

async function rotate(tools: Tools): Promise<boolean> {
  const { db, source } = tools
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
  if (keys.currentId !== id) throw new OperatorError(`${file}: the new key is missing`)
  tools.say(`A new master key ${id} is in ${file}. Back up that file now, apart from the database.`)
  return rewrap(tools, keys)
}

async function rewrap({ db, say }: Tools, keys: KeyRing): Promise<boolean> {
  // Before the first row: everything that servers seal from now on is under the new key.
  await transaction(db, (tx) => notify(tx, KEYS_CHANNEL))
  let isComplete = true
  for await (const { table, rows, unopened } of rewrapAll(db, keys)) {
    say(`${table}: ${rows} rewrapped under ${keys.currentId}`)
    for (const id of unopened) say(`${table}: ${id} does not open and was left unchanged`)
    isComplete &&= unopened.length === 0
  }
  if (isComplete) sayUnusedKeys(say, keys)
  return isComplete
}

/** Servers read SECRET_KEYS only when they start, and remember them then. This command never remembers them. */
async function requireServersKnow(db: Database, keys: KeyRing): Promise<void> {
  if (await verifyKeys(db, keys)) return
  throw new OperatorError(
    `No server has started yet with ${keys.currentId} as the first of SECRET_KEYS. Restart every server with ` +
      'these SECRET_KEYS, then run this again.',
  )
}

function requireSecondKey(keys: KeyRing): void {
  if (keys.masters.size > 1) return
  throw new OperatorError(
    'SECRET_KEYS has only one master key. Make another (openssl rand -base64 32), add it at the end of SECRET_KEYS ' +
      'as name:key and restart every server; then put it first and restart them again; then run this.',
  )
}

function sayUnusedKeys(say: Tools['say'], keys: KeyRing): void {
  say(`Every secret is under ${keys.currentId}.`)
  for (const id of keys.masters.keys()) {
    if (id === keys.currentId) continue
    say(
      `${id} still opens older backups of the database. When they are gone: ./unspent admin keys drop ${id}`,
    )
  }
}

/** A running backup may hold rows under the old key, and copies the key file at its end. */
async function refuseDuringBackup(db: Database): Promise<void> {
  const { rowCount } = await db.execute(
    "select from pg_stat_activity where datname = current_database() and application_name = 'unspent backup'",
  )
  if (rowCount)
    throw new OperatorError('A backup is running that may need the key. Drop the key when it is done.')
}

async function drop({ db, source, say }: Tools, id: string): Promise<true> {
  const keys = await loadKeys(source)
  const file = keyFileOf(source)
  if (file === undefined) await requireServersKnow(db, keys)
  else await rememberKeys(db, keys)
  if (id === keys.currentId) throw new OperatorError(`${id} is the current key: rotate first.`)
  if (!keys.masters.has(id)) throw new OperatorError(`There is no master key ${id}.`)
  await refuseDuringBackup(db)
  const needed = await dropKey(db, id)
  if (needed.length > 0) {
    const tables = needed.map(({ table, count }) => `${count} of ${table}`).join(', ')
    throw new OperatorError(`${id} is still needed (${tables}). Run: ./unspent admin keys rotate`)
  }
  if (file === undefined) {
    say(`No row needs ${id}, and no row will be written under it. Now remove it from SECRET_KEYS.`)
    return true
  }
  await removeMasterKey(file, id)
  await transaction(db, (tx) => notify(tx, KEYS_CHANNEL))
  say(`No row needs ${id}. It was removed from ${file}. Backups from before the rotation still need it.`)
  return true
}
