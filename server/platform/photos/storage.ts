import { randomBytes } from 'node:crypto'
import { PhotoStorageUnavailable } from './errors.ts'

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

/** Stores sealed photos under random names, in a folder or in a bucket. Every method may throw `PhotoStorageUnavailable`. */
export abstract class PhotoStorage {
  /** Undefined if there is no such file. */
  protected abstract read(name: string, signal?: AbortSignal): Promise<Buffer | undefined>
  /** Resolves when the file would survive a power cut. Replaces one of the same name. */
  protected abstract write(name: string, bytes: Buffer, signal?: AbortSignal): Promise<void>
  /** Succeeds if there is no such file. */
  protected abstract delete(name: string, signal?: AbortSignal): Promise<void>

  /**
   * Resolves when the photo would survive a power cut. Replaces one of the same name.
   *
   * @param signal stops waiting for a store that does not answer
   */
  async put(name: string, bytes: Buffer, signal?: AbortSignal): Promise<void> {
    if (!isPhotoName(name)) throw new Error('Not the name of a photo')
    await this.write(name, bytes, signal)
    // Photos are the only evidence of a card, so compare instead of trusting the store.
    if ((await this.read(name, signal))?.equals(bytes)) return
    await this.delete(name, signal)
    throw new PhotoStorageUnavailable('the store returned different bytes than were written')
  }

  /** Undefined if there is no such photo, or no photo can have this name. */
  async get(name: string): Promise<Buffer | undefined> {
    return isPhotoName(name) ? await this.read(name) : undefined
  }

  /** Succeeds if there is no such photo. */
  async remove(name: string, signal?: AbortSignal): Promise<void> {
    if (isPhotoName(name)) await this.delete(name, signal)
  }

  /** The id of the installation that owns the store. Undefined if it has no mark yet. */
  async readMark(signal?: AbortSignal): Promise<string | undefined> {
    return (await this.read(MARK, signal))?.toString().trim()
  }

  async writeMark(id: string, signal?: AbortSignal): Promise<void> {
    await this.write(MARK, Buffer.from(`${id}\n`), signal)
  }
}
