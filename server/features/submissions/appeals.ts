import { and, desc, eq, inArray, isNull, ne } from 'drizzle-orm'
import { capabilities } from '#domain/roles.ts'
import { APPEAL_DAYS, type Move } from '#domain/submission.ts'
import type { Staff } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, giftCards, statusHistory } from '#server/platform/database/schema.ts'
import type { CardRow, LockedCard } from './queries.ts'

const APPEAL_MS = APPEAL_DAYS * 24 * 3600 * 1000

/** Until when the seller may appeal; null if they cannot. Every move updates the row, so a rejected one was rejected then. */
export function appealUntil({
  status,
  appealedAt,
  updatedAt,
}: Pick<CardRow, 'status' | 'appealedAt' | 'updatedAt'>) {
  return status === 'rejected' && appealedAt === null ? new Date(updatedAt.getTime() + APPEAL_MS) : null
}

/** Refuses a second appeal, one that comes too late, and one about a card that the seller has submitted again. */
export async function requireAppeal(
  tx: Transaction,
  card: LockedCard & Pick<CardRow, 'updatedAt' | 'secretsErasedAt'>,
): Promise<void> {
  const until = appealUntil(card)
  if (card.appealedAt) throw new Refusal('illegal_move', 'refusals.appealed_before')
  if (!until || until <= card.lockedAt) {
    throw new Refusal('illegal_move', 'refusals.appeal_too_late', { params: { days: APPEAL_DAYS } })
  }
  if (card.secretsErasedAt) throw new Refusal('erased', 'refusals.appeal_erased')
  if (await wasResubmitted(tx, card.id)) {
    throw new Refusal('illegal_move', 'refusals.appeal_resubmitted')
  }
}

/** Whether the seller has submitted a rejected card again. */
export async function wasResubmitted(db: Executor, id: string): Promise<boolean> {
  return (await db.$count(giftCards, eq(giftCards.resubmissionOf, id))) > 0
}

/** The person who rejected a submission may not decide on the appeal while another active reviewer exists. */
export async function requireSecondPerson(
  tx: Transaction,
  card: LockedCard,
  staff: Staff,
  { approves, name }: Move,
): Promise<void> {
  if (card.appealedAt === null || !(approves || name === 'reject')) return
  if ((await whoRejected(tx, card.id)) !== staff.id) return
  if (await hasOtherReviewer(tx, staff.id)) {
    throw new Refusal('second_person_needed', 'refusals.second_person_for_appeal')
  }
}

async function whoRejected(db: Executor, giftCardId: string): Promise<string | null | undefined> {
  const [last] = await db
    .select({ by: statusHistory.byId })
    .from(statusHistory)
    .where(and(eq(statusHistory.giftCardId, giftCardId), eq(statusHistory.toStatus, 'rejected')))
    .orderBy(desc(statusHistory.version))
    .limit(1)
  return last?.by
}

async function hasOtherReviewer(db: Executor, id: string): Promise<boolean> {
  const isOther = and(
    ne(administrators.id, id),
    isNull(administrators.disabledAt),
    inArray(administrators.role, [...capabilities.decide]),
  )
  return (await db.$count(administrators, isOther)) > 0
}
