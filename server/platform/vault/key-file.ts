import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, chown, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDurably, isErrno, makeFolderDurably, writeDurably } from '#server/platform/durable-file.ts'
import { INDEX_KEY_ID, KEY_BYTES, type KeyRing, KeySettingError, parseKeys } from './key-ring.ts'

/** Where the keys lie that nobody has set. */
export const keyFileIn = (dataDir: string): string => join(dataDir, 'keys')

/**
 * The keys of a file. A rotation changes it while servers run: they read it again when they hear of that, and when they
 * meet a key that they don't know, and go on without a restart.
 */
export class KeyFileRing implements KeyRing {
  readonly #path: string
  #keys: KeyRing

  private constructor(path: string, keys: KeyRing) {
    this.#path = path
    this.#keys = keys
  }

  /** Undefined when there is no such file. Throws `KeySettingError` when it is no key file. */
  static async open(path: string): Promise<KeyFileRing | undefined> {
    try {
      const text = await readFile(path, 'utf8')
      await keepFromOthers(path)
      return new KeyFileRing(path, parseKeyFile(text, path))
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined
      if (error instanceof KeySettingError) throw error
      throw new KeySettingError(`${path}: cannot be read (${error instanceof Error ? error.message : error})`)
    }
  }

  get currentId(): string {
    return this.#keys.currentId
  }

  get masters(): KeyRing['masters'] {
    return this.#keys.masters
  }

  get index(): KeyRing['index'] {
    return this.#keys.index
  }

  /** What was known goes on working when the file is gone, broken or another database's. */
  reread(): void {
    try {
      const keys = parseKeyFile(readFileSync(this.#path, 'utf8'), this.#path)
      if (keys.index.equals(this.#keys.index)) this.#keys = keys
    } catch {}
  }
}

/** Makes the file with fresh keys, unless another process was faster. */
export async function generateKeyFile(path: string): Promise<void> {
  await makeFolderDurably(dirname(path))
  await createDurably(
    path,
    [
      '# The keys that seal card numbers, PINs, bank numbers and photos. Without this file they are lost:',
      '# back it up, apart from the database. The first key seals what is new; older ones still open.',
      newEntry('k1'),
      newEntry(INDEX_KEY_ID),
      '',
    ].join('\n'),
  )
}

/** Puts a fresh master key before the others: it is the current one from now on. */
export async function addMasterKey(path: string, id: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  const first = lines.findIndex(isEntry)
  await replace(path, lines.toSpliced(first, 0, newEntry(id)))
}

/** Takes a master key out; fine when it is out already. */
export async function removeMasterKey(path: string, id: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  await replace(
    path,
    lines.filter((line) => !isEntry(line) || line.split(':')[0]?.trim() !== id),
  )
}

async function replace(path: string, lines: readonly string[]): Promise<void> {
  await writeDurably(path, lines.join('\n'))
  await giveToServer(path)
}

/** Root may rotate the keys of a server that runs as somebody else: the owner of the folder. */
export async function giveToServer(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await chown(path, uid, gid)
}

function parseKeyFile(text: string, path: string): KeyRing {
  return parseKeys(text.split('\n').filter(isEntry), path)
}

function newEntry(id: string): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`
}

function isEntry(line: string): boolean {
  return line.trim() !== '' && !line.trim().startsWith('#')
}

// A key file comes back from a backup with whatever mode the restore gave it.
async function keepFromOthers(path: string): Promise<void> {
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600)
}
