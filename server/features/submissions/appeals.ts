import { and, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { referenceOf } from '#domain/reference.ts'
import { rolesThatMay } from '#domain/roles.ts'
import { APPEAL_DAYS, decides, type Move, movesFrom, statuses } from '#domain/submission.ts'
import type { Staff } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, giftCards } from '#server/platform/database/schema.ts'
import { type CardRow, type LockedCard, notCleared, statusList } from './queries.ts'

const APPEAL_MS = APPEAL_DAYS * 24 * 3600 * 1000

/** The end of the time for an appeal. */
export const appealEnd = (rejectedAt: Date) => new Date(rejectedAt.getTime() + APPEAL_MS)

/** Until when the seller may appeal; null if they cannot. Every move updates the row, so a rejected one was rejected then. */
export function appealUntil({
  status,
  appealedAt,
  updatedAt,
}: Pick<CardRow, 'status' | 'appealedAt' | 'updatedAt'>) {
  return status === 'rejected' && appealedAt === null ? appealEnd(updatedAt) : null
}

/** Refuses a second appeal, a late one, and one about a card that the seller has submitted again. */
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

/**
 * Refuses to revert the rejection of a card that the seller has submitted again: both submissions could be paid. The numbers of
 * the two may differ, because sellers correct them. A withdrawn one does not count, because nothing can follow it.
 */
export async function requireNotResubmitted(
  tx: Transaction,
  card: LockedCard,
  { name, from }: Move,
): Promise<void> {
  if (name !== 'revert' || from !== 'rejected') return
  const [later] = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(eq(giftCards.resubmissionOf, card.id), ne(giftCards.status, 'cancelled'), notCleared))
  if (!later) return
  const params = { reference: referenceOf(later.id) }
  throw new Refusal('illegal_move', 'refusals.revert_resubmitted', { params })
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
  move: Move,
): Promise<void> {
  if (decides(move) && (await needsSecondPerson(tx, card, staff))) {
    throw new Refusal('second_person_needed', 'refusals.second_person_for_appeal')
  }
}

/** Whether somebody else has to decide on the submission, because it is an appeal against a rejection by this person. */
export async function needsSecondPerson(
  db: Executor,
  { id, appealedAt }: Pick<CardRow, 'id' | 'appealedAt'>,
  staff: Staff,
): Promise<boolean> {
  if (appealedAt === null) return false
  const isOwn = and(eq(giftCards.id, id), isAppealAgainst(staff.id))
  return (await db.$count(giftCards, isOwn)) > 0 && hasOtherReviewer(db, staff)
}

/** Who made the last rejection that was not undone, for queries of gift_cards. */
const whoRejected = sql<string | null>`(
  select by_id from status_history
  where status_history.gift_card_id = gift_cards.id and to_status = 'rejected' and not exists (
    select from status_history as next
    where next.gift_card_id = gift_cards.id and next.version = status_history.version + 1 and next.move = 'undo'
  )
  order by version desc limit 1
)`

const undecided = statuses.filter((status) => movesFrom(status, 'staff').some(decides))

/** Whether the submission is an open appeal against a rejection by this person, for queries of gift_cards. */
export const isAppealAgainst = (staffId: string): SQL =>
  sql`(
    gift_cards.appealed_at is not null and gift_cards.status in (${statusList(undecided)})
    and ${whoRejected} = ${staffId}
  )`

/** Whether another active person may decide on submissions. */
export async function hasOtherReviewer(db: Executor, { id }: Pick<Staff, 'id'>): Promise<boolean> {
  const isOther = and(
    ne(administrators.id, id),
    isNull(administrators.disabledAt),
    inArray(administrators.role, rolesThatMay('decide')),
  )
  return (await db.$count(administrators, isOther)) > 0
}
