import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  isErrno,
  makeFolderDurably,
  readIfExists,
  syncFolder,
  UNFINISHED,
  writeDurably,
} from '#server/platform/durable-file.ts'
import { PhotoStorageUnavailable } from './errors.ts'
import { MARK, PhotoStorage } from './storage.ts'

/**
 * Photos in a folder, with subfolders by the first two characters of their names. Folders have mode 0700, files 0600.
 */
export class FolderStorage extends PhotoStorage {
  readonly #root: string
  /** Subfolders that exist durably, or are being created. */
  readonly #made = new Map<string, Promise<void>>()

  constructor(root: string) {
    super()
    this.#root = root
  }

  protected async read(name: string): Promise<Buffer | undefined> {
    return await readIfExists(join(this.#folderOf(name), name))
  }

  protected async write(name: string, bytes: Buffer): Promise<void> {
    const folder = this.#folderOf(name)
    try {
      await this.#makeFolder(folder)
      await writeDurably(join(folder, name), bytes)
    } catch (error) {
      if (!isErrno(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO')) throw error
      throw new PhotoStorageUnavailable(String(error), { cause: error })
    }
  }

  protected async delete(name: string): Promise<void> {
    const folder = this.#folderOf(name)
    const files = (await namesIn(folder)).filter((file) => file === name || isUnfinished(file, name))
    for (const file of files) await rm(join(folder, file), { force: true })
    // Otherwise a power cut could bring a file back, and nothing would remove it again.
    if (files.length > 0) await syncFolder(folder)
  }

  async #makeFolder(folder: string): Promise<void> {
    const made = this.#made.get(folder) ?? makeFolderDurably(folder)
    this.#made.set(folder, made)
    try {
      await made
    } catch (error) {
      this.#made.delete(folder)
      throw error
    }
  }

  #folderOf(name: string): string {
    return name === MARK ? this.#root : join(this.#root, name.slice(0, 2))
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/** Whether a file is what an interrupted write of this photo left behind. */
function isUnfinished(file: string, name: string): boolean {
  return file.startsWith(UNFINISHED) && file.endsWith(`-${name}`)
}
