import { may, type Role } from './roles.ts'
import { finalStatuses, movesFrom, type Status, statuses } from './submission.ts'

/** The views of the review desk. Each is a list of submissions in some statuses. */

export const views = ['review', 'waiting', 'offered', 'pay', 'done', 'all'] as const
export type View = (typeof views)[number]

/** By the time of submission. */
export const sortOrders = ['oldest', 'newest'] as const
export type SortOrder = (typeof sortOrders)[number]

/** Maximum submissions that a call for the next one can leave out. */
export const MAX_PASSED = 200

interface ViewRule {
  readonly statuses: readonly Status[]
  /** Of the failed ones, only those whose seller is asked for another payout account, or all others. */
  readonly failed?: 'account' | 'others'
  /** The order, unless a request names one. */
  readonly sort: SortOrder
  /** Submissions that the seller has answered come before all others. */
  readonly answeredFirst?: true
  /** They wait for staff, so their age matters. */
  readonly waitsForStaff?: true
}

export const viewRules: Readonly<Record<View, ViewRule>> = {
  review: { statuses: ['pending'], sort: 'oldest', answeredFirst: true, waitsForStaff: true },
  waiting: { statuses: ['under_review', 'failed'], failed: 'account', sort: 'oldest' },
  offered: { statuses: ['offered'], sort: 'oldest' },
  pay: { statuses: ['processing'], sort: 'oldest', waitsForStaff: true },
  done: { statuses: finalStatuses, failed: 'others', sort: 'newest' },
  all: { statuses, sort: 'newest' },
}

/** Whether submissions with this status wait for staff. */
export function waitsForStaff(status: Status): boolean {
  return views.some((view) => viewRules[view].waitsForStaff && viewRules[view].statuses.includes(status))
}

/** Whether a role can move a submission with this status. */
export function mayMoveFrom(role: Role, status: Status): boolean {
  return movesFrom(status, 'staff').some(({ may: needed = [] }) =>
    needed.some((capability) => may(role, capability)),
  )
}
