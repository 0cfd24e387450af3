import { asc, eq, gt, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { brands, earlierBrandTerms } from '#server/platform/database/schema.ts'

export type BrandRow = typeof brands.$inferSelect
export type EarlierTerms = typeof earlierBrandTerms.$inferSelect

/** In the order of the catalogue, apart from the categories. */
export async function listBrands(db: Executor): Promise<BrandRow[]> {
  return await db.select().from(brands).orderBy(asc(brands.position), asc(brands.slug))
}

/** Terms that were current after a moment and are no more. */
export async function listEarlierTerms(db: Executor, after: Date): Promise<EarlierTerms[]> {
  return await db.select().from(earlierBrandTerms).where(gt(earlierBrandTerms.validUntil, after))
}

/** Several nodes may do so at once: what is there stays as it is. */
export async function insertMissing(db: Executor, rows: readonly BrandRow[]): Promise<void> {
  await db
    .insert(brands)
    .values([...rows])
    .onConflictDoNothing()
}

export async function insertBrand(
  tx: Transaction,
  row: Omit<BrandRow, 'position'>,
): Promise<BrandRow | undefined> {
  const last = sql<number>`(select coalesce(max(position), 0) + 1 from brands)`
  const [inserted] = await tx
    .insert(brands)
    .values({ ...row, position: last })
    .onConflictDoNothing()
    .returning()
  return inserted
}

/** All brands. Until the transaction ends, nobody else adds or renames one. */
export async function lockBrands(tx: Transaction): Promise<BrandRow[]> {
  await tx.execute(sql`lock table brands in share row exclusive mode`)
  return await listBrands(tx)
}

export async function lockBrand(tx: Transaction, slug: string): Promise<BrandRow | undefined> {
  const [row] = await tx.select().from(brands).where(eq(brands.slug, slug)).for('update')
  return row
}

export async function updateBrand(tx: Transaction, row: BrandRow): Promise<void> {
  await tx.update(brands).set(row).where(eq(brands.slug, row.slug))
}

export async function insertEarlierTerms(tx: Transaction, row: EarlierTerms): Promise<void> {
  await tx.insert(earlierBrandTerms).values(row)
}
