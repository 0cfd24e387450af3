import { createReadStream, createWriteStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import type { Storage } from '#server/platform/config/config-values.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { migrate, migrationsFolder } from '#server/platform/database/migrate.ts'
import type { Connection } from '#server/platform/database/pool.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { beginRestore, endRestore } from '#server/platform/database/unfinished-restore.ts'
import { createDurably, isErrno, makeFolderDurably, readIfThere } from '#server/platform/durable-file.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'
import { verifyKeys } from '#server/platform/vault/key-check.ts'
import { keyFileOf, loadKeys } from '#server/platform/vault/keys.ts'
import { bindStore, ForeignStoreError } from '../installation.ts'
import { BackupError, bytesOf, type Manifest, readArchive, verifyArchive } from './archive.ts'
import { keysBeside } from './backup.ts'
import { advanceSequences, quoted, rowsIn } from './tables.ts'

export interface RestoreOptions {
  readonly file: string
  /** A folder that is empty or not there yet. */
  readonly dataDir: string
  readonly storage: Storage
  readonly secretKeys: string | undefined
  /** Takes a photo store that belongs to another installation. */
  readonly takeOverStore?: boolean
  readonly say: (line: string) => void
}

/**
 * Puts a backup back into an empty data folder. The file is read whole and checked before anything is written; a
 * restore that was cut off leaves a folder that no server starts on.
 *
 * @throws {BackupError}
 */
export async function restore(options: RestoreOptions): Promise<void> {
  const { dataDir, say } = options
  const path = resolve(options.file)
  await refuseUsed(dataDir)
  const manifest = await verifyArchive(path)
  await refuseNewer(manifest)
  const photos = await openStorage(options.storage)
  await refuseForeignStore(options, photos)
  await makeFolderDurably(dataDir)
  await beginRestore(dataDir)
  await placeKeys(options, path)
  const work = await mkdtemp(join(dataDir, '.restoring-'))
  const embedded = await startEmbedded({ dataDir, log: () => undefined })
  try {
    await unpack(path, work, photos)
    await migrateTo(manifest, work, embedded.connection)
    await fillTables(manifest, work, { ...embedded.superuser, database: embedded.connection.database })
    await finish(options, embedded.connection, photos)
  } finally {
    await embedded.stop()
    await rm(work, { recursive: true, force: true })
  }
  await endRestore(dataDir)
  say(`Restored what was there at ${manifest.createdAt}: start the server. Everybody signs in anew.`)
}

async function refuseUsed(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error) => {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  })
  // Keys that were put there before are welcome.
  const used = names.filter((name) => name !== 'keys')
  if (used.length > 0)
    throw new BackupError(
      `DATA_DIR ${dataDir} is not empty (${used[0]}): a restore never touches what is there`,
    )
}

async function refuseNewer({ migrations }: Manifest): Promise<void> {
  const known = new Set(await readdir(migrationsFolder))
  const foreign = migrations.find((name) => !known.has(name))
  if (foreign)
    throw new BackupError(`the backup is newer than this program: it holds the migration ${foreign}`)
}

/** A restored database is a new installation: a store with any mark is another's. */
async function refuseForeignStore(
  { storage, takeOverStore }: RestoreOptions,
  photos: PhotoStorage,
): Promise<void> {
  if (takeOverStore || (await photos.readMark()) === undefined) return
  throw new ForeignStoreError(storeName(storage), 'restore again with --take-over-store')
}

async function placeKeys({ dataDir, secretKeys }: RestoreOptions, path: string): Promise<void> {
  const keyFile = keyFileOf({ dataDir, secretKeys })
  if (keyFile === undefined) return
  const keys = await readIfThere(keysBeside(path))
  if (keys) await createDurably(keyFile, keys)
  if (await readIfThere(keyFile)) return
  await endRestore(dataDir)
  throw new BackupError(
    `there are no keys: put them into ${keysBeside(path)} or ${keyFile}, or set SECRET_KEYS`,
  )
}

async function unpack(path: string, work: string, photos: PhotoStorage): Promise<void> {
  for await (const { name, content } of readArchive(path)) {
    if (name.startsWith('photos/')) await photos.put(basename(name), await bytesOf(content))
    else await pipeline(content, createWriteStream(join(work, basename(name)), { mode: 0o600 }))
  }
}

/** The tables as they were, so that the rows fit; the newer migrations then change both. */
async function migrateTo({ migrations }: Manifest, work: string, connection: Connection): Promise<void> {
  const folder = join(work, 'migrations')
  await mkdir(folder)
  for (const name of migrations) await cp(join(migrationsFolder, name), join(folder, name))
  await withPool(connection, (pool) => migrate(pool, folder))
}

async function fillTables(
  { tables, erased }: Manifest,
  work: string,
  superuser: pg.ClientConfig,
): Promise<void> {
  const client = new pg.Client(superuser)
  // One that breaks while rows are read off the disk: the next query rejects anyway.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('BEGIN')
    // The rows are history and not news: no trigger looks at them, and every reference holds at the end.
    await client.query('SET LOCAL session_replication_role = replica')
    for (const table of tables) {
      // Migrations put rows of their own into some.
      await client.query(`DELETE FROM ${quoted(table.name)}`)
      const rows = createReadStream(join(work, `${table.name}.copy.gz`))
      await pipeline(rows, createGunzip(), rowsIn(client, table))
    }
    await client.query('DELETE FROM photos WHERE name = ANY ($1) OR thumbnail_name = ANY ($1)', [erased])
    await advanceSequences(client)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

/** Newer migrations, whether these are the keys of this database, and the mark on the store. */
async function finish(
  { dataDir, secretKeys, storage, takeOverStore = false }: RestoreOptions,
  connection: Connection,
  photos: PhotoStorage,
): Promise<void> {
  await withPool(connection, async (pool) => {
    await migrate(pool)
    const db = createDatabase(pool)
    await verifyKeys(db, await loadKeys({ dataDir, secretKeys, databaseIsExternal: false }))
    await bindStore(db, { photos, store: storeName(storage), takeOver: takeOverStore })
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
