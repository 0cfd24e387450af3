import { desc, eq } from 'drizzle-orm'
import { recordReturned } from '#server/features/payouts/outcome.ts'
import type { Staff } from '#server/http/actor.ts'
import { administrators, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { TestApp } from './app.ts'

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
