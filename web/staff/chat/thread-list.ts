import type { ChatThread } from '#contract/staff-chat.ts'
import type { Page } from '#web/wire/call.ts'

/** The loaded part of the list, newest message first. */
export type ThreadPages = Page<ChatThread>

/**
 * Puts a fresh first page above the loaded list. Threads only ever move to the top, so if both lists share a thread that
 * has not moved, none is missing between them. Otherwise drops the loaded list, because some may be missing.
 */
export function joinTop(known: ThreadPages | undefined, top: ThreadPages): ThreadPages {
  if (!known || top.cursor === undefined) return top
  const fresh = new Map(top.rows.map((thread) => [thread.id, thread]))
  const overlap = known.rows.some(
    (thread) => fresh.get(thread.id)?.lastMessageTime === thread.lastMessageTime,
  )
  if (!overlap) return top
  const below = known.rows.filter(({ id }) => !fresh.has(id))
  if (below.length === 0) return top
  return { rows: [...top.rows, ...below], cursor: known.cursor, total: top.total }
}

/** Reuses the list and its rows where nothing has changed, so that they do not render again. */
export function keepSame(before: ThreadPages | undefined, now: ThreadPages): ThreadPages {
  if (!before) return now
  const known = new Map(before.rows.map((thread) => [thread.id, thread]))
  const rows = now.rows.map((thread) => sameThread(known.get(thread.id), thread) ?? thread)
  const { cursor, total } = now
  const same = before.cursor === cursor && before.total === total && before.rows.length === rows.length
  return same && rows.every((row, index) => row === before.rows[index]) ? before : { rows, cursor, total }
}

function sameThread(before: ChatThread | undefined, now: ChatThread): ChatThread | undefined {
  const fields = Object.keys(now) as (keyof ChatThread)[]
  return before && fields.every((field) => before[field] === now[field]) ? before : undefined
}

/** Adds the next page at the end. */
export function addPage(known: ThreadPages, next: ThreadPages): ThreadPages {
  const ids = new Set(known.rows.map(({ id }) => id))
  return { ...next, rows: [...known.rows, ...next.rows.filter(({ id }) => !ids.has(id))] }
}

/**
 * Updates a thread that is in the list and has no new message. A new message changes its position, which only the next
 * first page shows.
 */
export function putThread<Known extends ThreadPages | undefined>(known: Known, thread: ChatThread): Known {
  const index = known?.rows.findIndex(({ id }) => id === thread.id) ?? -1
  if (!known || known.rows[index]?.lastMessageTime !== thread.lastMessageTime) return known
  return { ...known, rows: known.rows.with(index, thread) }
}
