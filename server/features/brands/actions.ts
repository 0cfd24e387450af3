import type { BrandChange, NewBrand, StaffBrand } from '#contract/brands.ts'
import { listedBrand } from '#domain/brands.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { BRANDS_CHANNEL, readBrands, toBrand, toWireBrand } from './catalogue.ts'
import * as queries from './queries.ts'

export async function listBrands({ db }: Context): Promise<StaffBrand[]> {
  return (await readBrands(db)).map(toStaffBrand)
}

/** Adds a brand; from the commit on it is quoted, in every process. */
export async function addBrand(context: Context, staff: Staff, brand: NewBrand): Promise<StaffBrand> {
  // An empty table would take this brand for its first content.
  await readBrands(context.db)
  const { value: slug, minAmount, maxAmount, ...more } = brand
  requireLimits({ minimum: minAmount, maximum: maxAmount })
  return changing(context, async (tx) => {
    await refuseSameBrand(tx, { slug, name: brand.name })
    const at = new Date((await readClock(tx))())
    const row = { slug, minimum: minAmount, maximum: maxAmount, ...more, createdAt: at, updatedAt: at }
    const inserted = await queries.insertBrand(tx, row)
    if (!inserted) throw taken('value', 'There is a brand with this slug already')
    await note(tx, staff, 'brand.added', slug, { ...toWireBrand(toBrand(inserted)) })
    return toStaffBrand(inserted)
  })
}

/** Changes what is given. The terms before are kept: who was shown a quote under them is paid by it for a while. */
export async function changeBrand(
  context: Context,
  staff: Staff,
  slug: string,
  change: BrandChange,
): Promise<StaffBrand> {
  // Nobody may have asked for the catalogue yet: its first content is written when somebody does.
  await readBrands(context.db)
  return changing(context, async (tx) => {
    const before = await queries.lockBrand(tx, slug)
    if (!before) throw notFound()
    const after = { ...merge(before, change), updatedAt: new Date((await readClock(tx))()) }
    requireLimits(after)
    if (after.name !== before.name) await refuseSameBrand(tx, after)
    const difference = compare(before, after)
    if (Object.keys(difference).length === 0) return toStaffBrand(before)
    const { rate, minimum, maximum } = before
    await queries.insertEarlierTerms(tx, { slug, rate, minimum, maximum, validUntil: after.updatedAt })
    await queries.updateBrand(tx, after)
    await note(tx, staff, 'brand.changed', slug, difference)
    return toStaffBrand(after)
  })
}

/** Changes the catalogue in one transaction and has every process read it anew, this one before the answer. */
async function changing<T>({ db, catalogue }: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await transaction(db, async (tx) => {
    await notify(tx, BRANDS_CHANNEL)
    return work(tx)
  })
  catalogue.forget()
  return result
}

function merge(row: queries.BrandRow, { minAmount, maxAmount, ...change }: BrandChange): queries.BrandRow {
  const given = Object.entries({ ...change, minimum: minAmount, maximum: maxAmount })
  return { ...row, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) }
}

function requireLimits({ minimum, maximum }: { minimum: number; maximum: number }): void {
  if (minimum < maximum) return
  throw invalid([{ path: 'maxAmount', message: 'The maximum must be above the minimum' }])
}

/** What changed, as the wire has it: from one value to another. */
function compare(before: queries.BrandRow, after: queries.BrandRow): Record<string, unknown> {
  const [from, to] = [toWireBrand(toBrand(before)), toWireBrand(toBrand(after))]
  const fields = Object.keys(from) as (keyof typeof from)[]
  const changed = fields.filter((field) => field !== 'icon' && from[field] !== to[field])
  return Object.fromEntries(changed.map((field) => [field, { from: from[field], to: to[field] }]))
}

function toStaffBrand(row: queries.BrandRow): StaffBrand {
  return { ...toWireBrand(toBrand(row)), updatedAt: row.updatedAt.toISOString() }
}

/** A seller's spelling has to stand for one brand. The slug itself is left to the unique index. */
async function refuseSameBrand(
  tx: Transaction,
  { slug, name }: { slug: string; name: string },
): Promise<void> {
  const others = (await queries.lockBrands(tx)).filter((brand) => brand.slug !== slug).map(toBrand)
  for (const [path, text] of [
    ['value', slug],
    ['name', name],
  ] as const) {
    const same = listedBrand(text, others)
    if (same) throw taken(path, `This is a spelling of ${same.name}, which is in the catalog`)
  }
}

function taken(path: string, message: string): Refusal {
  return new Refusal('taken', message, { errors: [{ path, message }] })
}

function note(
  tx: Transaction,
  actor: Staff,
  action: 'brand.added' | 'brand.changed',
  id: string,
  details: Record<string, unknown>,
): Promise<void> {
  return record(tx, { actor, action, subject: { kind: 'brand', id }, details })
}
