import type { ChatThread } from '#contract/staff-chat.ts'
import type { Page } from '#web/wire/call.ts'

/** The list as far as it was loaded: the newest message first. */
export type ThreadPages = Page<ChatThread>

/**
 * What is known of the list, under a fresh first page. Threads move to the top only, so that a thread which both
 * have and which didn't move proves that nothing lies between them. Without one, more came in than a page holds:
 * what lies between isn't known, and the rest is let go.
 */
export function joinTop(known: ThreadPages | undefined, top: ThreadPages): ThreadPages {
  if (!known || top.cursor === undefined) return top
  const fresh = new Map(top.rows.map((thread) => [thread.id, thread]))
  const meet = known.rows.some((thread) => fresh.get(thread.id)?.lastMessageTime === thread.lastMessageTime)
  if (!meet) return top
  const below = known.rows.filter(({ id }) => !fresh.has(id))
  // All that was known is in the first page: it knows where the next one begins.
  if (below.length === 0) return top
  return { rows: [...top.rows, ...below], cursor: known.cursor, total: top.total }
}

/** The very list and the very rows of before where nothing has changed: what stayed isn't rendered anew. */
export function keepSame(before: ThreadPages | undefined, now: ThreadPages): ThreadPages {
  if (!before) return now
  const known = new Map(before.rows.map((thread) => [thread.id, thread]))
  const rows = now.rows.map((thread) => sameThread(known.get(thread.id), thread) ?? thread)
  const { cursor, total } = now
  const same = before.cursor === cursor && before.total === total && before.rows.length === rows.length
  return same && rows.every((row, place) => row === before.rows[place]) ? before : { rows, cursor, total }
}

function sameThread(before: ChatThread | undefined, now: ChatThread): ChatThread | undefined {
  const fields = Object.keys(now) as (keyof ChatThread)[]
  return before && fields.every((field) => before[field] === now[field]) ? before : undefined
}

/** The next page under what is known. */
export function addPage(known: ThreadPages, next: ThreadPages): ThreadPages {
  const ids = new Set(known.rows.map(({ id }) => id))
  return { ...next, rows: [...known.rows, ...next.rows.filter(({ id }) => !ids.has(id))] }
}

/**
 * What is new about a thread, in its place; a list that doesn't have it stays as it is. Where a message is new,
 * the place is another one, which the next first page tells.
 */
export function putThread<Known extends ThreadPages | undefined>(known: Known, thread: ChatThread): Known {
  const place = known?.rows.findIndex(({ id }) => id === thread.id) ?? -1
  if (!known || known.rows[place]?.lastMessageTime !== thread.lastMessageTime) return known
  return { ...known, rows: known.rows.with(place, thread) }
}
