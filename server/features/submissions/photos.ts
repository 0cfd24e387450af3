import type { Context } from '#server/context.ts'
import { removeAll } from '#server/platform/photos/collect.ts'
import { abandonPhotos, announcePhotos, forgetPhotos } from '#server/platform/photos/intents.ts'
import { isPhotoName, newPhotoName } from '#server/platform/photos/photo-name.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { open, seal, unwrapKey } from '#server/platform/vault/seal.ts'
import { filesOf, type PhotoRow } from './photo-queries.ts'
import { dataKeyContext, photoContext, type SealedRow } from './secrets.ts'
import type { ReceivedPhoto } from './upload.ts'

/** Milliseconds for all photos of a submission together: the seller is still waiting for the answer. */
const storageLimits = { storeMs: 20_000, discardMs: 5_000 }

type Store = Pick<Context, 'db' | 'photos'>

/** Seals photos with their submission's key and stores them. The caller inserts the rows, or discards the photos. */
export async function storePhotos(
  store: Store,
  dataKey: Buffer,
  giftCardId: string,
  received: readonly ReceivedPhoto[],
  limits = storageLimits,
): Promise<PhotoRow[]> {
  const photos = received.map((photo, position) => {
    const { image, thumbnail, width, height, likeness = null } = photo
    const row = {
      name: newPhotoName(),
      thumbnailName: newPhotoName(),
      giftCardId,
      position,
      width,
      height,
      likeness,
    }
    return { image, thumbnail, row }
  })
  const rows = photos.map(({ row }) => row)
  await announcePhotos(store.db, filesOf(rows))
  const signal = AbortSignal.timeout(limits.storeMs)
  try {
    for (const { image, thumbnail, row } of photos) {
      const { name, thumbnailName } = row
      await store.photos.put(name, seal(dataKey, image, photoContext('image', name)), signal)
      await store.photos.put(thumbnailName, seal(dataKey, thumbnail, photoContext('thumbnail', name)), signal)
    }
    return rows
  } catch (error) {
    await discardPhotos(store, rows, limits)
    throw error
  }
}

/**
 * Removes the files of photos whose rows were not inserted. They stay announced: a store that gave up on a file may
 * still finish it, and the collection looks again. When the commit is in doubt, the database decides.
 */
export async function discardPhotos(
  { db, photos }: Store,
  rows: readonly PhotoRow[],
  { discardMs } = storageLimits,
): Promise<void> {
  const files = await abandonPhotos(db, filesOf(rows)).catch(() => [])
  await removeAll(photos, files, () => AbortSignal.timeout(discardMs))
}

/** Removes files whose rows were deleted. What the store does not remove now, the collection removes later. */
export async function removeFiles({ db, photos }: Store, files: readonly string[]): Promise<void> {
  const { gone } = await removeAll(photos, files, () => AbortSignal.timeout(storageLimits.discardMs))
  await forgetPhotos(db, gone).catch(() => undefined)
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
