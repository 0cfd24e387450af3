import { createReadStream, createWriteStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { stopPayouts } from '#server/features/payouts/payout-stop.ts'
import type { Storage } from '#server/platform/config/config-values.ts'
import { makeDataDir } from '#server/platform/config/data-dir.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { migrate, migrationsFolder } from '#server/platform/database/migrate.ts'
import type { Connection } from '#server/platform/database/pool.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { beginRestore, endRestore } from '#server/platform/database/unfinished-restore.ts'
import { createDurably, isErrno, readIfExists } from '#server/platform/durable-file.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'
import { pushKeyFileIn } from '#server/platform/push/push-key.ts'
import { verifyKeyCheck, verifyKeys } from '#server/platform/vault/key-check.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { findKeys, keyFileIn, keyFileOf, loadKeys, parseKeyFile } from '#server/platform/vault/keys.ts'
import { bindStore, foreignStore } from '../installation.ts'
import { bytesOf, type Manifest, readArchive, verifyArchive } from './archive.ts'
import { keyCopyOf, keyFileNames } from './backup.ts'
import { advanceSequences, copyIn, quoted } from './tables.ts'

interface RestoreOptions {
  readonly file: string
  /** A folder that is empty or does not exist. */
  readonly dataDir: string
  readonly storage: Storage
  readonly secretKeys: string | undefined
  readonly pushKey?: string | undefined
  /** Uses a photo store that belongs to another installation. */
  readonly takeOverStore?: boolean
  readonly say: (line: string) => void
}

/**
 * Restores a backup into an empty data folder. Checks the whole file and the keys before it writes anything. After an interrupted
 * restore, servers refuse to start on the folder.
 *
 * @throws {OperatorError}
 */
export async function restore(options: RestoreOptions): Promise<void> {
  const { dataDir, say } = options
  const path = resolve(options.file)
  await refuseNonEmpty(dataDir)
  const { manifest, keyCheck } = await verifyArchive(path)
  await refuseNewer(manifest)
  const keys = await findBackupKeys(options, path)
  if (keyCheck) verifyKeyCheck(keys, keyCheck)
  const photos = await openStorage(options.storage)
  await refuseForeignStore(options, photos)
  await makeDataDir(dataDir)
  await beginRestore(dataDir)
  await restoreKeys(options, path)
  const work = await mkdtemp(join(dataDir, '.restoring-'))
  const embedded = await startEmbedded({ dataDir, log: () => undefined })
  try {
    await unpack(path, work, photos)
    await migrateTo(manifest, work, embedded.connection)
    await fillTables(manifest, work, { ...embedded.superuser, database: embedded.connection.database })
    await finish(options, manifest, embedded.connection, photos)
  } finally {
    await embedded.stop()
    await rm(work, { recursive: true, force: true })
  }
  await endRestore(dataDir)
  say(`Restored the backup of ${manifest.createdAt}. Now start the server. Everyone must sign in again.`)
  say(
    `Payouts are stopped: what was sent since ${manifest.createdAt} may be due again. Mark those payouts as paid with their ` +
      'references (docs/operating.md, "After a restore"), then run: ./unspent admin payouts resume',
  )
}

async function refuseNonEmpty(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error) => {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  })
  // The operator may have copied the keys there.
  const used = names.filter((name) => !keyFileNames.some((known) => known === name))
  if (used.length > 0)
    throw new OperatorError(
      `DATA_DIR ${dataDir} is not empty (${used[0]}). A restore never changes existing data.`,
    )
}

async function refuseNewer({ migrations }: Manifest): Promise<void> {
  const known = new Set(await readdir(migrationsFolder))
  const unknown = migrations.find((name) => !known.has(name))
  if (unknown)
    throw new OperatorError(`the backup is newer than this program: it contains the migration ${unknown}`)
}

