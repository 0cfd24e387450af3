import type { BucketSetting, Storage } from '#server/platform/config/config-values.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { FolderStorage } from './folder-storage.ts'

/**
 * Where photos lie: sealed bytes under random names, in a folder or in a bucket. What cannot be stored or read for
 * want of room or of the store throws `PhotoStorageUnavailable`.
 */
export type PhotoStorage = {
  /**
   * Fulfilled once the photo survives a power cut. Storing again under the same name replaces it.
   * @param signal ends the wait for a store that does not answer
   */
  put(name: string, bytes: Buffer, signal?: AbortSignal): Promise<void>
  /** `undefined` for what is not there, names included that no photo can have. */
  get(name: string): Promise<Buffer | undefined>
  /** Removing what is not there is no error. */
  remove(name: string, signal?: AbortSignal): Promise<void>
  /** The id of the installation that the store belongs to; undefined in a store without a mark. */
  readMark(signal?: AbortSignal): Promise<string | undefined>
  writeMark(id: string, signal?: AbortSignal): Promise<void>
}

/** The name of the file or object that holds the mark. No photo is called like that. */
export const MARK = 'installation'

/** A store as people call it, without its keys. */
export function storeName(setting: Storage): string {
  if (setting.kind === 'file') return setting.folder
  const { bucket, prefix, endpoint } = setting
  return `s3://${bucket}/${prefix}${endpoint ? `?endpoint=${endpoint}` : ''}`
}

/**
 * The storage a setting asks for. A bucket is tried at once; a folder is made when the first file is put into it.
 *
 * @param signal ends the wait for a store that does not answer
 */
export async function openStorage(setting: Storage, signal?: AbortSignal): Promise<PhotoStorage> {
  if (setting.kind === 's3') return await openBucket(setting, signal)
  return new FolderStorage(setting.folder)
}

async function openBucket(setting: BucketSetting, signal: AbortSignal | undefined): Promise<PhotoStorage> {
  // Loaded when it is asked for: the client takes longer to load than the rest of the server.
  const { BucketStorage } = await import('./bucket-storage.ts')
  const storage = new BucketStorage(setting)
  try {
    await storage.check(signal)
  } catch (error) {
    throw new StorageStartError(setting.bucket, error)
  }
  return storage
}

/** The start cannot go on without its photos. The message is one line, made for the operator. */
export class StorageStartError extends OperatorError {
  override name = 'StorageStartError'

  constructor(bucket: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(`STORAGE_URL: the bucket ${JSON.stringify(bucket)} cannot be used. ${why.split('\n')[0]}`, {
      cause,
    })
  }
}
