import { and, desc, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { ThreadsPage } from '#contract/staff-chat.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { likePattern } from '#server/platform/database/queries.ts'
import {
  administrators,
  chatMessages,
  chatThreads,
  contactSessions,
  users,
} from '#server/platform/database/schema.ts'
import { customer } from './queries.ts'

export type ListedThreadRow = Awaited<ReturnType<typeof listThreads>>[number]

/** The thread with the newest message first; `answeringBy` is another administrator who is answering it now. */
export async function listThreads(db: Executor, staffId: string, { cursor, limit, ...filter }: ThreadsPage) {
  return await db
    .select({
      thread: chatThreads,
      ...customer,
      answeringBy: administrators.username,
      lastIsReply: chatMessages.isAdminReply,
    })
    .from(chatThreads)
    .leftJoin(chatMessages, eq(chatMessages.number, chatThreads.lastMessageNumber))
    .leftJoin(users, eq(users.id, chatThreads.userId))
    .leftJoin(contactSessions, eq(contactSessions.id, chatThreads.contactSessionId))
    .leftJoin(
      administrators,
      and(
        eq(administrators.id, chatThreads.answeringBy),
        ne(administrators.id, staffId),
        gt(chatThreads.answeringUntil, sql`now()`),
      ),
    )
    .where(newest(filter, cursor, limit + 1))
    .orderBy(desc(chatThreads.lastMessageNumber))
    .limit(limit + 1)
}

export async function countThreads(db: Executor, filter: ThreadFilter): Promise<number> {
  const { q } = filter
  if (!q) return await db.$count(chatThreads, filtered(filter))
  const counts = matches(q).map(
    (found) => sql`(select count(*) from ${chatThreads} where ${and(found, filtered(filter))})`,
  )
  const { rows } = await db.execute<{ count: number }>(sql`
    select (${sql.join(counts, sql` + `)})::integer as count`)
  return rows[0]?.count ?? 0
}

type ThreadFilter = Pick<ThreadsPage, 'q' | 'id' | 'userId'>

function filtered({ id, userId }: ThreadFilter): SQL | undefined {
  return and(
    id === undefined ? undefined : eq(chatThreads.id, id),
    userId === undefined ? undefined : eq(chatThreads.userId, userId),
  )
}

/** Sellers and visitors are searched separately, each up to one page, so that a common name in one doesn't slow the other. */
function newest(filter: ThreadFilter, cursor: string | undefined, limit: number): SQL | undefined {
  const before = cursor ? lt(chatThreads.lastMessageNumber, Number(cursor)) : undefined
  if (!filter.q) return and(filtered(filter), before)
  const pages = matches(filter.q).map(
    (found) => sql`(
      select ${chatThreads.id} from ${chatThreads} where ${and(before, filtered(filter), found)}
      order by ${chatThreads.lastMessageNumber} desc limit ${limit}
    )`,
  )
  return sql`${chatThreads.id} in (${sql.join(pages, sql` union all `)})`
}

/** Threads whose customer's name or email contains the text, in any case. No thread matches both. */
function matches(q: string): SQL[] {
  const pattern = likePattern(q)
  return [
    sql`${chatThreads.userId} in (
      select id from users where lower(username) like ${pattern} or lower(email) like ${pattern}
    )`,
    sql`${chatThreads.contactSessionId} in (
      select id from contact_sessions
      where lower(first_name || ' ' || last_name) like ${pattern} or lower(email) like ${pattern}
    )`,
  ]
}
