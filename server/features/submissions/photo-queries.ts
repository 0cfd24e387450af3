import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { giftCards, photos } from '#server/platform/database/schema.ts'
import { claimPhotos, unclaimPhotos } from '#server/platform/photos/intents.ts'

export type PhotoRow = typeof photos.$inferInsert

/** The files of photos: each has two. */
export function filesOf(rows: readonly Pick<PhotoRow, 'name' | 'thumbnailName'>[]): string[] {
  return rows.flatMap(({ name, thumbnailName }) => [name, thumbnailName])
}

/** Inserts the rows of photos whose files were announced and stored. */
export async function insertPhotos(tx: Transaction, rows: readonly PhotoRow[]): Promise<void> {
  if (rows.length === 0) return
  await claimPhotos(tx, filesOf(rows))
  await tx.insert(photos).values([...rows])
}

export async function findPhoto(db: Executor, name: string) {
  const [row] = await db
    .select({
      photo: { name: photos.name, thumbnailName: photos.thumbnailName, position: photos.position },
      card: { id: giftCards.id, dataKey: giftCards.dataKey, sellerId: giftCards.sellerId },
    })
    .from(photos)
    .innerJoin(giftCards, eq(giftCards.id, photos.giftCardId))
    .where(and(eq(photos.name, name), isNull(giftCards.clearedAt)))
  return row
}

export async function countPhotos(db: Executor, giftCardId: string): Promise<number> {
  return await db.$count(photos, eq(photos.giftCardId, giftCardId))
}

/** Forgets the photos of submissions. @returns their files, to be removed after the commit */
export async function deletePhotos(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .delete(photos)
    .where(inArray(photos.giftCardId, [...ids]))
    .returning({ name: photos.name, thumbnailName: photos.thumbnailName })
  const files = filesOf(rows)
  await unclaimPhotos(tx, files)
  return files
}
