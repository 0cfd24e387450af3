import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { maySeeCard, type Status } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { notPermitted, type Seller, type Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { giftCards, photos } from '#server/platform/database/schema.ts'
import type { DecodedPhoto } from '#server/platform/photos/decode.ts'
import {
  abandonPhotos,
  announcePhotos,
  confirmPhotos,
  forgetPhotos,
  removePhotos,
  schedulePhotoRemoval,
} from '#server/platform/photos/intents.ts'
import { isPhotoName, newPhotoName } from '#server/platform/photos/storage.ts'
import { open, seal, unwrapKey } from '#server/platform/vault/seal.ts'
import { dataKeyContext, photoContext } from './secrets.ts'

/** A photo as it arrived, decoded. */
export interface ReceivedPhoto extends DecodedPhoto {
  /** SHA-256 of the bytes as sent: tells whether two uploads are the same. */
  readonly digest: string
}

export type PhotoRow = typeof photos.$inferInsert

/** Milliseconds for all photos of a submission, while the seller waits for the answer. */
const storageLimits = { storeMs: 20_000, discardMs: 5_000 }

type Store = Pick<Context, 'db' | 'photos'>

/** Seals photos with their submission's key and stores the files. The caller then inserts the rows, or discards the photos. */
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

/** Inserts the rows of photos whose files were stored. */
export async function insertPhotos(tx: Transaction, rows: readonly PhotoRow[]): Promise<void> {
  if (rows.length === 0) return
  await confirmPhotos(tx, filesOf(rows))
  await tx.insert(photos).values([...rows])
}

/** Leaves out the photos of balance checks. */
export async function countPhotos(db: Executor, giftCardId: string): Promise<number> {
  return await db.$count(photos, and(eq(photos.giftCardId, giftCardId), isNull(photos.balanceCheckId)))
}

/**
 * Removes the files of photos whose rows were not inserted. They stay announced, because a storage that timed out may
 * still write a file; the hourly collection removes it. Keeps files whose rows were committed after all.
 */
export async function discardPhotos(
  { db, photos }: Store,
  rows: readonly PhotoRow[],
  { discardMs } = storageLimits,
): Promise<void> {
  const files = await abandonPhotos(db, filesOf(rows)).catch(() => [])
  await removePhotos(photos, files, () => AbortSignal.timeout(discardMs))
}

/** Removes files whose rows were deleted. The hourly collection removes what fails here. */
export async function removeFiles({ db, photos }: Store, files: readonly string[]): Promise<void> {
  const { removed } = await removePhotos(photos, files, () => AbortSignal.timeout(storageLimits.discardMs))
  await forgetPhotos(db, removed).catch(() => undefined)
}

/** Deletes the photos' rows. @returns their files, for `removeFiles` after the commit */
export async function deletePhotos(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .delete(photos)
    .where(inArray(photos.giftCardId, [...ids]))
    .returning({ name: photos.name, thumbnailName: photos.thumbnailName })
  const files = filesOf(rows)
  await schedulePhotoRemoval(tx, files)
  return files
}

export interface OpenedPhoto {
  readonly bytes: Buffer
  readonly submissionId: string
  /** From 1, in the order of the submission's photos. */
  readonly number: number | 'balance check'
}

/** A photo as JPEG, for the seller who sent it or staff who may see the card. Throws 404 for other sellers and when it is gone. */
export async function readPhoto(
  { db, keys, photos: storage }: Context,
  reader: Seller | Staff,
  path: string,
  size: 'full' | 'thumbnail',
): Promise<OpenedPhoto> {
  const name = path.endsWith('.jpg') ? path.slice(0, -'.jpg'.length) : ''
  const found = isPhotoName(name) ? await findPhoto(db, name) : undefined
  if (!found?.card.dataKey) throw notFound()
  const isOwn = found.card.sellerId === reader.id && !found.photo.balanceCheckId
  if (reader.kind === 'seller' && !isOwn) throw notFound()
  if (reader.kind === 'staff' && !maySeeCard(reader.role, found.card.status)) throw notPermitted(reader)
  const sealed = await storage.get(size === 'thumbnail' ? found.photo.thumbnailName : name)
  if (!sealed) throw notFound()
  const dataKey = unwrapKey(keys, found.card.dataKey, dataKeyContext(found.card.id))
  try {
    const bytes = open(dataKey, sealed, photoContext(size === 'thumbnail' ? 'thumbnail' : 'image', name))
    const number = found.photo.balanceCheckId ? 'balance check' : found.photo.position + 1
    return { bytes, submissionId: found.card.id, number }
  } finally {
    dataKey.fill(0)
  }
}

async function findPhoto(db: Executor, name: string) {
  const [row] = await db
    .select({
      photo: {
        thumbnailName: photos.thumbnailName,
        position: photos.position,
        balanceCheckId: photos.balanceCheckId,
      },
      card: {
        id: giftCards.id,
        dataKey: giftCards.dataKey,
        sellerId: giftCards.sellerId,
        status: giftCards.status,
      },
    })
    .from(photos)
    .innerJoin(giftCards, eq(giftCards.id, photos.giftCardId))
    .where(and(eq(photos.name, name), isNull(giftCards.clearedAt)))
  return row
}

/** Makes browsers show the bytes as a picture and never run them. */
export function sendPhoto(reply: FastifyReply, photo: Buffer): FastifyReply {
  return reply
    .type('image/jpeg')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('cache-control', 'no-store')
    .send(photo)
}

/** Addresses of photos; each side has its own routes. None for staff who may not see them. `/uploads` is fixed by the spec. */
export function photoPaths(
  names: readonly string[],
  reader: 'seller' | Staff,
  { status }: { readonly status: Status },
): string[] {
  if (reader !== 'seller' && !maySeeCard(reader.role, status)) return []
  const folder = reader === 'seller' ? '/api/user/images' : '/uploads'
  return names.map((name) => `${folder}/${name}.jpg`)
}

/** Each photo has two files. */
function filesOf(rows: readonly Pick<PhotoRow, 'name' | 'thumbnailName'>[]): string[] {
  return rows.flatMap(({ name, thumbnailName }) => [name, thumbnailName])
}
