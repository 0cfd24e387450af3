import { isPhotoName, newPhotoName } from '#server/photos/photo-name.ts'
import type { PhotoStorage } from '#server/photos/storage.ts'
import type { KeyRing } from '#server/vault/key-ring.ts'
import { open, seal, unwrapKey } from '#server/vault/seal.ts'
import type { PhotoRow } from './photo-queries.ts'
import { dataKeyContext, photoContext, type SealedRow } from './secrets.ts'
import type { ReceivedPhoto } from './upload.ts'

/**
 * How long the storage may take, for all photos of a submission together: whoever sent them is still there to hear that
 * it did not work. What it could not remove in its time, the collection finds. In milliseconds.
 */
const storageLimits = { storeMs: 20_000, discardMs: 5_000 }

/** Seals photos with their submission's key and stores them. The caller writes the rows, or discards the files. */
export async function storePhotos(
  storage: PhotoStorage,
  dataKey: Buffer,
  giftCardId: string,
  received: readonly ReceivedPhoto[],
  limits = storageLimits,
): Promise<PhotoRow[]> {
  const rows: PhotoRow[] = []
  const signal = AbortSignal.timeout(limits.storeMs)
  try {
    for (const [index, photo] of received.entries()) {
      const row = {
        name: newPhotoName(),
        thumbnailName: newPhotoName(),
        giftCardId,
        position: index,
        width: photo.width,
        height: photo.height,
        likeness: photo.likeness ?? null,
      }
      rows.push(row)
      await storage.put(row.name, seal(dataKey, photo.image, photoContext('image', row.name)), signal)
      await storage.put(
        row.thumbnailName,
        seal(dataKey, photo.thumbnail, photoContext('thumbnail', row.name)),
        signal,
      )
    }
    return rows
  } catch (error) {
    await discardPhotos(storage, rows, limits)
    throw error
  }
}

const REMOVED_AT_ONCE = 32

/** Removes files whose rows were never written, or are gone. What this misses, the collection finds. */
export async function discardPhotos(
  storage: PhotoStorage,
  rows: readonly Pick<PhotoRow, 'name' | 'thumbnailName'>[],
  { discardMs } = storageLimits,
): Promise<void> {
  const names = rows.flatMap(({ name, thumbnailName }) => [name, thumbnailName])
  for (let at = 0; at < names.length; at += REMOVED_AT_ONCE) {
    const some = names.slice(at, at + REMOVED_AT_ONCE)
    const signal = AbortSignal.timeout(discardMs)
    await Promise.all(some.map((name) => storage.remove(name, signal).catch(() => {})))
  }
}

export type PhotoSize = 'full' | 'thumbnail'

/** The JPEG again, or undefined when its key or file is gone. */
export async function openPhoto(
  storage: PhotoStorage,
  keys: KeyRing,
  card: SealedRow,
  photo: { name: string; thumbnailName: string },
  size: PhotoSize,
): Promise<Buffer | undefined> {
  if (!card.dataKey) return undefined
  const thumbnail = size === 'thumbnail'
  const sealed = await storage.get(thumbnail ? photo.thumbnailName : photo.name)
  if (!sealed) return undefined
  const dataKey = unwrapKey(keys, card.dataKey, dataKeyContext(card.id))
  try {
    return open(dataKey, sealed, photoContext(thumbnail ? 'thumbnail' : 'image', photo.name))
  } finally {
    dataKey.fill(0)
  }
}

/** The name in an address like "abc.jpg"; undefined for what can't be one. */
export function nameInPath(path: string): string | undefined {
  const name = path.endsWith('.jpg') ? path.slice(0, -'.jpg'.length) : ''
  return isPhotoName(name) ? name : undefined
}
