import { and, asc, desc, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { ThreadsPage } from '#contract/staff-chat.ts'
import { countedLists, type ThreadListName, type ThreadState } from '#domain/chat.ts'
import { sellerMatches } from '#server/features/accounts/seller-search.ts'
import type { Staff } from '#server/http/actor.ts'
import { cappedCount, countRows } from '#server/http/paging.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { likePattern, onlyRow } from '#server/platform/database/queries.ts'
import {
  administrators,
  chatMessages,
  chatThreads,
  contactSessions,
  giftCards,
  users,
} from '#server/platform/database/schema.ts'
import { about, customer, isAbout } from './queries.ts'

type Reader = Pick<Staff, 'id' | 'role'>

export type ListedThreadRow = Awaited<ReturnType<typeof listThreads>>[number]

const assignees = alias(administrators, 'assignees')

const state = sql<ThreadState>`case
  when ${chatThreads.closedAt} is not null then 'closed'
  when ${chatThreads.snoozedUntil} > now() then 'snoozed'
  else 'open'
end`

/** When the customer wrote the first message after the last reply. */
const waitingSince: SQL<Date | null> = sql`case when ${chatThreads.closedAt} is null then (
  select created_at from chat_messages where number = ${chatThreads.unansweredNumber}
) end`.mapWith(chatMessages.createdAt)

/** What a list is sorted by. A page starts after the value of the last row. */
export const sortKeys = { newest: 'lastMessageNumber', waiting: 'waitingRank' } as const

/** One page of threads. `answeringBy` is another administrator who is writing a reply. */
export async function listThreads(db: Executor, staff: Reader, page: ThreadsPage) {
  const { limit } = page
  return await db
    .select({
      thread: chatThreads,
      ...customer,
      about,
      answeringBy: administrators.username,
      lastIsReply: chatMessages.isAdminReply,
      waitingSince,
      state,
      assignee: assignees.username,
      assigner: sql<
        string | null
      >`(select username from administrators where id = ${chatThreads.assignedBy})`,
    })
    .from(chatThreads)
    .leftJoin(chatMessages, eq(chatMessages.number, chatThreads.lastMessageNumber))
    .leftJoin(users, eq(users.id, chatThreads.userId))
    .leftJoin(contactSessions, eq(contactSessions.id, chatThreads.contactSessionId))
    .leftJoin(giftCards, isAbout)
    .leftJoin(
      administrators,
      and(
        eq(administrators.id, chatThreads.answeringBy),
        ne(administrators.id, staff.id),
        gt(chatThreads.answeringUntil, sql`now()`),
      ),
    )
    .leftJoin(assignees, eq(assignees.id, chatThreads.assignedTo))
    .where(onPage(staff, page))
    .orderBy(orderOf(page))
    .limit(limit + 1)
}

export async function countThreads(db: Executor, staff: Reader, filter: ThreadFilter): Promise<number> {
  const { q } = filter
  const conditions = filtered(staff.id, filter)
  if (!q) return await countRows(db, chatThreads, conditions)
  const counts = await Promise.all(
    matches(q, staff).map((found) => countRows(db, chatThreads, and(found, conditions))),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

export async function countLists(db: Executor, staffId: string): Promise<ListCounts> {
  const counts = countedLists.map(
    (list) =>
      sql`${cappedCount(sql`select from ${chatThreads} where ${listCondition(list, staffId)}`)} as ${sql.identifier(list)}`,
  )
  return onlyRow((await db.execute<ListCounts>(sql`select ${sql.join(counts, sql`, `)}`)).rows)
}

type ListCounts = Record<(typeof countedLists)[number], number>

type ThreadFilter = Pick<ThreadsPage, 'q' | 'show' | 'id' | 'userId'>

function filtered(staffId: string, { show, id, userId }: ThreadFilter): SQL | undefined {
  return and(
    show && listCondition(show, staffId),
    id === undefined ? undefined : eq(chatThreads.id, id),
    userId === undefined ? undefined : eq(chatThreads.userId, userId),
  )
}

/** A thread that waits for no reply has a rank above this, by the definition of the column. Read from the index. */
const ANSWERED_RANK = 1_000_000_000_000_000

/** Each list has an index on these conditions. */
function listCondition(list: ThreadListName, staffId: string): SQL {
  const { assignedTo, closedAt, snoozedUntil, staffUnread, waitingRank } = chatThreads
  const open = sql`${closedAt} is null and (${snoozedUntil} is null or ${snoozedUntil} <= now())`
  switch (list) {
    case 'open':
      return open
    case 'snoozed':
      return sql`${snoozedUntil} > now()`
    case 'closed':
      return sql`${closedAt} is not null`
    case 'waiting':
      return sql`${open} and ${waitingRank} < ${ANSWERED_RANK}`
    case 'unread':
      return sql`${staffUnread} > 0`
    case 'mine':
      return sql`${assignedTo} = ${staffId} and ${open}`
  }
}

function orderOf({ sort }: Pick<ThreadsPage, 'sort'>): SQL {
  return sort === 'waiting' ? asc(chatThreads.waitingRank) : desc(chatThreads.lastMessageNumber)
}

/** Sellers and visitors are searched separately, each up to one page, so that a common name in one doesn't slow the other. */
function onPage(staff: Reader, { cursor, limit, sort, ...filter }: ThreadsPage): SQL | undefined {
  const isBeyond = sort === 'waiting' ? gt : lt
  const conditions = and(
    filtered(staff.id, filter),
    cursor ? isBeyond(chatThreads[sortKeys[sort]], Number(cursor)) : undefined,
  )
  if (!filter.q) return conditions
  const pages = matches(filter.q, staff).map(
    (found) => sql`(
      select ${chatThreads.id} from ${chatThreads} where ${and(conditions, found)}
      order by ${orderOf({ sort })} limit ${limit + 1}
    )`,
  )
  return sql`${chatThreads.id} in (${sql.join(pages, sql` union all `)})`
}

/** Threads whose customer's name or email contains the text, in any case. No thread matches both. */
function matches(q: string, { role }: Reader): SQL[] {
  const pattern = likePattern(q)
  return [
    sql`${chatThreads.userId} in (select id from users where ${sellerMatches(q, role)})`,
    sql`${chatThreads.contactSessionId} in (
      select id from contact_sessions
      where lower(first_name || ' ' || last_name) like ${pattern} or lower(email) like ${pattern}
    )`,
  ]
}
