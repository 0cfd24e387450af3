import { readdir, readFile, rm } from 'node:fs/promises'
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
import { isPhotoName, MARK, type PhotoStorage } from './storage.ts'

/**
 * Photos in a folder, with subfolders by the first two characters of their names. Folders have mode 0700, files 0600.
 */
export class FolderStorage implements PhotoStorage {
  readonly #root: string
  /** Subfolders that exist durably, or are being created. */
  readonly #made = new Map<string, Promise<void>>()

  constructor(root: string) {
    this.#root = root
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    if (!isPhotoName(name)) throw new Error('Not the name of a photo')
    await reportFullDisk(async () => {
      await this.#makeFolder(this.#folderOf(name))
      await writeDurably(this.#pathOf(name), bytes)
    })
    const written = await readFile(this.#pathOf(name))
    if (written.equals(bytes)) return
    await this.remove(name)
    throw new PhotoStorageUnavailable('the disk returned different bytes than were written')
  }

  async get(name: string): Promise<Buffer | undefined> {
    return isPhotoName(name) ? await readIfExists(this.#pathOf(name)) : undefined
  }

  async remove(name: string): Promise<void> {
    if (!isPhotoName(name)) return
    const folder = this.#folderOf(name)
    const files = (await namesIn(folder)).filter((file) => file === name || isUnfinished(file, name))
    for (const file of files) await rm(join(folder, file), { force: true })
    // Otherwise a power cut could bring a file back, and nothing would remove it again.
    if (files.length > 0) await syncFolder(folder)
  }

  async readMark(): Promise<string | undefined> {
    return (await readIfExists(join(this.#root, MARK)))?.toString().trim()
  }

  async writeMark(id: string): Promise<void> {
    await reportFullDisk(async () => {
      await makeFolderDurably(this.#root)
      await writeDurably(join(this.#root, MARK), `${id}\n`)
    })
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
    return join(this.#root, name.slice(0, 2))
  }

  #pathOf(name: string): string {
    return join(this.#folderOf(name), name)
  }
}

async function reportFullDisk(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO')) throw error
    throw new PhotoStorageUnavailable(String(error), { cause: error })
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
