import { asc, gt } from 'drizzle-orm'
import { z } from 'zod'
import { type BrandAnswer, brand } from '#contract/brands.ts'
import { balanceContacts } from '#domain/balance-contacts.ts'
import { type Brand, brands as builtInBrands, categories, unlistedBrand } from '#domain/brands.ts'
import { monogram } from '#domain/monogram.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import type { BrandCatalog, Terms } from '#server/context.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Database, Executor } from '#server/platform/database/pool.ts'
import { brands, earlierBrandTerms } from '#server/platform/database/schema.ts'

export type BrandRow = typeof brands.$inferSelect

/** The channel on which servers announce that the catalog has changed. */
export const BRANDS_CHANNEL = 'unspent_brands'

const QUOTE_HOLDS_MS = QUOTE_HOLDS_MINUTES * 60_000

/** Keeps the brands in memory. Reads them again after a change by any server. */
export class Catalog implements BrandCatalog {
  readonly #db: Database
  #terms: Promise<Terms> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  current(): Promise<Terms> {
    if (this.#terms) return this.#terms
    const terms = readTerms(this.#db)
    this.#terms = terms
    terms.catch(() => {
      if (this.#terms === terms) this.#terms = undefined
    })
    return terms
  }

  /** Reads the brands again at the next request. */
  forget(): void {
    this.#terms = undefined
  }
}

async function readTerms(db: Database): Promise<Terms> {
  const rows = await readBrands(db)
  const now = await readClock(db)
  const since = new Date(now() - QUOTE_HOLDS_MS)
  const earlier = await db.select().from(earlierBrandTerms).where(gt(earlierBrandTerms.validUntil, since))
  const brands = rows.map(toBrand)
  return {
    brands,
    body: Buffer.from(JSON.stringify(z.encode(z.array(brand), brands.map(toBrandAnswer)))),
    earlier: (slug) => earlierTerms(slug, rows, earlier, now() - QUOTE_HOLDS_MS),
  }
}

/** The brands by category. Fills an empty table with the built-in ones. */
export async function readBrands(db: Database): Promise<BrandRow[]> {
  let rows = await selectBrands(db)
  if (rows.length === 0) {
    // Ignores conflicts, because several servers may do this at once.
    await db.insert(brands).values(builtInRows()).onConflictDoNothing()
    rows = await selectBrands(db)
  }
  return rows.sort((a, b) => categories.indexOf(a.category) - categories.indexOf(b.category))
}

export async function selectBrands(db: Executor): Promise<BrandRow[]> {
  return await db.select().from(brands).orderBy(asc(brands.position), asc(brands.slug))
}

function builtInRows(): BrandRow[] {
  // A date before all quotes: there were no other terms before.
  const at = new Date(0)
  return builtInBrands.map(({ value, ...brand }, position) => ({
    ...brand,
    slug: value,
    balanceUrl: balanceContacts[value]?.url ?? null,
    balancePhone: balanceContacts[value]?.phone ?? null,
    balanceCheckedOn: null,
    position,
    createdAt: at,
    updatedAt: at,
  }))
}

function earlierTerms(
  slug: string,
  rows: readonly BrandRow[],
  earlier: readonly (typeof earlierBrandTerms.$inferSelect)[],
  since: number,
): Brand[] {
  const row = rows.find((candidate) => candidate.slug === slug)
  if (!row) return []
  const replaced = earlier.filter((terms) => terms.slug === slug && terms.validUntil.getTime() > since)
  const before = replaced.map(({ rate, minimum, maximum }) => ({ ...toBrand(row), rate, minimum, maximum }))
  // Before it was added, it had the terms of an unlisted brand.
  if (row.createdAt.getTime() > since) before.push({ ...unlistedBrand(slug), name: row.name })
  return before
}

export function toBrand({ slug, name, category, rate, minimum, maximum, popular }: BrandRow): Brand {
  return { value: slug, name, category, rate, minimum, maximum, popular }
}

export function toBrandAnswer(brand: Brand): BrandAnswer {
  return { ...brand, icon: monogram(brand.name), minAmount: brand.minimum, maxAmount: brand.maximum }
}
