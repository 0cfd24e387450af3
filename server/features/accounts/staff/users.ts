import { and, desc, getTableColumns, lt, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import type { Context } from '#server/context.ts'
import type { Staff } from '#server/http/actor.ts'
import { countRows } from '#server/http/paging.ts'
import { users } from '#server/platform/database/schema.ts'
import { sellerMatches } from '../seller-search.ts'

const { passwordHash: _, ...columns } = getTableColumns(users)

/** The number of the seller's submissions by outcome. */
const record = sql<{ submissions: number; completed: number; rejected: number }>`(
  select json_build_object(
    'submissions', count(*),
    'completed', count(*) filter (where status = 'completed'),
    'rejected', count(*) filter (where status = 'rejected')
  )
  from gift_cards where gift_cards.seller_id = users.id and gift_cards.cleared_at is null
)`

/** A page of sellers, newest first, with one more row than the limit if more follow, and the total. */
export async function listUsers(
  { db }: Context,
  { role }: Pick<Staff, 'role'>,
  { q, limit, cursor }: { q?: string | undefined } & Page,
) {
  const matches = q ? sellerMatches(q, role) : undefined
  const [rows, total] = await Promise.all([
    db
      .select({ ...columns, record })
      .from(users)
      .where(and(matches, cursor ? lt(users.id, cursor) : undefined))
      .orderBy(desc(users.id))
      .limit(limit + 1),
    countRows(db, users, matches),
  ])
  return { rows: rows.map(({ record, ...user }) => ({ ...user, ...record })), total }
}
