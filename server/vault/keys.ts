import { randomBytes } from 'node:crypto'
import { chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createDurably, isErrno, makeFolderDurably } from '../durable-file.ts'
import { INDEX_KEY_ID, KEY_BYTES, type KeyRing, KeySettingError, parseKeys } from './key-ring.ts'

export type KeySource = {
  dataDir: string
  /** The setting SECRET_KEYS: `k2:…,k1:…,index:…`, the first one being the current master key. */
  secretKeys?: string | undefined
  databaseIsExternal: boolean
}

/**
 * The keys the secrets are sealed with: those of SECRET_KEYS, else those of the file `keys` in the data
 * folder, which is made when it is missing and the database is the embedded one. An external database may be
 * shared or outlive the folder, so there nobody but the operator may decide about keys.
 * Throws `KeySettingError` with one line for the operator.
 */
export async function loadKeys({ dataDir, secretKeys, databaseIsExternal }: KeySource): Promise<KeyRing> {
  if (secretKeys?.trim()) return parseKeys(secretKeys.split(',').filter(isNotBlank), 'SECRET_KEYS')
  const path = join(dataDir, 'keys')
  const kept = await readKeyFile(path)
  if (kept) return kept
  if (databaseIsExternal) throw new KeySettingError(howToMakeKeys(path))
  return generateKeyFile(dataDir, path)
}

async function readKeyFile(path: string): Promise<KeyRing | undefined> {
  try {
    const text = await readFile(path, 'utf8')
    await keepFromOthers(path)
    return parseKeys(text.split('\n').filter(isEntry), path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    if (error instanceof KeySettingError) throw error
    throw new KeySettingError(`${path}: cannot be read (${error instanceof Error ? error.message : error})`)
  }
}

// A key file comes back from a backup with whatever mode the restore gave it.
async function keepFromOthers(path: string): Promise<void> {
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600)
}

async function generateKeyFile(dataDir: string, path: string): Promise<KeyRing> {
  await makeFolderDurably(dataDir)
  await createDurably(path, newKeyFile())
  // Read back also when another process was faster: its keys count then.
  const made = await readKeyFile(path)
  if (!made) throw new KeySettingError(`${path}: vanished while it was made`)
  return made
}

function newKeyFile(): string {
  return [
    '# The keys that seal card numbers, PINs, bank numbers and photos. Without this file they are lost:',
    '# back it up, apart from the database. The first key seals what is new; older ones still open.',
    `k1:${randomBytes(KEY_BYTES).toString('base64')}`,
    `${INDEX_KEY_ID}:${randomBytes(KEY_BYTES).toString('base64')}`,
    '',
  ].join('\n')
}

function isEntry(line: string): boolean {
  return isNotBlank(line) && !line.trim().startsWith('#')
}

function isNotBlank(text: string): boolean {
  return text.trim() !== ''
}

function howToMakeKeys(path: string): string {
  return (
    `SECRET_KEYS is not set, but it is required with DATABASE_URL (and there is no ${path}). Make it with: ` +
    `echo "k1:$(openssl rand -base64 32),${INDEX_KEY_ID}:$(openssl rand -base64 32)"`
  )
}
