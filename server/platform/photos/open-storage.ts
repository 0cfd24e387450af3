import type { BucketSetting, Storage } from '#server/platform/config/config-values.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { FolderStorage } from './folder-storage.ts'
import type { PhotoStorage } from './storage.ts'

/**
 * Opens the storage of a setting. Checks a bucket at once; a folder is created with its first file.
 *
 * @param signal stops waiting for a store that does not answer
 * @throws {OperatorError}
 */
export async function openStorage(setting: Storage, signal?: AbortSignal): Promise<PhotoStorage> {
  if (setting.kind === 's3') return await openBucket(setting, signal)
  return new FolderStorage(setting.folder)
}

/** The store as shown to operators, without its keys. */
export function storeName(setting: Storage): string {
  if (setting.kind === 'file') return setting.folder
  const { bucket, prefix, endpoint } = setting
  return `s3://${bucket}/${prefix}${endpoint ? `?endpoint=${endpoint}` : ''}`
}

async function openBucket(setting: BucketSetting, signal: AbortSignal | undefined): Promise<PhotoStorage> {
  // Loaded on demand: the S3 client takes longer to load than the rest of the server.
  const { BucketStorage } = await import('./bucket-storage.ts')
  const storage = new BucketStorage(setting)
  try {
    await storage.check(signal)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : error
    throw new OperatorError(
      `STORAGE_URL: the bucket ${JSON.stringify(setting.bucket)} cannot be used. ${why}`,
      {
        cause: error,
      },
    )
  }
  return storage
}
