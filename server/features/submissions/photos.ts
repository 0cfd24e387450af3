import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { may, type Role } from '#domain/roles.ts'
import { maySeeCard, type Status } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { notPermitted, type Seller, type Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { chatMessages, chatThreads, giftCards, photos } from '#server/platform/database/schema.ts'
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
  /** Of the bytes as sent: tells whether two uploads are the same. */
  readonly digest: string
}

/** SHA-256 */
export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64')

export type PhotoRow = typeof photos.$inferInsert

/** What a photo belongs to, whose data key seals it. */
type PhotoOwner = { readonly giftCardId: string } | { readonly chatMessageId: string }

/** The context of a message's data key. */
export const messageKeyContext = (row: string) => ({ table: 'chat_messages', column: 'data_key', row })

/** Milliseconds for all photos of a submission, while the seller waits for the answer. */
const storageLimits = { storeMs: 20_000, discardMs: 5_000 }

type Store = Pick<Context, 'db' | 'photos'>

/** Seals photos with their owner's key and stores the files. The caller then inserts the rows, or discards the photos. */
export async function storePhotos(
  store: Store,
  dataKey: Buffer,
  owner: PhotoOwner,
  received: readonly ReceivedPhoto[],
  limits = storageLimits,
): Promise<PhotoRow[]> {
  const photos = received.map((photo, position) => {
    const { image, thumbnail, width, height, likeness = null } = photo
    const row = {
      name: newPhotoName(),
      thumbnailName: newPhotoName(),
      ...owner,
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

/** Deletes the rows of their owners' photos. @returns their files, for `removeFiles` after the commit */
export async function deletePhotos(
  tx: Transaction,
  ids: readonly string[],
  owner: 'giftCardId' | 'chatMessageId' = 'giftCardId',
): Promise<string[]> {
  const rows = await tx
    .delete(photos)
    .where(inArray(photos[owner], [...ids]))
    .returning({ name: photos.name, thumbnailName: photos.thumbnailName })
  const files = filesOf(rows)
  await schedulePhotoRemoval(tx, files)
  return files
}

export interface OpenedPhoto {
  readonly bytes: Buffer
  /** What the audit log names: the submission; or of a chat's photo the card that the chat is about, or else the thread. */
  readonly subject: { readonly kind: 'submission' | 'thread'; readonly id: string }
  /** Which photo of its submission or message it is, from 1. */
  readonly number: number | 'balance check'
  /** Set for a photo of a chat. */
  readonly threadId?: string
  /** Staff sent it in a chat. */
  readonly isReply: boolean
}

/**
 * A photo as JPEG, for the seller of the submission or chat, or for staff who may see it. Throws 404 for other sellers and when it
 * is gone.
 */
export async function readPhoto(
  { db, keys, photos: storage }: Context,
  reader: Seller | Staff,
  path: string,
  size: 'full' | 'thumbnail',
): Promise<OpenedPhoto> {
  const name = path.endsWith('.jpg') ? path.slice(0, -'.jpg'.length) : ''
  const found = isPhotoName(name) ? await findPhoto(db, name) : undefined
  const { photo, card, message } = found ?? {}
  const owner = card ?? message
  if (!photo || !owner?.dataKey) throw notFound()
  const isOwn = owner.sellerId === reader.id && !photo.balanceCheckId
  if (reader.kind === 'seller' && !isOwn) throw notFound()
  const isVisible = (role: Role) => (card ? maySeeCard(role, card.status) : may(role, 'reveal_cards'))
  if (reader.kind === 'staff' && !isVisible(reader.role)) throw notPermitted(reader)
  const sealed = await storage.get(size === 'thumbnail' ? photo.thumbnailName : name)
  if (!sealed) throw notFound()
  const context = card ? dataKeyContext : messageKeyContext
  const dataKey = unwrapKey(keys, owner.dataKey, context(owner.id))
  try {
    return {
      bytes: open(dataKey, sealed, photoContext(size === 'thumbnail' ? 'thumbnail' : 'image', name)),
      subject: subjectOf(owner.id, message),
      number: photo.balanceCheckId ? 'balance check' : photo.position + 1,
      ...(message && { threadId: message.threadId }),
      isReply: message?.isAdminReply ?? false,
    }
  } finally {
    dataKey.fill(0)
  }
}

function subjectOf(
  submissionId: string,
  message: { threadId: string; about: string | null } | null | undefined,
): OpenedPhoto['subject'] {
  if (!message) return { kind: 'submission', id: submissionId }
  const { threadId, about } = message
  return about ? { kind: 'submission', id: about } : { kind: 'thread', id: threadId }
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
      message: {
        id: chatMessages.id,
        dataKey: chatMessages.dataKey,
        sellerId: sql<string | null>`${chatThreads.userId}`,
        isAdminReply: chatMessages.isAdminReply,
        threadId: chatMessages.threadId,
        about: sql<string | null>`${chatThreads.giftCardId}`,
      },
    })
    .from(photos)
    .leftJoin(giftCards, and(eq(giftCards.id, photos.giftCardId), isNull(giftCards.clearedAt)))
    .leftJoin(chatMessages, eq(chatMessages.id, photos.chatMessageId))
    .leftJoin(chatThreads, eq(chatThreads.id, chatMessages.threadId))
    .where(eq(photos.name, name))
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

/** Addresses of a submission's photos. Empty for staff who may not see them. */
export function photoPaths(
  names: readonly string[],
  reader: 'seller' | Staff,
  { status }: { readonly status: Status },
): string[] {
  if (reader !== 'seller' && !maySeeCard(reader.role, status)) return []
  return pathsFor(names, reader)
}

/** Addresses of photos; each side has its own routes. `/uploads` is fixed by the spec. */
export function pathsFor(names: readonly string[], reader: 'seller' | Staff): string[] {
  const folder = reader === 'seller' ? '/api/user/images' : '/uploads'
  return names.map((name) => `${folder}/${name}.jpg`)
}

/** Each photo has two files. */
function filesOf(rows: readonly Pick<PhotoRow, 'name' | 'thumbnailName'>[]): string[] {
  return rows.flatMap(({ name, thumbnailName }) => [name, thumbnailName])
}
