import { type CipherKey, createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { KEY_BYTES, type KeyRing } from './key-ring.ts'

// Envelope encryption: each row has its own data key, stored beside its secrets and wrapped under a master key. Rotating the
// master key rewraps 32 bytes per row and touches no photo or number.
//
// A wrapped key: version 1, length of the master key's id, the id, nonce, 32 bytes, tag.
// A sealed value: version 1, nonce, ciphertext, tag.
const VERSION = 1

/** Where a sealed value is stored. It does not open anywhere else. */
export interface SealContext {
  readonly table: string
  readonly column: string
  /** The id of the row. */
  readonly row: string
}

/** Deliberately says nothing about keys, values or rows. */
export class VaultError extends Error {
  override name = 'VaultError'
}

/** A random key for the secrets of one row. Overwrite it with `key.fill(0)` after use. */
export function newDataKey(): Buffer {
  return randomBytes(KEY_BYTES)
}

/** Wraps a data key under the current master key, to be stored in the database. */
export function wrapKey(ring: KeyRing, dataKey: Buffer, context: SealContext): Buffer {
  if (dataKey.length !== KEY_BYTES) throw new VaultError('A data key has the wrong length')
  const id = ring.currentId
  const header = Buffer.concat([Buffer.from([VERSION, Buffer.byteLength(id)]), Buffer.from(id)])
  return Buffer.concat([header, encrypt(masterKey(ring, id), dataKey, contextData(['wrap', id], context))])
}

/** Throws `VaultError` if the wrapped key was changed or moved, or its master key is not in the ring. */
export function unwrapKey(ring: KeyRing, wrapped: Buffer, context: SealContext): Buffer {
  const id = wrappingKeyId(wrapped)
  const box = wrapped.subarray(2 + Buffer.byteLength(id))
  const dataKey = decrypt(masterKey(ring, id), box, contextData(['wrap', id], context))
  if (dataKey.length !== KEY_BYTES) throw new VaultError('A data key has the wrong length')
  return dataKey
}

/** The id of the master key that wraps a data key. */
export function wrappingKeyId(wrapped: Buffer): string {
  const [version, length = 0] = wrapped
  if (version !== VERSION || wrapped.length < 2 + length) throw new VaultError('A wrapped key is malformed')
  return wrapped.subarray(2, 2 + length).toString('latin1')
}

/** Wraps a data key under the current master key instead of an older one. */
export function rewrapKey(ring: KeyRing, wrapped: Buffer, context: SealContext): Buffer {
  const dataKey = unwrapKey(ring, wrapped, context)
  try {
    return wrapKey(ring, dataKey, context)
  } finally {
    dataKey.fill(0)
  }
}

/** Encrypts a value for one context. The result is 29 bytes longer. Text is stored as UTF-8. */
export function seal(dataKey: Buffer, plaintext: Buffer | string, context: SealContext): Buffer {
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext
  return encrypt(dataKey, bytes, contextData(['seal'], context), Buffer.from([VERSION]))
}

/** Throws `VaultError` if the value was changed, or sealed under another key or for another context. */
export function open(dataKey: Buffer, sealed: Buffer, context: SealContext): Buffer {
  if (sealed[0] !== VERSION) throw new VaultError('A sealed value is malformed')
  return decrypt(dataKey, sealed.subarray(1), contextData(['seal'], context))
}

/** The column that holds the wrapped data key of a row. */
export const DATA_KEY_COLUMN = 'data_key'

/** A row whose secrets are sealed under its own data key. */
export type SealedRow = Pick<SealContext, 'table' | 'row'>

/**
 * Seals texts under a new data key. Null stays null.
 *
 * @param texts by column
 */
export function sealRow<C extends string>(
  keys: KeyRing,
  row: SealedRow,
  texts: Readonly<Record<C, string | null>>,
): { dataKey: Buffer; sealed: Record<C, Buffer | null> } {
  const dataKey = newDataKey()
  try {
    const sealed = mapColumns(texts, (text: string, column) => seal(dataKey, text, { ...row, column }))
    return { dataKey: wrapKey(keys, dataKey, { ...row, column: DATA_KEY_COLUMN }), sealed }
  } finally {
    dataKey.fill(0)
  }
}

/** The texts that `sealRow` sealed. Throws `VaultError` if anything was changed or moved. */
export function openRow<C extends string>(
  keys: KeyRing,
  row: SealedRow,
  wrapped: Buffer,
  sealed: Readonly<Record<C, Buffer | null>>,
): Record<C, string | null> {
  const dataKey = unwrapKey(keys, wrapped, { ...row, column: DATA_KEY_COLUMN })
  try {
    return mapColumns(sealed, (bytes: Buffer, column) => open(dataKey, bytes, { ...row, column }).toString())
  } finally {
    dataKey.fill(0)
  }
}

/**
 * A keyed hash (HMAC-SHA256, 32 bytes) that finds equal values without opening them. The database alone is not enough to try
 * numbers against it.
 *
 * @param purpose keeps indexes of different kinds from matching each other
 * @param value in its normal form, such as `normalizeCardNumber` returns
 */
export function blindIndex(ring: KeyRing, purpose: string, value: string): Buffer {
  return createHmac('sha256', ring.index).update(encodeParts(purpose, value)).digest()
}

function masterKey(ring: KeyRing, id: string) {
  // Another process may have added the key since the start.
  if (!ring.masters.has(id)) ring.reread?.()
  const key = ring.masters.get(id)
  if (!key) throw new VaultError('The master key of a wrapped key is not among SECRET_KEYS')
  return key
}

function contextData(purpose: readonly string[], { table, column, row }: SealContext): Buffer {
  return encodeParts(`unspent ${VERSION}`, ...purpose, table, column, row)
}

/** Joins texts with their lengths, so that `('ab', 'c')` and `('a', 'bc')` differ. */
export function encodeParts(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(Buffer.byteLength(part))
      return [length, Buffer.from(part)]
    }),
  )
}

function mapColumns<C extends string, From, To>(
  values: Readonly<Record<C, From | null>>,
  change: (value: From, column: string) => To,
): Record<C, To | null> {
  const entries = Object.entries<From | null>(values)
  return Object.fromEntries(
    entries.map(([column, value]) => [column, value === null ? null : change(value, column)]),
  ) as Record<C, To | null>
}

const ALGORITHM = 'aes-256-gcm'
// NIST SP 800-38D 5.2.1.1 and 8.2.2: 96 random bits are safe for 2^32 messages under one key.
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns the header, nonce, ciphertext and tag. `authenticated` is bound to them but not included. */
function encrypt(key: CipherKey, plaintext: Buffer, authenticated: Buffer, header = Buffer.alloc(0)): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(authenticated)
  const ciphertext = cipher.update(plaintext)
  // GCM is a stream mode: final() only computes the tag.
  cipher.final()
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()])
}

function decrypt(key: CipherKey, box: Buffer, authenticated: Buffer): Buffer {
  if (box.length < NONCE_BYTES + TAG_BYTES) throw new VaultError('A sealed value is too short')
  try {
    const nonce = box.subarray(0, NONCE_BYTES)
    // Without a length Node accepts tags of 4 bytes, which can be guessed.
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(authenticated)
    decipher.setAuthTag(box.subarray(-TAG_BYTES))
    const plaintext = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES))
    decipher.final()
    return plaintext
  } catch {
    throw new VaultError('A sealed value does not open')
  }
}
