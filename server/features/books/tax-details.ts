import { and, desc, eq, sql } from 'drizzle-orm'
import type { TaxDetailsAnswer, TaxDetailsForm } from '#contract/tax-details.ts'
import { masked } from '#domain/card-number.ts'
import { toDecimal } from '#domain/money.ts'
import type { Role } from '#domain/roles.ts'
import { taxpayerNumber } from '#domain/tax-form.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Seller } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { auditLog, taxDetails } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { openRow, sealRow } from '#server/platform/vault/seal.ts'

/** What sellers enter for form 1099-K. Name, address and taxpayer number are sealed. */

const MAX_EXPORTS = 50

export async function readTaxDetails(context: Context, { id }: Seller): Promise<TaxDetailsAnswer> {
  const { db, keys, site } = context
  const [row] = await db.select().from(taxDetails).where(eq(taxDetails.userId, id))
  const opened = row && openAddress(keys, row)
  const { taxFormThreshold: threshold } = site
  return {
    asked: !row && (await isAbove(context, id)),
    threshold: threshold === undefined ? null : toDecimal(threshold),
    details: opened ? { ...opened, tin: masked(row.tinLastFour), updatedAt: row.updatedAt } : null,
    exports: await listExports(db, id),
  }
}

/** Whether the seller still has to enter details. */
export async function needsTaxDetails(context: Context, sellerId: string): Promise<boolean> {
  if (context.site.taxFormThreshold === undefined) return false
  if ((await context.db.$count(taxDetails, eq(taxDetails.userId, sellerId))) > 0) return false
  return isAbove(context, sellerId)
}

/** Saves the details. Throws `Refusal` if nobody asked for them: what is not needed is not kept. */
export async function saveTaxDetails(
  context: Context,
  seller: Seller,
  { tin: typed, ...address }: TaxDetailsForm,
): Promise<TaxDetailsAnswer> {
  const { id: userId } = seller
  const { asked, details } = await readTaxDetails(context, seller)
  if (!asked && !details) throw notFound()
  const tin = taxpayerNumber(typed) ?? ''
  const texts = { sealed_address: JSON.stringify(address), sealed_tin: tin }
  const { dataKey, sealed } = sealRow(context.keys, rowOf(userId), texts)
  const row = {
    dataKey,
    sealedAddress: sealed.sealed_address ?? Buffer.alloc(0),
    sealedTin: sealed.sealed_tin ?? Buffer.alloc(0),
    tinLastFour: tin.slice(-4),
    updatedAt: sql`now()`,
  }
  await transaction(context.db, async (tx) => {
    await tx
      .insert(taxDetails)
      .values({ userId, ...row })
      .onConflictDoUpdate({ target: taxDetails.userId, set: row })
    await record(tx, {
      actor: seller,
      action: 'seller.tax_details_saved',
      subject: { kind: 'seller', id: userId },
    })
  })
  return readTaxDetails(context, seller)
}

const rowOf = (row: string) => ({ table: 'tax_details', row })

type TaxRow = Pick<typeof taxDetails.$inferSelect, 'userId' | 'dataKey' | 'sealedAddress' | 'sealedTin'>

function openAddress(keys: KeyRing, row: TaxRow): Omit<TaxDetailsForm, 'tin'> {
  const { sealed_address: text } = openRow(keys, rowOf(row.userId), row.dataKey, {
    sealed_address: row.sealedAddress,
  })
  return JSON.parse(text ?? '{}')
}

/** Name, address and taxpayer number. The caller records that somebody saw them. Throws `VaultError` if they were changed. */
export function openTaxDetails(keys: KeyRing, row: TaxRow): TaxDetailsForm {
  const { sealed_tin: tin } = openRow(keys, rowOf(row.userId), row.dataKey, { sealed_tin: row.sealedTin })
  return { ...openAddress(keys, row), tin: tin ?? '' }
}

/** Whether a seller was paid more than the threshold in this year or the last one, whose forms are due early in this. */
async function isAbove({ db, site }: Context, sellerId: string): Promise<boolean> {
  if (site.taxFormThreshold === undefined) return false
  const { rows } = await db.execute(sql`
    select from payouts
    where seller_id = ${sellerId} and state = 'paid' and paid_at >= date_trunc('year', now() - interval '1 year', 'UTC')
    group by extract(year from paid_at at time zone 'UTC') having sum(amount + deducted) > ${site.taxFormThreshold}`)
  return rows.length > 0
}

/** When staff exported the seller's number, from the audit log. */
async function listExports(db: Executor, sellerId: string) {
  return await db
    .select({ at: auditLog.at, role: sql<Role>`${auditLog.details}->>'role'` })
    .from(auditLog)
    .where(and(eq(auditLog.action, 'seller.tax_details_exported'), eq(auditLog.subjectId, sellerId)))
    .orderBy(desc(auditLog.id))
    .limit(MAX_EXPORTS)
}
