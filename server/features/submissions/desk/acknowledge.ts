import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Acknowledgement, SubmissionAnswer } from '#contract/staff-submissions.ts'
import { maskNumbers } from '#domain/card-number.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { giftCards, riskAcknowledgements } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { lockCard } from '../queries.ts'
import { sealText } from '../reasons.ts'
import { acknowledgementContext } from '../secrets.ts'
import { readSubmission } from './actions.ts'
import { readRisks } from './risks.ts'

/** Accepts a risk that the submission has now. The reason is sealed with the submission, and in the audit log without numbers. */
export async function acknowledgeRisk(
  context: Context,
  staff: Staff,
  id: string,
  { code, reason }: Acknowledgement,
): Promise<SubmissionAnswer> {
  await transaction(context.db, async (tx) => {
    const card = await lockCard(tx, id)
    if (!card) throw notFound()
    const risk = (await readRisks(tx, context, staff, card)).find((found) => found.code === code)
    if (!risk) throw new Refusal('risk_gone', 'refusals.risk_gone')
    const row = uuidv7({ msecs: card.lockedAt.getTime() })
    const { dataKey, sealed } = sealText(context.keys, card, acknowledgementContext(row), reason)
    // An erased submission gets a new key.
    if (!card.dataKey) await tx.update(giftCards).set({ dataKey }).where(eq(giftCards.id, id))
    await tx.insert(riskAcknowledgements).values({
      id: row,
      giftCardId: id,
      code,
      otherId: risk.submissionId,
      sealedReason: sealed,
      byId: staff.id,
      at: card.lockedAt,
    })
    await record(tx, {
      actor: staff,
      action: 'submission.risk_acknowledged',
      subject: { kind: 'submission', id },
      details: { code, reason: maskNumbers(reason) },
    })
  })
  return readSubmission(context, staff, id)
}
