import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { inArray, or } from 'drizzle-orm'
import pg from 'pg'
import type { Database } from '#server/platform/database/pool.ts'
import { photos } from '#server/platform/database/schema.ts'
import { createDurably, readIfThere } from '#server/platform/durable-file.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'
import { type AddEntry, BackupError, type Contents, refuseExisting, writeArchive } from './archive.ts'
import { listTables, rowsOut, type Table } from './tables.ts'

export interface BackupOptions {
  /** The file to make; the keys go to a second one beside it. */
  readonly file: string
  /** Where the keys are; undefined when SECRET_KEYS holds them. */
  readonly keyFile: string | undefined
  readonly connection: pg.ClientConfig
  /** The same database, to be asked what was erased meanwhile. */
  readonly db: Database
  readonly photos: PhotoStorage
  /** Leaves out photos that are lost; otherwise they fail the backup. */
  readonly withoutLostPhotos?: boolean
  readonly say: (line: string) => void
}

/** Where a backup leaves the keys, so that they can be kept elsewhere. */
export const keysBeside = (file: string): string => `${file}.keys`

/**
 * Writes database and photos of one moment into a file, beside a server that goes on working. The keys go into a
 * file of their own: whoever has both has every card number.
 *
 * Our own reader of tables stands in for pg_dump, which the embedded PostgreSQL comes without.
 *
 * @throws {BackupError}
 */
export async function backUp(options: BackupOptions): Promise<void> {
  const { file, keyFile, connection, say } = options
  const path = resolve(file)
  // Before hours of work, and not after.
  if (keyFile !== undefined) await refuseExisting(keysBeside(path))
  const client = new pg.Client({ ...connection, statement_timeout: 0, application_name: 'unspent backup' })
  // A connection that breaks between two queries, while a photo is read: the next query rejects anyway.
  client.on('error', () => undefined)
  const spool = await mkdtemp(join(dirname(path), '.unfinished-backup-')).catch((error) => {
    throw new BackupError(`${dirname(path)} cannot be written to: ${error.message}`)
  })
  try {
    await client.connect()
    // One moment for all tables, however long the copying takes.
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
  await copyKeys(keyFile, path, say)
}

type Filling = BackupOptions & { client: pg.Client; spool: string; add: AddEntry }

async function fill(filling: Filling): Promise<Contents> {
  const { client, spool, add } = filling
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  const tables = []
  for (const table of await listTables(client)) tables.push(await addTable(client, spool, table, add))
  const { kept, erased } = await addPhotos(filling)
  return {
    createdAt: new Date().toISOString(),
    migrations: rows.map(({ name }) => name),
    tables,
    photos: kept,
    erased,
  }
}

/** By way of a file: an archive wants to know the size of an entry beforehand. */
async function addTable(client: pg.Client, spool: string, table: Table, add: AddEntry) {
  const path = join(spool, `${table.name}.copy.gz`)
  const copying = rowsOut(client, table)
  await pipeline(copying, createGzip({ level: 1 }), createWriteStream(path))
  await add(`tables/${table.name}.copy.gz`, (await stat(path)).size, createReadStream(path))
  await rm(path)
  const { rowCount } = copying as unknown as { rowCount: number }
  return { name: table.name, columns: [...table.columns], rows: rowCount }
}

const PHOTOS_AT_ONCE = 500

async function addPhotos({ client, db, photos: storage, withoutLostPhotos, add }: Filling) {
  const missing: string[] = []
  let kept = 0
  await client.query('DECLARE names NO SCROLL CURSOR FOR SELECT name, thumbnail_name FROM photos')
  for (;;) {
    const { rows } = await client.query<{ name: string; thumbnail_name: string }>(
      `FETCH ${PHOTOS_AT_ONCE} FROM names`,
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

const NAMED = 10

/** The server goes on: what was erased since our moment may be missing. All else is lost, or in another store. */
async function refuseLost(db: Database, missing: readonly string[]): Promise<void> {
  const lost = await listClaimed(db, missing)
  if (lost.length === 0) return
  const named = lost.slice(0, NAMED).join(', ') + (lost.length > NAMED ? ', …' : '')
  const files = lost.length === 1 ? '1 photo file is' : `${lost.length} photo files are`
  throw new BackupError(
    `No backup was made: ${files} not in the photo store (${named}). If they are lost for good, add --without-lost-photos`,
  )
}

/** Those of the files that a row has at this moment. */
async function listClaimed(db: Database, files: readonly string[]): Promise<string[]> {
  const claimed: string[] = []
  for (let at = 0; at < files.length; at += PHOTOS_AT_ONCE) {
    const some = files.slice(at, at + PHOTOS_AT_ONCE)
    const rows = await db
      .select({ name: photos.name, thumbnailName: photos.thumbnailName })
      .from(photos)
      .where(or(inArray(photos.name, some), inArray(photos.thumbnailName, some)))
    const known = new Set(rows.flatMap(({ name, thumbnailName }) => [name, thumbnailName]))
    claimed.push(...some.filter((file) => known.has(file)))
  }
  return claimed
}

async function copyKeys(
  keyFile: string | undefined,
  path: string,
  say: (line: string) => void,
): Promise<void> {
  const keys = keyFile === undefined ? undefined : await readIfThere(keyFile)
  // A file that lies there while SECRET_KEYS is set holds other keys, which open nothing of this.
  if (!keys)
    return say('The keys are in SECRET_KEYS and not in the backup: keep a copy of that setting, apart.')
  if (!(await createDurably(keysBeside(path), keys)))
    throw new BackupError(`${keysBeside(path)} is there already: the keys were not copied`)
  say(
    `${keysBeside(path)}: the keys. Without them the backup is worthless, with them it is cash: keep it apart.`,
  )
}
