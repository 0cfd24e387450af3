import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { VaultError } from './context.ts'

const ALGORITHM = 'aes-256-gcm'
// NIST SP 800-38D 5.2.1.1 and 8.2.2: 96 random bits, which is safe for 2^32 messages under one key.
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Bytes that encrypting adds. */
const OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES

/**
 * AES-256-GCM under a random nonce: `head` as it is, nonce, ciphertext, tag. `bound` is authenticated and not contained.
 */
export function encrypt(key: CipherKey, plaintext: Buffer, bound: Buffer, head = Buffer.alloc(0)): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(bound)
  const ciphertext = cipher.update(plaintext)
  // GCM is a stream mode: final() only computes the tag.
  cipher.final()
  return Buffer.concat([head, nonce, ciphertext, cipher.getAuthTag()])
}

/** The way back. Throws `VaultError` if a bit of the key, the box or `bound` is another one. */
export function decrypt(key: CipherKey, box: Buffer, bound: Buffer): Buffer {
  if (box.length < OVERHEAD_BYTES) throw new VaultError('A sealed value is too short')
  try {
    // Node takes tags of 4 bytes, which can be guessed, unless it is told the length.
    const decipher = createDecipheriv(ALGORITHM, key, box.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(bound)
    decipher.setAuthTag(box.subarray(-TAG_BYTES))
    const plaintext = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES))
    decipher.final()
    return plaintext
  } catch {
    throw new VaultError('A sealed value does not open')
  }
}
