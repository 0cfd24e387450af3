import { desc, eq } from 'drizzle-orm'
import type { WireBatch, WirePayout } from '#contract/payouts.ts'
import type { BatchState } from '#domain/payout.ts'
import { recordReturned } from '#server/features/payouts/outcome.ts'
import type { Staff } from '#server/http/actor.ts'
import { administrators, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { TestApp } from './app.ts'
import type { Person, TestAnswer } from './person.ts'
import { type CardFields, submittedIn } from './submissions.ts'

export async function latestPayoutOf({ db }: TestApp, giftCardId: string) {
  const own = eq(payouts.giftCardId, giftCardId)
  const [payout] = await db.select().from(payouts).where(own).orderBy(desc(payouts.number)).limit(1)
  if (!payout) throw new Error(`Submission ${giftCardId} has no payout`)
  return payout
}

/** Records that the latest payout of a submission came back. It was exported or paid. */
export async function payoutReturned(
  server: TestApp,
  giftCardId: string,
  why: { code?: string; reason?: string } = { code: 'R03' },
): Promise<void> {
  const { id } = await latestPayoutOf(server, giftCardId)
  const [admin] = await server.db.select().from(administrators).where(eq(administrators.username, 'admin'))
  if (!admin) throw new Error('There is no administrator')
  const { role, username } = admin
  const staff: Staff = { kind: 'staff', id: admin.id, username, role, needsSecondFactor: false, sid: '' }
  const { code: returnCode = null, reason: returnReason = null } = why
  await transaction(server.db, (tx) =>
    recordReturned(tx, server.context, staff, { id, returnCode, returnReason }),
  )
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
  state: Exclude<BatchState, 'void'>,
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
    exported: () => staff.get(`${pathOf(batch)}/file`),
  }
  const needed = (['open', 'frozen', 'released', 'exported'] as const).slice(1, ORDER[state])
  for (const step of needed) ok(await steps[step as keyof typeof steps]())
  return batch.id
}

const ORDER = { open: 1, frozen: 2, released: 3, exported: 4 } as const

/** A new open batch of these payouts, or of all that are ready. */
export async function batchOf(
  staff: Person,
  paymentType: string | readonly string[],
  payoutIds?: readonly string[],
): Promise<WireBatch> {
  return ok(await staff.post('/api/admin/payout-batches', { paymentType, payoutIds })).json
}

export const pathOf = ({ id }: { id: string }): string => `/api/admin/payout-batches/${id}`

function ok(answer: TestAnswer): TestAnswer {
  if (answer.status >= 400) throw new Error(`Answered ${answer.status}: ${answer.text}`)
  return answer
}
