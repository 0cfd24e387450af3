import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type BrandChange, type NewBrand, type StaffBrandAnswer, staffBrand } from '#contract/brands.ts'
import { listedBrand } from '#domain/brands.ts'
import { dayIn } from '#domain/shop-time.ts'
import type { Context } from '#server/context.ts'
import { type AuditDetails, record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound, refusedFields } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { brands, earlierBrandTerms } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { BRANDS_CHANNEL, type BrandRow, readBrands, selectBrands, toBrand, toBrandAnswer } from './catalog.ts'

export async function listBrands({ db }: Context): Promise<StaffBrandAnswer[]> {
  return (await readBrands(db)).map(toStaffBrand)
}

/** Adds a brand. All servers quote it as soon as the transaction commits. */
export async function addBrand(context: Context, staff: Staff, brand: NewBrand): Promise<StaffBrandAnswer> {
  const { value: slug, minAmount, maxAmount, balanceChecked: _checked, ...more } = brand
  requireLimits({ minimum: minAmount, maximum: maxAmount })
  return changeCatalog(context, async (tx) => {
    await refuseSameBrand(tx, { slug, name: brand.name })
    const at = new Date((await readClock(tx))())
    const balanceCheckedOn = more.balanceUrl || more.balancePhone ? dayIn(context.site.timeZone, at) : null
    const row = {
      slug,
      minimum: minAmount,
      maximum: maxAmount,
      ...more,
      balanceCheckedOn,
      createdAt: at,
      updatedAt: at,
    }
    const position = sql<number>`(select coalesce(max(position), 0) + 1 from brands)`
    const [inserted] = await tx
      .insert(brands)
      .values({ ...row, position })
      .onConflictDoNothing()
      .returning()
    if (!inserted) throw refusedFields('taken', [{ path: 'value', code: 'slug_taken' }])
    const { updatedAt: _, ...added } = z.encode(staffBrand, toStaffBrand(inserted))
    await recordChange(tx, staff, 'brand.added', slug, added)
    return toStaffBrand(inserted)
  })
}

/** Changes the given fields. Keeps the earlier terms, because quotes under them are honored for a while. */
export async function changeBrand(
  context: Context,
  staff: Staff,
  slug: string,
  change: BrandChange,
): Promise<StaffBrandAnswer> {
  return changeCatalog(context, async (tx) => {
    const [before] = await tx.select().from(brands).where(eq(brands.slug, slug)).for('update')
    if (!before) throw notFound()
    const updatedAt = new Date((await readClock(tx))())
    const after = { ...merge(before, change, dayIn(context.site.timeZone, updatedAt)), updatedAt }
    requireLimits(after)
    if (after.name !== before.name) await refuseSameBrand(tx, after)
    const difference = compare(before, after)
    if (Object.keys(difference).length === 0) return toStaffBrand(before)
    const { rate, minimum, maximum } = before
    await tx.insert(earlierBrandTerms).values({ slug, rate, minimum, maximum, validUntil: after.updatedAt })
    await tx.update(brands).set(after).where(eq(brands.slug, slug))
    await recordChange(tx, staff, 'brand.changed', slug, difference)
    return toStaffBrand(after)
  })
}

/** Runs a change in a transaction and has all servers read the catalog again, this one before it answers. */
async function changeCatalog<T>({ db, catalog }: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  // Only an empty table gets the built-in brands, so they must be there before this change.
  await readBrands(db)
  const result = await transaction(db, async (tx) => {
    await notify(tx, BRANDS_CHANNEL)
    return work(tx)
  })
  catalog.forget()
  return result
}

function merge(
  row: BrandRow,
  { minAmount, maxAmount, balanceChecked, ...change }: BrandChange,
  today: string,
): BrandRow {
  const given = Object.entries({ ...change, minimum: minAmount, maximum: maxAmount })
  const after: BrandRow = { ...row, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) }
  if (!after.balanceUrl && !after.balancePhone) return { ...after, balanceCheckedOn: null }
  const isNew = after.balanceUrl !== row.balanceUrl || after.balancePhone !== row.balancePhone
  return balanceChecked || isNew ? { ...after, balanceCheckedOn: today } : after
}

function requireLimits({ minimum, maximum }: { minimum: number; maximum: number }): void {
  if (minimum < maximum) return
  throw invalid([{ path: 'maxAmount', code: 'maximum_too_low' }])
}

/** The changed fields of the wire format, each with both values. */
function compare(before: BrandRow, after: BrandRow): AuditDetails {
  const wireOf = (row: BrandRow) => z.encode(staffBrand, toStaffBrand(row))
  const [from, to] = [wireOf(before), wireOf(after)]
  const fields = Object.keys(from) as (keyof typeof from)[]
  const changed = fields.filter(
    (field) => !['icon', 'updatedAt'].includes(field) && from[field] !== to[field],
  )
  return Object.fromEntries(changed.map((field) => [field, { from: from[field], to: to[field] }]))
}

function toStaffBrand(row: BrandRow): StaffBrandAnswer {
  return { ...row, ...toBrandAnswer(toBrand(row)) }
}

/** Refuses a slug or name that is another brand's spelling. Locks the table, so that no such brand is added at the same time. */
async function refuseSameBrand(
  tx: Transaction,
  { slug, name }: { slug: string; name: string },
): Promise<void> {
  await tx.execute(sql`lock table brands in share row exclusive mode`)
  // The unique index refuses the same slug.
  const others = (await selectBrands(tx)).filter((brand) => brand.slug !== slug).map(toBrand)
  for (const [path, text] of [
    ['value', slug],
    ['name', name],
  ] as const) {
    const same = listedBrand(text, others)
    if (same) {
      const params = { name: same.name }
      throw refusedFields('taken', [{ path, code: 'brand_known', params }])
    }
  }
}

function recordChange(
  tx: Transaction,
  actor: Staff,
  action: 'brand.added' | 'brand.changed',
  id: string,
  details: AuditDetails,
): Promise<void> {
  return record(tx, { actor, action, subject: { kind: 'brand', id }, details })
}
