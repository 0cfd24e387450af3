import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { WireBatch, WirePayout } from '#contract/payouts.ts'
import { type BatchState, fileKindOf } from '#domain/payout.ts'
import { batchPayouts, exportPayouts, releasePayouts } from '#server/features/books/payouts.ts'
import { recordPaid, recordReturned } from '#server/features/payouts/outcome.ts'
import type { Staff } from '#server/http/actor.ts'
import { administrators, payoutBatches, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { TestApp } from './app.ts'
import { accepted, type Person, type TestAnswer } from './person.ts'
import { type CardFields, submittedIn } from './submissions.ts'

export async function latestPayoutOf({ db }: TestApp, giftCardId: string) {
  const own = eq(payouts.giftCardId, giftCardId)
  const [payout] = await db.select().from(payouts).where(own).orderBy(desc(payouts.number)).limit(1)
  if (!payout) throw new Error(`Submission ${giftCardId} has no payout`)
  return payout
}

/**
 * Puts the latest payouts of submissions into an exported batch, even if the rules keep them out. `batchIn` takes the steps that
 * staff take. @returns the batch's id
 */
export async function exportedBatch(
  server: TestApp,
  giftCardIds: readonly string[],
  { expectedOn = null }: { expectedOn?: string | null } = {},
): Promise<string> {
  const { db } = server
  const due = and(inArray(payouts.giftCardId, [...giftCardIds]), eq(payouts.state, 'due'))
  const found = await db.select().from(payouts).where(due).orderBy(payouts.number)
  const { id: createdBy } = await administrator(server)
  const [first] = found
  if (!first) throw new Error('No payout is due')
  const id = randomUUID()
  await db.insert(payoutBatches).values({
    id,
    fileKind: fileKindOf(first.paymentType),
    paymentTypes: [...new Set(found.map(({ paymentType }) => paymentType))],
    state: 'exported',
    count: found.length,
    total: found.reduce((total, { amount }) => total + amount, 0),
    createdBy,
    expectedOn,
  })
  const payoutIds = found.map((payout) => payout.id)
  await transaction(db, async (tx) => {
    await batchPayouts(tx, id, payoutIds)
    await releasePayouts(tx, id)
    await exportPayouts(tx, id)
  })
  return id
}

/** Records that the bank or service has paid the latest payout of a submission, which was exported. */
export async function payoutPaid(server: TestApp, giftCardId: string, reference: string): Promise<void> {
  const { id } = await latestPayoutOf(server, giftCardId)
  const staff = await administrator(server)
  await transaction(server.db, (tx) => recordPaid(tx, server.context, staff, { id, reference }))
}

/** Records that the latest payout of a submission came back. It was exported or paid. */
export async function payoutReturned(
  server: TestApp,
  giftCardId: string,
  { code = null, reason = null }: { code?: string | null; reason?: string | null } = { code: 'R03' },
): Promise<void> {
  const { id } = await latestPayoutOf(server, giftCardId)
  const staff = await administrator(server)
  await transaction(server.db, (tx) =>
    recordReturned(tx, server.context, staff, { id, returnCode: code, returnReason: reason }),
  )
}

async function administrator({ db }: TestApp): Promise<Staff> {
  const [admin] = await db.select().from(administrators).where(eq(administrators.username, 'admin'))
  if (!admin) throw new Error('There is no administrator')
  const { id, username, role } = admin
  return { kind: 'staff', id, username, role, needsSecondFactor: false, sid: '' }
}

/** The payout of a new approved submission. The seller's email is confirmed. */
export async function duePayout(
  server: TestApp,
  seller: Person,
  staff: Person,
  fields: CardFields = {},
): Promise<WirePayout> {
  await server.pool.query('update users set verified = true where id = $1', [seller.id])
  const submissionId = await submittedIn('processing', { seller, staff }, fields)
  const [payout] = (await staff.get(`/api/admin/payouts?q=${submissionId}`)).json
  return payout
}

/** A batch of one new payout, frozen by `fred`, a payer. Returns its id. */
export async function batchIn(
  state: Exclude<BatchState, 'settled' | 'rejected' | 'void'>,
  server: TestApp,
  seller: Person,
  staff: Person,
  fields: CardFields = {},
): Promise<string> {
  const { id, paymentType } = await duePayout(server, seller, staff, fields)
  const batch = await batchOf(staff, paymentType, [id])
  const fred = await server.staff('fred', 'payer')
  const steps = {
    frozen: () => fred.post(`${pathOf(batch)}/freeze`),
    released: () => staff.post(`${pathOf(batch)}/release`),
    exported: () => staff.post(`${pathOf(batch)}/file`),
  }
  const needed = (['open', 'frozen', 'released', 'exported'] as const).slice(1, ORDER[state])
  for (const step of needed) await accepted(steps[step as keyof typeof steps]())
  return batch.id
}

const ORDER = { open: 1, frozen: 2, released: 3, exported: 4 } as const

/** A new open batch of these payouts, or of all that are ready. */
export async function batchOf(
  staff: Person,
  paymentType: string | readonly string[],
  payoutIds?: readonly string[],
): Promise<WireBatch> {
  const created = await accepted(staff.post('/api/admin/payout-batches', { paymentType, payoutIds }))
  return created.json
}

/** Marks a batch as exported, and downloads its file. */
export async function downloadFile(staff: Person, batch: { id: string }): Promise<TestAnswer> {
  const url = `${pathOf(batch)}/file`
  const exported = await staff.post(url)
  return exported.status === 200 ? staff.get(url) : exported
}

export const pathOf = ({ id }: { id: string }): string => `/api/admin/payout-batches/${id}`
