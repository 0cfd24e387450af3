import { and, desc, eq, getTableColumns, lt, or, type SQL, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { Page } from '#contract/values.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { likePattern } from '#server/platform/database/queries.ts'
import { users } from '#server/platform/database/schema.ts'

export interface UserSearch {
  readonly q?: string | undefined
}
export type ListedUser = Awaited<ReturnType<typeof listUsers>>[number]

const { passwordHash: _, ...columns } = getTableColumns(users)

/** What has become of an account's submissions; reads that seller's rows only. */
const record = sql<{ submissions: number; completed: number; rejected: number }>`(
  select json_build_object(
    'submissions', count(*),
    'completed', count(*) filter (where status = 'completed'),
    'rejected', count(*) filter (where status = 'rejected')
  )
  from gift_cards where gift_cards.seller_id = users.id and gift_cards.cleared_at is null
)`

/** Newest first, one more than the limit when more follow. */
export async function listUsers(db: Executor, { q, limit, cursor }: UserSearch & Page) {
  return await db
    .select({ user: columns, record })
    .from(users)
    .where(and(search(q), cursor ? lt(users.id, cursor) : undefined))
    .orderBy(desc(users.id))
    .limit(limit + 1)
}

export async function countUsers(db: Executor, { q }: UserSearch): Promise<number> {
  return await db.$count(users, search(q))
}

function search(q: string | undefined): SQL | undefined {
  if (!q) return undefined
  const pattern = likePattern(q)
  return or(
    sql`lower(${users.username}) like ${pattern}`,
    sql`lower(${users.email}) like ${pattern}`,
    sql`lower(${users.firstName} || ' ' || ${users.lastName}) like ${pattern}`,
    isUuid(q) ? eq(users.id, q) : undefined,
  )
}
