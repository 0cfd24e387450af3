import { createSecretKey, type KeyObject } from 'node:crypto'
import { OperatorError } from '#server/platform/config/operator-error.ts'

/** The keys that are not in the database. `KeyObject`s, so that no log line, error or JSON can show them. */
export interface KeyRing {
  /** The master key that wraps new data keys. */
  readonly currentId: string
  /** Every master key by id. Older ones still open what they wrapped. */
  readonly masters: ReadonlyMap<string, KeyObject>
  /** The key of the blind index, which is never rotated. */
  readonly index: KeyObject
  /** Loads changes of the key file. Undefined if the keys cannot change while the process runs. */
  readonly reread?: () => void
}

/** The id of the entry that holds the key of the blind index. */
export const INDEX_KEY_ID = 'index'

export const KEY_BYTES = 32

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/
// 32 bytes are 43 base64 characters, the last of which has only four significant bits: 16 possible letters.
const KEY_TEXT = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?$/

/**
 * Parses entries of the form `id:base64`. The first master key is the current one; one entry must be named `index`.
 *
 * @param source the setting or file, for errors. Errors number the entries and never quote them, because a key pasted without
 * its id looks like an id.
 * @throws {OperatorError}
 */
export function parseKeys(entries: readonly string[], source: string): KeyRing {
  const keys = new Map<string, Buffer>()
  for (const [index, entry] of entries.entries()) {
    const where = `${source}: entry ${index + 1}`
    const [id, key] = parseEntry(entry, where)
    if (keys.has(id)) throw new OperatorError(`${where} repeats an earlier name`)
    if ([...keys.values()].some((other) => other.equals(key)))
      throw new OperatorError(`${where} repeats the key of an earlier entry`)
    keys.set(id, key)
  }
  const index = keys.get(INDEX_KEY_ID)
  keys.delete(INDEX_KEY_ID)
  const masters = new Map([...keys].map(([id, key]) => [id, createSecretKey(key)]))
  const [currentId] = masters.keys()
  if (currentId === undefined) throw new OperatorError(`${source}: no master key, such as k1:base64`)
  if (index === undefined) throw new OperatorError(`${source}: no entry named ${INDEX_KEY_ID}`)
  return { currentId, masters, index: createSecretKey(index) }
}

function parseEntry(entry: string, where: string): [id: string, key: Buffer] {
  const colon = entry.indexOf(':')
  const id = entry.slice(0, Math.max(colon, 0)).trim()
  const text = entry.slice(colon + 1).trim()
  if (!KEY_ID.test(id) || !KEY_TEXT.test(text))
    throw new OperatorError(`${where} must be name:base64 of ${KEY_BYTES} bytes (openssl rand -base64 32)`)
  return [id, Buffer.from(text, 'base64')]
}
