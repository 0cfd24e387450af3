import type { WireBrand } from '#contract/brands.ts'
import { type Brand, categories, brands as firstBrands, monogram, unlistedBrand } from '#domain/brands.ts'
import { toDecimal } from '#domain/money.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import type { BrandCatalogue, Terms } from '#server/context.ts'
import { etagOf } from '#server/http/etag.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Database } from '#server/platform/database/pool.ts'
import * as queries from './queries.ts'

/** The channel on which the processes tell each other that the catalogue has changed. */
export const BRANDS_CHANNEL = 'unspent_brands'

/** How long a quote holds that was shown before the terms changed. */
const QUOTE_HOLDS_MS = QUOTE_HOLDS_MINUTES * 60_000

/** The brands in the memory of this process, read anew after each change by any process. */
export class Catalogue implements BrandCatalogue {
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

  /** There may be other terms now. */
  forget(): void {
    this.#terms = undefined
  }
}

async function readTerms(db: Database): Promise<Terms> {
  const rows = await readBrands(db)
  const now = await readClock(db)
  const earlier = await queries.listEarlierTerms(db, new Date(now() - QUOTE_HOLDS_MS))
  const brands = rows.map(toBrand)
  const body = Buffer.from(JSON.stringify(brands.map(toWireBrand)))
  return {
    brands,
    body,
    etag: etagOf(body),
    earlier: (slug) => earlierTerms(slug, rows, earlier, now() - QUOTE_HOLDS_MS),
  }
}

/** Category by category; the catalogue of the code is the first content of the table. */
export async function readBrands(db: Database): Promise<queries.BrandRow[]> {
  let rows = await queries.listBrands(db)
  if (rows.length === 0) {
    await queries.insertMissing(db, firstRows())
    rows = await queries.listBrands(db)
  }
  return rows.sort((a, b) => categories.indexOf(a.category) - categories.indexOf(b.category))
}

function firstRows(): queries.BrandRow[] {
  // As old as can be: nobody was shown other terms before.
  const at = new Date(0)
  return firstBrands.map(({ value, ...brand }, position) => ({
    ...brand,
    slug: value,
    position,
    createdAt: at,
    updatedAt: at,
  }))
}

function earlierTerms(
  slug: string,
  rows: readonly queries.BrandRow[],
  earlier: readonly queries.EarlierTerms[],
  since: number,
): Brand[] {
  const row = rows.find((candidate) => candidate.slug === slug)
  if (!row) return []
  const replaced = earlier.filter((terms) => terms.slug === slug && terms.validUntil.getTime() > since)
  const before = replaced.map(({ rate, minimum, maximum }) => ({ ...toBrand(row), rate, minimum, maximum }))
  // Until it was added, it was bought on the terms of an unlisted one.
  if (row.createdAt.getTime() > since) before.push({ ...unlistedBrand(slug), name: row.name })
  return before
}

export function toBrand({ slug, name, category, rate, minimum, maximum, popular }: queries.BrandRow): Brand {
  return { value: slug, name, category, rate, minimum, maximum, popular }
}

export function toWireBrand({ name, value, category, rate, minimum, maximum, popular }: Brand): WireBrand {
  return {
    name,
    value,
    category,
    rate: toDecimal(rate),
    icon: monogram(name),
    minAmount: toDecimal(minimum),
    maxAmount: toDecimal(maximum),
    popular,
  }
}
