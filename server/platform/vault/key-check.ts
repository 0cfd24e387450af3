import { blindIndex } from './blind-index.ts'
import { type KeyRing, KeySettingError } from './key-ring.ts'
import { newDataKey, unwrapKey, wrapKey, wrappingKeyId } from './seal.ts'

/**
 * What a database remembers of its keys, so that a start with other keys (a lost key file that was generated
 * anew, say) is noticed at once and not when the first secret does not open.
 */
export type KeyCheck = {
  wrapped: Buffer
  index: Buffer
}

const CONTEXT = { table: 'vault', column: 'key_check', row: '' }

/** Made at the first start and stored; made anew when the master key was rotated. */
export function makeKeyCheck(ring: KeyRing): KeyCheck {
  return { wrapped: wrapKey(ring, newDataKey(), CONTEXT), index: blindIndex(ring, 'key check', '') }
}

/**
 * Holds the keys against what the database remembers. Throws `KeySettingError` when they are not its keys;
 * otherwise says whether the remembered master key is still the current one.
 */
export function verifyKeyCheck(ring: KeyRing, check: KeyCheck): 'current' | 'rotated' {
  const id = wrappingKeyId(check.wrapped)
  if (!blindIndex(ring, 'key check', '').equals(check.index)) throw foreign('index')
  try {
    unwrapKey(ring, check.wrapped, CONTEXT).fill(0)
  } catch {
    throw foreign(id)
  }
  return id === ring.currentId ? 'current' : 'rotated'
}

function foreign(id: string): KeySettingError {
  return new KeySettingError(
    `SECRET_KEYS (or the key file) lacks the key "${id}" this database was sealed with, or holds another one ` +
      'of that name: restore it, the secrets cannot be read without it',
  )
}
