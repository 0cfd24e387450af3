import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isErrno } from '#server/platform/durable-file.ts'
import { keyCopyOf, keyFileNames } from './backup.ts'

const ENDING = '.age'

/** Loaded on demand: its ciphers would take memory in every server. */
const loadAge = () => import('age-encryption')

/** Encrypts a file with age, so that only the holder of the identity reads it. @returns the path of the new file */
export async function encrypt(file: string, recipient: string): Promise<string> {
  const { Encrypter } = await loadAge()
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const encrypted = await encrypter.encrypt(webStreamOf(file))
  await writeStream(encrypted, `${file}${ENDING}`)
  return `${file}${ENDING}`
}

/**
 * Decrypts a backup and its keys into a folder. A file that does not end with .age is returned as it is.
 *
 * @param identityFile a file with a line AGE-SECRET-KEY-1…, as age-keygen writes it
 * @returns the path of the backup, with its keys beside it
 * @throws {OperatorError}
 */
export async function decrypted(
  file: string,
  identityFile: string | undefined,
  into: string,
): Promise<string> {
  if (!file.endsWith(ENDING)) return file
  if (!identityFile) throw new OperatorError(`${file} is encrypted: name the file of its key with --identity`)
  const text = await readFile(identityFile, 'utf8').catch((error) => {
    throw new OperatorError(`${identityFile} cannot be read: ${error.message}`)
  })
  const identities = text.split('\n').filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length === 0) throw new OperatorError(`${identityFile} has no line AGE-SECRET-KEY-…`)
  const { Decrypter } = await loadAge()
  const plain = file.slice(0, -ENDING.length)
  for (const path of [plain, ...keyFileNames.map((name) => keyCopyOf(plain, name))]) {
    const decrypter = new Decrypter()
    for (const identity of identities) decrypter.addIdentity(identity.trim())
    try {
      const opened = await decrypter.decrypt(webStreamOf(`${path}${ENDING}`))
      await writeStream(opened, join(into, basename(path)))
    } catch (error) {
      // With SECRET_KEYS, there are no keys beside it.
      if (path !== plain && isErrno(error, 'ENOENT')) continue
      const why = error instanceof Error ? error.message : error
      throw new OperatorError(`${path}${ENDING} cannot be decrypted: ${why}`, { cause: error })
    }
  }
  return join(into, basename(plain))
}

function webStreamOf(file: string): ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
}

function writeStream(stream: ReadableStream<Uint8Array>, file: string): Promise<void> {
  return pipeline(
    Readable.fromWeb(stream as WebStream),
    createWriteStream(file, { mode: 0o600, flush: true }),
  )
}
