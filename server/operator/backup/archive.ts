import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import * as tar from 'tar-stream'
import { z } from 'zod'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { syncFolder } from '#server/platform/durable-file.ts'
import type { KeyCheck } from '#server/platform/vault/key-check.ts'

const manifestShape = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The migrations of the database that was backed up, in order. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int() })),
  photos: z.number().int(),
  /** Photo files that rows refer to but the backup lacks: erased while it was being made, or lost. */
  erased: z.array(z.string()),
  /** SHA-256 of the names and contents of all earlier entries. */
  digest: z.string(),
})
export type Manifest = z.infer<typeof manifestShape>

const MANIFEST = 'manifest.json'

/** The manifest is the last entry, so that a truncated backup has none. */
export type Contents = Omit<Manifest, 'format' | 'digest'>

export type AddEntry = (name: string, size: number, content: Readable | Buffer) => Promise<void>

/**
 * Writes a backup atomically, as a tar file.
 *
 * @param spool a temporary folder of this run on the same disk
 * @param fill adds the entries and returns the contents of the manifest
 * @throws {OperatorError} if the file exists
 */
export async function writeArchive(
  path: string,
  spool: string,
  fill: (add: AddEntry) => Promise<Contents>,
): Promise<Manifest> {
  const unfinished = join(spool, 'backup.tar')
  refuseExisting(path)
  const pack = tar.pack()
  const hash = createHash('sha256')
  const writing = pipeline(pack, createWriteStream(unfinished, { mode: 0o600, flush: true }))
  const filling = async () => {
    const contents = await fill((name, size, content) => addEntry(pack, hash, name, size, content))
    const manifest: Manifest = { format: 1, ...contents, digest: hash.digest('hex') }
    pack.entry({ name: MANIFEST }, JSON.stringify(manifest, null, 2))
    pack.finalize()
    return manifest
  }
  try {
    const [manifest] = await Promise.all([filling(), writing])
    refuseExisting(path)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return manifest
  } catch (error) {
    pack.destroy()
    await writing.catch(() => undefined)
    throw error
  }
}

type Content = AsyncIterable<Buffer>

/** Every entry of a backup, in order. Read the content of each before requesting the next. */
export async function* readArchive(path: string): AsyncGenerator<{ name: string; content: Content }> {
  const extract = tar.extract()
  const reading = pipeline(createReadStream(path), extract)
  reading.catch(() => undefined)
  for await (const entry of extract) yield { name: entry.header.name, content: entry as unknown as Content }
  await reading
}

/** The row of `key_check`, by which the keys of the backup are recognized. */
const KEY_CHECK = 'tables/key_check.copy.gz'

/**
 * Reads a whole backup and compares it with its manifest.
 *
 * @returns the manifest, and how to recognize the keys; undefined if nothing was sealed yet
 * @throws {OperatorError} if it is truncated, changed or not a backup
 */
export async function verifyArchive(path: string): Promise<{ manifest: Manifest; keyCheck?: KeyCheck }> {
  const hash = createHash('sha256')
  let manifest: Manifest | undefined
  let checkRow: Buffer | undefined
  try {
    for await (const { name, content } of readArchive(path)) {
      if (name === MANIFEST) manifest = manifestShape.parse(JSON.parse((await bytesOf(content)).toString()))
      else if (name === KEY_CHECK) {
        checkRow = await bytesOf(content)
        await hashEntry(hash, name, [checkRow])
      } else await hashEntry(hash, name, content)
    }
  } catch (error) {
    throw new OperatorError(`${path} cannot be read as a backup: ${firstLine(error)}`, { cause: error })
  }
  if (!manifest) throw new OperatorError(`${path} is not a backup, or is truncated: it has no ${MANIFEST}`)
  if (manifest.digest !== hash.digest('hex'))
    throw new OperatorError(`${path} was changed after it was made: its digest differs`)
  const keyCheck = checkRow && parseKeyCheck(manifest, gunzipSync(checkRow).toString())
  return { manifest, ...(keyCheck && { keyCheck }) }
}

/** Parses the row as COPY writes it: tabs between columns, and bytes as two backslashes, x and hex digits. */
function parseKeyCheck({ tables }: Manifest, row: string): KeyCheck | undefined {
  const columns = tables.find(({ name }) => name === 'key_check')?.columns ?? []
  const values = row.trimEnd().split('\t')
  const bytesIn = (column: string) =>
    Buffer.from(values[columns.indexOf(column)]?.slice(COPIED_BYTES.length) ?? '', 'hex')
  return row === '' ? undefined : { wrapped: bytesIn('wrapped'), index: bytesIn('index_check') }
}

const COPIED_BYTES = String.raw`\\x`

export async function bytesOf(content: Content): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function addEntry(pack: tar.Pack, hash: Hash, name: string, size: number, content: Readable | Buffer) {
  const entry = pack.entry({ name, size })
  hash.update(`${name}\0`)
  if (Buffer.isBuffer(content)) {
    hash.update(content)
    await pipeline([content], entry)
  } else {
    content.on('data', (chunk: Buffer) => hash.update(chunk))
    await pipeline(content, entry)
  }
}

async function hashEntry(hash: Hash, name: string, content: Content | readonly Buffer[]): Promise<void> {
  hash.update(`${name}\0`)
  for await (const chunk of content) hash.update(chunk)
}

/** Throws `OperatorError` if the file exists. */
export function refuseExisting(path: string): void {
  if (existsSync(path))
    throw new OperatorError(`${path} already exists. A backup never replaces another file.`)
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? ''
}
