import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { createDurably, readIfExists } from '#server/platform/durable-file.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'
import { type AddEntry, type Contents, refuseExisting, writeArchive } from './archive.ts'
import { copyOut, listTables, type Table } from './tables.ts'

interface BackupOptions {
  /** The file to write. The keys go to files beside it. */
  readonly file: string
  /** Undefined if a setting has them. */
  readonly keyFiles: Readonly<Partial<Record<KeyFile, string | undefined>>>
  /** Writes no keys. */
  readonly withoutKeys?: boolean
  readonly connection: pg.ClientConfig
  /** The same database, to find out what was erased since the snapshot. */
  readonly db: Database
  readonly photos: PhotoStorage
  /** Leaves out lost photos instead of failing. */
  readonly withoutLostPhotos?: boolean
  readonly say: (line: string) => void
}

/** Keys have these names in DATA_DIR. A backup has them in separate files, so that they can be stored elsewhere. */
export const keyFileNames = ['keys', 'push-key'] as const
type KeyFile = (typeof keyFileNames)[number]

export function keyCopyOf(file: string, name: KeyFile): string {
  return `${file}.${name}`
}

/**
 * Writes a consistent snapshot of the database and the photos to a file, while the server runs. The keys go to a separate
 * file: with both, anyone can read every card number.
 *
 * Copies the tables itself because the embedded PostgreSQL does not include pg_dump.
 *
 * @throws {OperatorError}
 */
export async function backUp(options: BackupOptions): Promise<void> {
  const { file, connection, say } = options
  const path = resolve(file)
  // Fails now instead of after hours of work.
  if (!options.withoutKeys) for (const name of keyFileNames) refuseExisting(keyCopyOf(path, name))
  const client = new pg.Client({ ...connection, statement_timeout: 0, application_name: 'unspent backup' })
  // If the connection breaks between two queries, the next query rejects.
  client.on('error', () => undefined)
  const spool = await mkdtemp(join(dirname(path), '.unfinished-backup-')).catch((error) => {
    throw new OperatorError(`cannot write to ${dirname(path)}: ${error.message}`)
  })
  try {
    await client.connect()
    // One snapshot for all tables.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { tables, photos: count } = await writeArchive(path, spool, (add) =>
      fill({ ...options, client, spool, add }),
    )
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    say(`${path}: ${rows} rows of ${tables.length} tables, ${count} photo files.`)
  } finally {
    await client.end()
    await rm(spool, { recursive: true, force: true })
  }
  await copyKeys(options, path)
}

type FillOptions = BackupOptions & { client: pg.Client; spool: string; add: AddEntry }

async function fill(options: FillOptions): Promise<Contents> {
  const { client, spool, add } = options
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  const tables = []
  for (const table of await listTables(client)) tables.push(await addTable(client, spool, table, add))
  const { kept, erased } = await addPhotos(options)
  return {
    createdAt: new Date().toISOString(),
    migrations: rows.map(({ name }) => name),
    tables,
    photos: kept,
    erased,
  }
}

/** Uses a temporary file because tar needs the size of an entry in advance. */
async function addTable(client: pg.Client, spool: string, table: Table, add: AddEntry) {
  const path = join(spool, `${table.name}.copy.gz`)
  const copying = copyOut(client, table)
  await pipeline(copying, createGzip({ level: 1 }), createWriteStream(path))
  await add(`tables/${table.name}.copy.gz`, (await stat(path)).size, createReadStream(path))
  await rm(path)
  const { rowCount } = copying as unknown as { rowCount: number }
  return { name: table.name, columns: [...table.columns], rows: rowCount }
}

const PHOTO_BATCH = 500

async function addPhotos({ client, db, photos: storage, withoutLostPhotos, add }: FillOptions) {
  const missing: string[] = []
  let kept = 0
  await client.query('DECLARE names NO SCROLL CURSOR FOR SELECT name, thumbnail_name FROM photos')
  for (;;) {
    const { rows } = await client.query<{ name: string; thumbnail_name: string }>(
      `FETCH ${PHOTO_BATCH} FROM names`,
    )
    if (rows.length === 0) break
    for (const { name, thumbnail_name } of rows) {
      for (const one of [name, thumbnail_name]) {
        const bytes = await storage.get(one)
        if (bytes) await add(`photos/${one}`, bytes.length, bytes)
        else missing.push(one)
        kept += bytes ? 1 : 0
      }
    }
  }
  if (!withoutLostPhotos) await refuseLost(db, missing)
  return { kept, erased: missing }
}

/** Lost files that the error names. */
const MAX_NAMED = 10

/** Photos erased since the snapshot may be missing. All others are lost, or in another store. */
async function refuseLost(db: Database, missing: readonly string[]): Promise<void> {
  const { rows } = await db.execute<{ file: string }>(sql`
    select file from unnest(${sql.param(missing)}::text[]) with ordinality as missing (file, position)
    where exists (select from photos where name = file or thumbnail_name = file) order by position`)
  if (rows.length === 0) return
  const named = rows.slice(0, MAX_NAMED).map(({ file }) => file)
  const files = rows.length === 1 ? '1 photo file is' : `${rows.length} photo files are`
  throw new OperatorError(
    `No backup was made: ${files} not in the photo store (${named.join(', ')}${rows.length > MAX_NAMED ? ', …' : ''}). ` +
      'If they are lost for good, add --without-lost-photos',
  )
}

async function copyKeys({ keyFiles, withoutKeys, say }: BackupOptions, path: string): Promise<void> {
  if (withoutKeys)
    return say('The keys are not in the backup. Without them it is useless: keep a copy of them elsewhere.')
  if (!(await copyKey(keyFiles, 'keys', path)))
    say('The keys are in SECRET_KEYS and not in the backup. Store a copy of that setting elsewhere.')
  else
    say(
      `${keyCopyOf(path, 'keys')}: the keys. Without them the backup is useless; with them anyone can read every card. Store them elsewhere.`,
    )
  if (await copyKey(keyFiles, 'push-key', path))
    say(
      `${keyCopyOf(path, 'push-key')}: the key that signs notifications to browsers. Store it with the keys.`,
    )
}

/** @returns whether there is such a file */
async function copyKey(files: BackupOptions['keyFiles'], name: KeyFile, path: string): Promise<boolean> {
  const file = files[name]
  const content = file === undefined ? undefined : await readIfExists(file)
  if (!content) return false
  const copy = keyCopyOf(path, name)
  if (!(await createDurably(copy, content)))
    throw new OperatorError(`${copy} already exists. The keys were not copied.`)
  return true
}
