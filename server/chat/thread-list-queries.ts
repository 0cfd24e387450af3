import { and, desc, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { ThreadsPage } from '#contract/staff-chat.ts'
import type { Executor } from '#server/database/pool.ts'
import { administrators, chatMessages, chatThreads, contactSessions, users } from '#server/database/schema.ts'
import { likePattern } from '#server/database/search-text.ts'
import { customer } from './thread-queries.ts'

export type ListedThreadRow = Awaited<ReturnType<typeof listThreads>>[number]

/** Newest message first, with another member of staff who is writing there just now. */
export async function listThreads(db: Executor, staffId: string, { cursor, limit, ...choice }: ThreadsPage) {
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
    .where(newest(choice, cursor, limit + 1))
    .orderBy(desc(chatThreads.lastMessageNumber))
    .limit(limit + 1)
}

export async function countThreads(db: Executor, choice: ThreadChoice): Promise<number> {
  const { q } = choice
  if (!q) return await db.$count(chatThreads, asked(choice))
  const counts = lookUps(q).map(
    (found) => sql`(select count(*) from ${chatThreads} where ${and(found, asked(choice))})`,
  )
  const { rows } = await db.execute<{ count: number }>(sql`
    select (${sql.join(counts, sql` + `)})::integer as count`)
  return rows[0]?.count ?? 0
}

type ThreadChoice = Pick<ThreadsPage, 'q' | 'id' | 'userId'>

/** The one thread that is asked for, if one is. */
function asked({ id, userId }: ThreadChoice): SQL | undefined {
  return and(
    id === undefined ? undefined : eq(chatThreads.id, id),
    userId === undefined ? undefined : eq(chatThreads.userId, userId),
  )
}

/** The page is cut out of each look-up by itself, so that a common name in the one doesn't slow down the other. */
function newest(choice: ThreadChoice, cursor: string | undefined, limit: number): SQL | undefined {
  const before = cursor ? lt(chatThreads.lastMessageNumber, Number(cursor)) : undefined
  if (!choice.q) return and(asked(choice), before)
  const pages = lookUps(choice.q).map(
    (found) => sql`(
      select ${chatThreads.id} from ${chatThreads} where ${and(before, asked(choice), found)}
      order by ${chatThreads.lastMessageNumber} desc limit ${limit}
    )`,
  )
  return sql`${chatThreads.id} in (${sql.join(pages, sql` union all `)})`
}

/** The customer's name or e-mail has the text somewhere in it, whatever the case; no thread is found by both. */
function lookUps(q: string): SQL[] {
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
