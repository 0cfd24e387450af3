import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, chown, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { createDurably, isErrno, makeFolderDurably, writeDurably } from '#server/platform/durable-file.ts'
import { INDEX_KEY_ID, KEY_BYTES, type KeyRing, parseKeys } from './key-ring.ts'

/** The channel that tells servers to reread their key file. */
export const KEYS_CHANNEL = 'unspent_keys'

/** The settings that say where the keys are. */
export interface KeySource {
  readonly dataDir: string
  /** The setting SECRET_KEYS: `k2:…,k1:…,index:…`. The first is the current master key. */
  readonly secretKeys?: string | undefined
  readonly databaseUrl?: string | undefined
}

/**
 * The keys of SECRET_KEYS, or else of the key file. Undefined if the embedded database has no key file. For an external
 * database, which may be shared or outlive the data folder, only the operator makes keys.
 *
 * @throws {OperatorError}
 */
export async function findKeys(source: KeySource): Promise<KeyRing | undefined> {
  const { secretKeys = '', databaseUrl } = source
  const path = keyFileOf(source)
  if (path === undefined) {
    const entries = secretKeys.split(',').filter((entry) => entry.trim() !== '')
    return parseKeys(entries, 'SECRET_KEYS')
  }
  const keys = await openKeyFile(path)
  if (keys || !databaseUrl) return keys
  throw new OperatorError(
    `SECRET_KEYS is not set, but it is required with DATABASE_URL (and there is no ${path}). Make it with: ` +
      `echo "k1:$(openssl rand -base64 32),${INDEX_KEY_ID}:$(openssl rand -base64 32)"`,
  )
}

/** The keys of an existing database, which new keys could not open. Throws `OperatorError` if there are none. */
export async function loadKeys(source: KeySource): Promise<KeyRing> {
  const keys = await findKeys(source)
  if (!keys) throw missingKeys(source)
  return keys
}

/** The keys, created if there are none. For a new database only. */
export async function makeKeys(source: KeySource): Promise<KeyRing> {
  const keys = await findKeys(source)
  if (keys) return keys
  await createKeyFile(keyFileIn(source.dataDir))
  // If another process created the file first, its keys count.
  return await loadKeys(source)
}

export function missingKeys({ dataDir }: KeySource): OperatorError {
  return new OperatorError(
    `There are no keys in ${keyFileIn(dataDir)}, and SECRET_KEYS is not set. Restore the copy of the keys, or set ` +
      'SECRET_KEYS as the server has it: without its keys nothing secret in this database can be read.',
  )
}

/** The key file, or undefined if SECRET_KEYS is set. */
export function keyFileOf({ secretKeys, dataDir }: KeySource): string | undefined {
  return secretKeys?.trim() ? undefined : keyFileIn(dataDir)
}

export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'keys')
}

/** Undefined if there is no file. Throws `OperatorError` if it is not a key file. */
async function openKeyFile(path: string): Promise<KeyRing | undefined> {
  try {
    const text = await readFile(path, 'utf8')
    // A key file restored from a backup may be readable by others.
    if ((await stat(path)).mode & 0o077) await chmod(path, 0o600)
    return keyFileRing(path, parseKeyFile(text, path))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${path}: cannot be read (${error instanceof Error ? error.message : error})`)
  }
}

/** A rotation changes the file while servers run. They reread it when notified, and when they meet an unknown key. */
function keyFileRing(path: string, keys: KeyRing): KeyRing {
  let current = keys
  return {
    get currentId() {
      return current.currentId
    },
    get masters() {
      return current.masters
    },
    index: keys.index,
    /** Keeps the known keys if the file is gone, broken or of another database. */
    reread() {
      try {
        const changed = parseKeyFile(readFileSync(path, 'utf8'), path)
        if (changed.index.equals(keys.index)) current = changed
      } catch {}
    },
  }
}

/** Creates the file with new keys, unless it exists. */
async function createKeyFile(path: string): Promise<void> {
  await makeFolderDurably(dirname(path))
  const lines = [
    '# The keys that encrypt card numbers, PINs, bank numbers and photos. Without this file they are lost:',
    '# back it up, apart from the database. The first key encrypts; older ones still decrypt.',
    newEntry('k1'),
    newEntry(INDEX_KEY_ID),
    '',
  ]
  await createDurably(path, lines.join('\n'))
}

/** Adds a new master key in front of the others, which makes it the current one. */
export async function addMasterKey(path: string, id: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  await replaceLines(path, lines.toSpliced(lines.findIndex(isEntry), 0, newEntry(id)))
}

/** Removes a master key. Succeeds if it is already removed. */
export async function removeMasterKey(path: string, id: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  await replaceLines(
    path,
    lines.filter((line) => !isEntry(line) || line.split(':')[0]?.trim() !== id),
  )
}

async function replaceLines(path: string, lines: readonly string[]): Promise<void> {
  await writeDurably(path, lines.join('\n'))
  await giveToServer(path)
}

/** If root rotates the keys, gives the file to the owner of the folder, which the server runs as. */
export async function giveToServer(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await chown(path, uid, gid)
}

/** Throws `OperatorError` if the text is not that of a key file. */
export function parseKeyFile(text: string, path: string): KeyRing {
  return parseKeys(text.split('\n').filter(isEntry), path)
}

function newEntry(id: string): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`
}

function isEntry(line: string): boolean {
  return line.trim() !== '' && !line.trim().startsWith('#')
}
