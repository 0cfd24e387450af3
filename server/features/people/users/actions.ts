import type { StaffUser } from '#contract/staff.ts'
import type { Page } from '#contract/values.ts'
import type { Context } from '#server/context.ts'
import * as queries from './queries.ts'

/** A page of accounts for staff, and how many there are in all. */
export async function listUsers({ db }: Context, filter: queries.UserSearch & Page) {
  const [rows, total] = await Promise.all([queries.listUsers(db, filter), queries.countUsers(db, filter)])
  return { rows: rows.map(toStaffUser), total }
}

function toStaffUser({ user, record }: queries.ListedUser): StaffUser {
  return { ...user, ...record, createdAt: user.createdAt.toISOString() }
}
