import { and, asc, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Context } from '#server/context.ts'
import {
  deletePhotos,
  discardPhotos,
  messageKeyContext,
  type PhotoRow,
  type ReceivedPhoto,
  removeFiles,
  storePhotos,
} from '#server/features/submissions/photos.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { chatMessages } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { newDataKey, wrapKey } from '#server/platform/vault/seal.ts'

/** Seals the photos of a new message under their own key, and stores them. */
export interface StoredPhotos {
  readonly messageId: string
  /** Wrapped. */
  readonly dataKey: Buffer
  readonly rows: readonly PhotoRow[]
}

/** Stores photos, then sends the message. Discards them if it fails or had been sent before. */
export async function withStoredPhotos<Sent extends { readonly created: boolean }>(
  context: Context,
  received: readonly ReceivedPhoto[],
  send: (photos: StoredPhotos | undefined) => Promise<Sent>,
): Promise<Sent> {
  if (received.length === 0) return send(undefined)
  const messageId = uuidv7()
  const dataKey = newDataKey()
  const wrapped = wrapKey(context.keys, dataKey, messageKeyContext(messageId))
  // Outside the transaction, so that a slow storage holds no lock and no database connection.
  const storing = storePhotos(context, dataKey, { chatMessageId: messageId }, received)
  const stored = await storing.finally(() => dataKey.fill(0))
  // Only photos of submissions are compared.
  const rows = stored.map((row) => ({ ...row, likeness: null }))
  try {
    const sent = await send({ messageId, dataKey: wrapped, rows })
    if (!sent.created) await discardPhotos(context, rows)
    return sent
  } catch (error) {
    await discardPhotos(context, rows)
    throw error
  }
}

const DAY_MS = 24 * 3600 * 1000
const BATCH_SIZE = 100

/**
 * Erases the photos of messages that are `days` days old, and their keys. Keeps the photos of sellers on hold.
 * @param signal stops before the next batch
 * @returns how many messages had photos
 */
export async function eraseOldPhotos(context: Context, days: number, signal?: AbortSignal): Promise<number> {
  const now = await readClock(context.db)
  const before = new Date(now() - days * DAY_MS)
  let erased = 0
  while (!signal?.aborted) {
    const { count, files } = await transaction(context.db, (tx) => eraseBatch(tx, before))
    await removeFiles(context, files)
    if (count === 0) break
    erased += count
  }
  return erased
}

async function eraseBatch(tx: Transaction, before: Date): Promise<{ count: number; files: string[] }> {
  const { id, dataKey, createdAt, threadId } = chatMessages
  const rows = await tx
    .select({ id })
    .from(chatMessages)
    .where(
      and(
        isNotNull(dataKey),
        lt(createdAt, before),
        sql`not exists (
          select from chat_threads join holds on holds.user_id = chat_threads.user_id and holds.lifted_at is null
          where chat_threads.id = ${threadId}
        )`,
      ),
    )
    .orderBy(asc(id))
    .limit(BATCH_SIZE)
    .for('update', { skipLocked: true })
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return { count: 0, files: [] }
  const files = await deletePhotos(tx, ids, 'chatMessageId')
  await tx.update(chatMessages).set({ dataKey: null }).where(inArray(id, ids))
  return { count: ids.length, files }
}
