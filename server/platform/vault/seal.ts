import { randomBytes } from 'node:crypto'
import { decrypt, encrypt } from './cipher.ts'
import { encodeParts, type SealContext, VaultError } from './context.ts'
import { KEY_BYTES, type KeyRing } from './key-ring.ts'

// Envelope encryption: each submission has a data key of its own, kept beside it, wrapped under a master key.
// Rotating the master key then rewraps 32 bytes for each submission and no photo or number.
//
// A wrapped key: version 1, length of the master key's id, the id, nonce, 32 bytes, tag.
// A sealed value: version 1, nonce, ciphertext, tag.

const VERSION = 1

/** A fresh key for the secrets of one submission. Fill it with zeros, `key.fill(0)`, after use. */
export function newDataKey(): Buffer {
  return randomBytes(KEY_BYTES)
}

/** Wraps a data key under the current master key. The result may be stored in the database. */
export function wrapKey(ring: KeyRing, dataKey: Buffer, context: SealContext): Buffer {
  if (dataKey.length !== KEY_BYTES) throw new VaultError('A data key has the wrong length')
  const id = ring.currentId
  const box = encrypt(masterKey(ring, id), dataKey, bound(['wrap', id], context))
  return Buffer.concat([Buffer.from([VERSION, Buffer.byteLength(id)]), Buffer.from(id), box])
}

/** The data key again. Throws `VaultError` if it was changed, moved, or its master key is not in the ring. */
export function unwrapKey(ring: KeyRing, wrapped: Buffer, context: SealContext): Buffer {
  const id = wrappingKeyId(wrapped)
  const box = wrapped.subarray(2 + Buffer.byteLength(id))
  const dataKey = decrypt(masterKey(ring, id), box, bound(['wrap', id], context))
  if (dataKey.length !== KEY_BYTES) throw new VaultError('A data key has the wrong length')
  return dataKey
}

/** The id of the master key a data key is wrapped under: a rotation looks for those that are not current. */
export function wrappingKeyId(wrapped: Buffer): string {
  const [version, length = 0] = wrapped
  if (version !== VERSION || wrapped.length < 2 + length) throw new VaultError('A wrapped key is malformed')
  return wrapped.subarray(2, 2 + length).toString('latin1')
}

/** Moves a data key under the current master key; what it seals stays as it is. */
export function rewrapKey(ring: KeyRing, wrapped: Buffer, context: SealContext): Buffer {
  const dataKey = unwrapKey(ring, wrapped, context)
  try {
    return wrapKey(ring, dataKey, context)
  } finally {
    dataKey.fill(0)
  }
}

/** Seals a value for one place: 29 bytes longer than it was. Texts are sealed as UTF-8. */
export function seal(dataKey: Buffer, plaintext: Buffer | string, context: SealContext): Buffer {
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext
  return encrypt(dataKey, bytes, bound(['seal'], context), Buffer.from([VERSION]))
}

/** The sealed bytes again. Throws `VaultError` if they were changed, or sealed by another key or elsewhere. */
export function open(dataKey: Buffer, sealed: Buffer, context: SealContext): Buffer {
  if (sealed[0] !== VERSION) throw new VaultError('A sealed value is malformed')
  return decrypt(dataKey, sealed.subarray(1), bound(['seal'], context))
}

function masterKey(ring: KeyRing, id: string) {
  // A rotation beside this process may have wrapped it under a key that came after the start.
  if (!ring.masters.has(id)) ring.reread?.()
  const key = ring.masters.get(id)
  if (!key) throw new VaultError('The master key of a wrapped key is not among SECRET_KEYS')
  return key
}

function bound(purpose: readonly string[], { table, column, row }: SealContext): Buffer {
  return encodeParts(`unspent ${VERSION}`, ...purpose, table, column, row)
}
