import { type SQL, sql } from 'drizzle-orm'
import type { NextFilter, SubmissionAnswer } from '#contract/staff-submissions.ts'
import { MAX_COUNTED } from '#domain/counting.ts'
import { mayMoveFrom, type View, viewRules, views } from '#domain/queue.ts'
import type { Role } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { claimIfFree } from '#server/features/claims/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { cappedCount } from '#server/http/paging.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { hasOtherReviewer } from '../appeals.ts'
import { cardNumberIndex } from '../secrets.ts'
import { toWholeSubmission } from './actions.ts'
import { findStaffCard } from './queries.ts'
import { failedOf, findPage, isListed, type StaffFilter } from './search.ts'

/** How many submissions each view has, capped like the total of a list. Every submission belongs to one view besides `all`. */
export async function countViews({ db }: Context): Promise<Record<View, number>> {
  const counted = parts.map((view) => sql`${countView(view)} as ${sql.identifier(view)}`)
  const { rows } = await db.execute<Record<(typeof parts)[number], number>>(
    sql`select ${sql.join(counted, sql`, `)}`,
  )
  const counts = onlyRow(rows)
  const all = parts.reduce((sum, view) => sum + counts[view], 0)
  return { ...counts, all: Math.min(all, MAX_COUNTED + 1) }
}

const parts = views.filter((view) => view !== 'all')

/** Reads each status separately, because they have an index in this order. */
function countView(view: View): SQL {
  const reads = viewRules[view].statuses.map(
    (status) =>
      sql`(select from gift_cards where cleared_at is null and status = ${status} ${failedOf(view)} order by id desc)`,
  )
  return cappedCount(sql.join(reads, sql` union all `))
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
): Promise<SubmissionAnswer | undefined> {
  const wanted: StaffFilter = {
    view: filter.status ? 'all' : views.find((view) => isWorkedOn(view, staff.role)),
    ...filter,
    ...(filter.q && { numberIndex: cardNumberIndex(context.keys, filter.q) }),
    role: staff.role,
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
  viewRules[view].waitsForStaff && viewRules[view].statuses.some((status) => mayMoveFrom(role, status))

/** Candidates per query. A locked one is skipped, so this many people can ask at the same moment without waiting. */
const CANDIDATES = 100

/**
 * Locks the first submission that no other transaction has locked, or, if it waits, the first. The lock prevents moves but not
 * claims, which may therefore go first.
 */
async function lockNext(tx: Transaction, filter: StaffFilter, waits: boolean): Promise<string | undefined> {
  const { found, order, values } = await findPage(tx, { ...filter, limit: CANDIDATES })
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
