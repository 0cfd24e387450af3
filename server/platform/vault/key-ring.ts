import { createSecretKey, type KeyObject } from 'node:crypto'
import { OperatorError } from '#server/platform/config/operator-error.ts'

/**
 * The keys that the database does not hold. They are `KeyObject`s and not bytes, so that no log line, error or
 * JSON can show them by mistake.
 */
export type KeyRing = {
  /** Names the master key that wraps new data keys. */
  readonly currentId: string
  /** Every master key by its name: the older ones still open what they wrapped. */
  readonly masters: ReadonlyMap<string, KeyObject>
  /** The key of the blind index. It stays the same when master keys are rotated. */
  readonly index: KeyObject
  /** Looks for keys that came or went since; absent where they cannot change while the process runs. */
  readonly reread?: () => void
}

/** The name of the entry that holds the key of the blind index. */
export const INDEX_KEY_ID = 'index'

/** Bytes of every key. */
export const KEY_BYTES = 32

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/
// 32 bytes make 43 characters; in the last one only four bits count, so 16 letters may stand there.
const KEY_TEXT = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?$/

/** Says in one line, and without any key in it, why the keys cannot be used. It stops the start. */
export class KeySettingError extends OperatorError {
  override name = 'KeySettingError'
}

/**
 * Reads keys from entries of the form `id:base64`. The first master key is the current one; one entry must be
 * named `index`. `source` names the setting or file in errors, which count the entries and never quote them: a
 * key pasted without its name looks like a name.
 */
export function parseKeys(entries: readonly string[], source: string): KeyRing {
  const keys = new Map<string, Buffer>()
  for (const [at, entry] of entries.entries()) {
    const [id, key] = parseEntry(entry, `${source}: entry ${at + 1}`)
    if (keys.has(id)) throw new KeySettingError(`${source}: entry ${at + 1} repeats an earlier name`)
    if ([...keys.values()].some((other) => other.equals(key))) {
      throw new KeySettingError(`${source}: entry ${at + 1} repeats the key of an earlier entry`)
    }
    keys.set(id, key)
  }
  return toRing(keys, source)
}

function parseEntry(entry: string, where: string): [id: string, key: Buffer] {
  const colon = entry.indexOf(':')
  const id = entry.slice(0, Math.max(colon, 0)).trim()
  const text = entry.slice(colon + 1).trim()
  if (!KEY_ID.test(id) || !KEY_TEXT.test(text)) {
    throw new KeySettingError(`${where} must be name:base64 of ${KEY_BYTES} bytes (openssl rand -base64 32)`)
  }
  return [id, Buffer.from(text, 'base64')]
}

function toRing(keys: ReadonlyMap<string, Buffer>, source: string): KeyRing {
  const masters = new Map<string, KeyObject>()
  for (const [id, key] of keys) if (id !== INDEX_KEY_ID) masters.set(id, createSecretKey(key))
  const [currentId] = masters.keys()
  if (currentId === undefined) throw new KeySettingError(`${source}: no master key, such as k1:base64`)
  const index = keys.get(INDEX_KEY_ID)
  if (index === undefined) throw new KeySettingError(`${source}: no entry named ${INDEX_KEY_ID}`)
  return { currentId, masters, index: createSecretKey(index) }
}
