import { randomBytes } from 'node:crypto'

/** Stores sealed photos under random names, in a folder or in a bucket. */
export interface PhotoStorage {
  /**
   * Resolves when the photo would survive a power cut. Replaces one of the same name.
   *
   * @param signal stops waiting for a store that does not answer
   * @throws {PhotoStorageUnavailable}
   */
  put(name: string, bytes: Buffer, signal?: AbortSignal): Promise<void>
  /** Undefined if there is no such photo, or no photo can have this name. Throws `PhotoStorageUnavailable`. */
  get(name: string): Promise<Buffer | undefined>
  /** Succeeds if there is no such photo. Throws `PhotoStorageUnavailable`. */
  remove(name: string, signal?: AbortSignal): Promise<void>
  /** The id of the installation that owns the store. Undefined if it has no mark yet. */
  readMark(signal?: AbortSignal): Promise<string | undefined>
  writeMark(id: string, signal?: AbortSignal): Promise<void>
}

/** The name of the file or object that holds the mark. Too short to be the name of a photo. */
export const MARK = 'installation'

// Safe in every file system and URL, and cannot lead out of a folder.
const PHOTO_NAME = /^[A-Za-z0-9_-]{22,64}$/

/** A random name of 24 characters (144 bits), which cannot be guessed. */
export function newPhotoName(): string {
  return randomBytes(18).toString('base64url')
}

export function isPhotoName(name: string): boolean {
  return PHOTO_NAME.test(name)
}
