import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { createDurably, readIfThere } from '#server/durable-file.ts'
import type { PhotoStorage } from '#server/photos/storage.ts'
import { type AddEntry, BackupError, type Contents, refuseExisting, writeArchive } from './archive.ts'
import { listTables, rowsOut, type Table } from './tables.ts'

export interface BackupOptions {
  /** The file to make; the keys go to a second one beside it. */
  readonly file: string
  /** Where the keys are; undefined when SECRET_KEYS holds them. */
  readonly keyFile: string | undefined
  readonly connection: pg.ClientConfig
  readonly photos: PhotoStorage
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
export async function backUp({ file, keyFile, connection, photos, say }: BackupOptions): Promise<void> {
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
      fill({ client, spool, photos, add }),
    )
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    say(`${path}: ${rows} rows of ${tables.length} tables, ${count} photo files.`)
  } finally {
    await client.end()
    await rm(spool, { recursive: true, force: true })
  }
  await copyKeys(keyFile, path, say)
}

type Filling = { client: pg.Client; spool: string; photos: PhotoStorage; add: AddEntry }

async function fill({ client, spool, photos, add }: Filling): Promise<Contents> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  const tables = []
  for (const table of await listTables(client)) tables.push(await addTable(client, spool, table, add))
  const { kept, erased } = await addPhotos(client, photos, add)
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

async function addPhotos(client: pg.Client, storage: PhotoStorage, add: AddEntry) {
  const erased: string[] = []
  let kept = 0
  await client.query('DECLARE names NO SCROLL CURSOR FOR SELECT name, thumbnail_name FROM photos')
  for (;;) {
    const { rows } = await client.query<{ name: string; thumbnail_name: string }>(
      `FETCH ${PHOTOS_AT_ONCE} FROM names`,
    )
    if (rows.length === 0) return { kept, erased }
    for (const { name, thumbnail_name } of rows) {
      for (const one of [name, thumbnail_name]) {
        const bytes = await storage.get(one)
        // The server goes on: what was erased since our moment is not brought back.
        if (bytes) await add(`photos/${one}`, bytes.length, bytes)
        else erased.push(one)
        kept += bytes ? 1 : 0
      }
    }
  }
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
