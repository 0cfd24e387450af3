import { sql } from 'drizzle-orm'
import type { NextFilter, StaffSubmission } from '#contract/staff-submissions.ts'
import { mayMoveFrom, type View, viewRules, views } from '#domain/queue.ts'
import type { Role } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { claimIfFree } from '#server/features/claims/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, submissionCounts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { hasOtherReviewer } from '../appeals.ts'
import { cardNumberIndex } from '../secrets.ts'
import { toWholeSubmission } from './actions.ts'
import { findStaffCard } from './queries.ts'
import { findPage, isListed, type StaffFilter } from './search.ts'

/** How many submissions each view has, from the counts that database triggers keep. */
export async function countViews({ db }: Context): Promise<Record<View, number>> {
  const { status, count } = submissionCounts
  const rows = await db
    .select({ status, count: sql`sum(${count})`.mapWith(Number) })
    .from(submissionCounts)
    .groupBy(status)
  const counts = new Map(rows.map((row) => [row.status, row.count]))
  const countOf = (view: View) =>
    viewRules[view].statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
  return Object.fromEntries(views.map((view) => [view, countOf(view)])) as Record<View, number>
}

/**
 * Claims the oldest submission that nobody has claimed and that this person may decide on, an answered one before all others.
 * Two administrators who ask at the same time get different ones.
 * @returns undefined if there is none
 */
export async function claimNext(
  context: Context,
  staff: Staff,
  filter: NextFilter,
): Promise<StaffSubmission | undefined> {
  const wanted: StaffFilter = {
    view: filter.status ? 'all' : views.find((view) => isWorkedOn(view, staff.role)),
    ...filter,
    ...(filter.q && { numberIndex: cardNumberIndex(context.keys, filter.q) }),
    movableBy: staff.role,
    ...((await hasOtherReviewer(context.db, staff)) && { notAgainst: staff.id }),
    sort: 'oldest',
    claimed: 'none',
  }
  for (let waits = false; ; ) {
    const found = await transaction(context.db, async (tx) => {
      const id = await lockNext(tx, wanted, waits)
      if (id === undefined) return undefined
      // It may have been claimed after the query began, which the next query sees.
      return (await claimIfFree(tx, staff, id)) ? findStaffCard(tx, id) : 'claimed'
    })
    if (found === 'claimed') continue
    if (found) return toWholeSubmission(found, context, staff)
    // All that are free may be locked by others for a moment.
    if (waits) return undefined
    waits = true
  }
}

const isWorkedOn = (view: View, role: Role) =>
  viewRules[view].statuses.some((status) => mayMoveFrom(role, status))

/** Candidates per query. A locked one is skipped, so this many people can ask at the same moment without waiting. */
const CANDIDATES = 100

/**
 * Locks the first submission that no other transaction has locked, or, if it waits, the first. The lock prevents moves but not
 * claims, which may therefore go first.
 */
async function lockNext(tx: Transaction, filter: StaffFilter, waits: boolean): Promise<string | undefined> {
  const { found, order, values } = findPage({ ...filter, limit: CANDIDATES })
  const rows = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .innerJoin(found, sql`found.id = ${giftCards.id}`)
    // It may have been moved since the query began. PostgreSQL checks this again after locking.
    .where(isListed(filter))
    .orderBy(order)
    .limit(1)
    .for('no key update', { of: giftCards, ...(!waits && { skipLocked: true }) })
    .prepare('')
    .execute(values)
  return rows[0]?.id
}
