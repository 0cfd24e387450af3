import { and, desc, eq, getTableColumns, lt, or, type SQL, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { StaffUser } from '#contract/staff.ts'
import type { Page } from '#contract/values.ts'
import { endOfReference } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { likePattern } from '#server/platform/database/queries.ts'
import { users } from '#server/platform/database/schema.ts'

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
export async function listUsers({ db }: Context, { q, limit, cursor }: { q?: string | undefined } & Page) {
  const [rows, total] = await Promise.all([
    db
      .select({ user: columns, record })
      .from(users)
      .where(and(matches(q), cursor ? lt(users.id, cursor) : undefined))
      .orderBy(desc(users.id))
      .limit(limit + 1),
    db.$count(users, matches(q)),
  ])
  return { rows: rows.map(toStaffUser), total }
}

function matches(q: string | undefined): SQL | undefined {
  if (!q) return undefined
  const pattern = likePattern(q)
  const end = endOfReference(q)
  return or(
    sql`lower(${users.username}) like ${pattern}`,
    sql`lower(${users.email}) like ${pattern}`,
    sql`lower(${users.firstName} || ' ' || ${users.lastName}) like ${pattern}`,
    isUuid(q) ? eq(users.id, q) : undefined,
    end ? sql`right(${users.id}::text, 8) = ${end}` : undefined,
  )
}

function toStaffUser({ user, record }: ListedUser): StaffUser {
  return { ...user, ...record, createdAt: user.createdAt.toISOString() }
}

interface ListedUser {
  readonly user: Omit<typeof users.$inferSelect, 'passwordHash'>
  readonly record: { submissions: number; completed: number; rejected: number }
}
