import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/database/pool.ts'
import { giftCards, photos } from '#server/database/schema.ts'

export type PhotoRow = typeof photos.$inferInsert

export async function insertPhotos(tx: Transaction, rows: readonly PhotoRow[]): Promise<void> {
  if (rows.length > 0) await tx.insert(photos).values([...rows])
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

/** Which of these stored files a row holds. */
export async function findClaimedPhotos(
  db: Executor,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const list = [...names]
  const rows = await db
    .select({ name: photos.name, thumbnailName: photos.thumbnailName })
    .from(photos)
    .where(or(inArray(photos.name, list), inArray(photos.thumbnailName, list)))
  return new Set(rows.flatMap(({ name, thumbnailName }) => [name, thumbnailName]))
}

export async function countPhotos(db: Executor, giftCardId: string): Promise<number> {
  return await db.$count(photos, eq(photos.giftCardId, giftCardId))
}

/** Forgets the photos of submissions. @returns their files, to be removed after the commit */
export async function deletePhotos(tx: Transaction, ids: readonly string[]) {
  return await tx
    .delete(photos)
    .where(inArray(photos.giftCardId, [...ids]))
    .returning({ name: photos.name, thumbnailName: photos.thumbnailName })
}
