import { and, eq, isNull, sql } from 'drizzle-orm'
import type { SubmissionAnswer } from '#contract/staff-submissions.ts'
import { explainedStatuses, findMove, withoutUndone } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { cancelPushes } from '#server/features/notifications/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, jobs } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { wasResubmitted } from '../appeals.ts'
import { insertHistory, listHistory, mailKey, moveNameOf } from '../history.ts'
import { publishMove, requireVersion, storeText, updateBooks } from '../move.ts'
import { lockCard } from '../queries.ts'
import { openReason } from '../reasons.ts'
import { readSubmission } from './actions.ts'

/**
 * Undoes the person's own last move while its email is still waiting, and cancels the email. The history and the audit log
 * keep both. Throws `undo_too_late` once the email is due, if there was none to wait for, and if the seller has submitted the
 * rejected card again.
 *
 * @param version the one that the move made
 */
export async function undoMove(
  context: Context,
  staff: Staff,
  id: string,
  version: number,
): Promise<SubmissionAnswer> {
  await transaction(context.db, async (tx) => {
    const card = await lockCard(tx, id)
    if (!card) throw notFound()
    await requireVersion(tx, card, 'staff', version)
    const [before, last] = withoutUndone(await listHistory(tx, id), ({ entry }) => entry.move).slice(-2)
    const to = last?.entry.fromStatus
    if (!before || !last || !to) throw tooLate()
    if (last.entry.version !== version || last.entry.byId !== staff.id) throw tooLate()
    // An email that follows a receipt waits too, whatever the move.
    if (!findMove(to, card.status, 'staff')?.undoable) throw tooLate()
    if (await wasResubmitted(tx, id)) throw tooLate()
    if (!(await cancelMail(tx, { giftCardId: id, version }))) throw tooLate()
    await cancelPushes(tx, { giftCardId: id, version })
    const wasAnswered = ['answer', 'appeal'].includes(moveNameOf(before.entry))
    // The text of the earlier status is sealed again, because each is bound to its version.
    const text = explainedStatuses.includes(to)
      ? (openReason(context, context.words.en, 'seller', card, before.entry.version, before.entry) ??
        undefined)
      : undefined
    const { dataKey, stored } = storeText(context, card, version + 1, before.entry.byKind, text)
    await tx
      .update(giftCards)
      .set({ status: to, version: version + 1, answered: wasAnswered, dataKey, updatedAt: card.lockedAt })
      .where(eq(giftCards.id, id))
    await insertHistory(tx, {
      giftCardId: id,
      version: version + 1,
      fromStatus: card.status,
      toStatus: to,
      ...stored,
      move: 'undo',
      byKind: 'staff',
      byId: staff.id,
      at: card.lockedAt,
    })
    await updateBooks(tx, context, card, {
      actor: staff,
      price: card.sellingPrice,
      from: card.status,
      to,
      isUndo: true,
    })
    await record(tx, {
      actor: staff,
      action: 'submission.undone',
      subject: { kind: 'submission', id },
      details: { from: card.status, to },
    })
    await publishMove(tx, card, { to })
  })
  return readSubmission(context, staff, id)
}

const tooLate = () => new Refusal('undo_too_late', 'refusals.undo_too_late')

/** Removes the email of a move if it is not due yet. A worker takes only due ones, so it cannot have this one. */
async function cancelMail(tx: Transaction, move: { giftCardId: string; version: number }): Promise<boolean> {
  const canceled = await tx
    .delete(jobs)
    .where(
      and(
        eq(jobs.kind, 'statusMail'),
        eq(jobs.key, mailKey(move)),
        isNull(jobs.doneAt),
        eq(jobs.attempts, 0),
        sql`${jobs.runAt} > now()`,
      ),
    )
    .returning({ id: jobs.id })
  return canceled.length > 0
}