/** A restored database is a new installation, so a store with any mark belongs to another one. */
async function refuseForeignStore(
  { storage, takeOverStore }: RestoreOptions,
  photos: PhotoStorage,
): Promise<void> {
  if (takeOverStore || (await photos.readMark()) === undefined) return
  throw foreignStore(storeName(storage), 'restore again with --take-over-store')
}

/** The keys of SECRET_KEYS, of DATA_DIR or beside the backup, in this order. */
async function findBackupKeys({ dataDir, secretKeys }: RestoreOptions, path: string): Promise<KeyRing> {
  const known = await findKeys({ dataDir, secretKeys })
  if (known) return known
  const copy = keyCopyOf(path, 'keys')
  const text = await readIfExists(copy)
  if (text) return parseKeyFile(text.toString(), copy)
  throw new OperatorError(
    `there are no keys. Copy them to ${copy} or ${keyFileIn(dataDir)}, or set SECRET_KEYS.`,
  )
}

/** Copies the keys beside the backup, unless a setting or DATA_DIR has them. */
async function restoreKeys({ dataDir, secretKeys, pushKey }: RestoreOptions, path: string): Promise<void> {
  const files = {
    keys: keyFileOf({ dataDir, secretKeys }),
    'push-key': pushKey ? undefined : pushKeyFileIn(dataDir),
  }
  for (const name of keyFileNames) {
    const copy = await readIfExists(keyCopyOf(path, name))
    if (copy && files[name]) await createDurably(files[name], copy)
  }
}

async function unpack(path: string, work: string, photos: PhotoStorage): Promise<void> {
  for await (const { name, content } of readArchive(path)) {
    if (name.startsWith('photos/')) await photos.put(basename(name), await bytesOf(content))
    else await pipeline(content, createWriteStream(join(work, basename(name)), { mode: 0o600 }))
  }
}

/** Creates the tables as they were, so that the rows fit. Newer migrations then change both. */
async function migrateTo({ migrations }: Manifest, work: string, connection: Connection): Promise<void> {
  const folder = join(work, 'migrations')
  await mkdir(folder)
  for (const name of migrations) await cp(join(migrationsFolder, name), join(folder, name))
  await withPool(connection, async (pool) => {
    await migrate(pool, { folder })
    // Long before the rows of the backup, so that migrations do not take all of these for older than themselves.
    await pool.query("UPDATE migrations SET applied_at = '-infinity'")
  })
}

async function fillTables(
  { tables, erased }: Manifest,
  work: string,
  superuser: pg.ClientConfig,
): Promise<void> {
  const client = new pg.Client(superuser)
  // If the connection breaks between two queries, the next query rejects.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('BEGIN')
    // No triggers, and no reference checks: the rows come from a consistent database.
    await client.query('SET LOCAL session_replication_role = replica')
    for (const table of tables) {
      // Migrations insert rows into some tables.
      await client.query(`DELETE FROM ${quoted(table.name)}`)
      const rows = createReadStream(join(work, `${table.name}.copy.gz`))
      await pipeline(rows, createGunzip(), copyIn(client, table))
    }
    await client.query('DELETE FROM photos WHERE name = ANY ($1) OR thumbnail_name = ANY ($1)', [erased])
    await advanceSequences(client)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

/** Runs newer migrations, verifies the keys, marks the store and stops payouts. */
async function finish(
  { dataDir, secretKeys, storage, takeOverStore = false }: RestoreOptions,
  { createdAt }: Manifest,
  connection: Connection,
  photos: PhotoStorage,
): Promise<void> {
  await withPool(connection, async (pool) => {
    await migrate(pool)
    const db = createDatabase(pool)
    await verifyKeys(db, await loadKeys({ dataDir, secretKeys }))
    await bindStore(db, { photos, store: storeName(storage), takeOver: takeOverStore })
    await transaction(db, (tx) => stopPayouts(tx, new Date(createdAt)))
    await pool.query('ANALYZE')
  })
}

async function withPool(connection: Connection, work: (pool: pg.Pool) => Promise<unknown>): Promise<void> {
  const pool = createPool({ connection, max: 2, statementTimeout: 0, onError: () => undefined })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}
