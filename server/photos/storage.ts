import { makeFolderDurably } from '../durable-file.ts'
import { FolderStorage } from './folder-storage.ts'

/** Where photos lie: sealed bytes under random names. Implemented by a folder; an object store may follow. */
export type PhotoStorage = {
  /** Fulfilled once the photo survives a power cut. Storing again under the same name replaces it. */
  put(name: string, bytes: Buffer): Promise<void>
  /** `undefined` for what is not there, names included that no photo can have. */
  get(name: string): Promise<Buffer | undefined>
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>
  /** Every stored photo, in no order; photos that come or go meanwhile may be missed. */
  list(): AsyncIterable<StoredPhoto>
  /** Removes what writes left behind that were cut off before `before`; says how many. */
  removeUnfinished(before: Date): Promise<number>
}

export type StoredPhoto = {
  name: string
  storedAt: Date
}

/**
 * The storage a setting asks for. Its folder is made at once, so that a start fails where the first photo would.
 */
export async function openStorage({ folder }: { kind: 'file'; folder: string }): Promise<PhotoStorage> {
  await makeFolderDurably(folder)
  return new FolderStorage(folder)
}
