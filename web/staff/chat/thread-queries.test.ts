import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { type LoadedList, withTop } from '../list/loaded-list.ts'
import { putThread, threadRank } from './thread-queries.ts'

type Threads = LoadedList<ChatThread>

/** One thread per letter. A digit after the letter means a newer message. */
function page(names: string, cursor?: string) {
  const rows = (names.match(/\w\d?/g) ?? []).map((name) => thread(name))
  return { rows, cursor, total: 26 }
}
const loaded = (names: string, cursor?: string): Threads => ({
  pages: [page(names, cursor)],
  pageParams: [undefined],
})
const joinTop = (list: Threads, top: Threads['pages'][number]) => withTop(list, top, threadRank)
function thread(name: string, unreadCount = 0): ChatThread {
  return {
    id: name.charAt(0),
    type: 'user',
    userId: name,
    sessionId: null,
    username: name,
    userEmail: '',
    subject: null,
    lastMessage: name,
    lastMessageTime: `2026-03-05T14:3${name.charAt(1) || 0}:00Z`,
    lastMessageIsReply: false,
    waitingSince: null,
    unreadCount,
    answeringBy: null,
    state: 'open',
    snoozedUntil: null,
    assignedTo: null,
    locale: 'en',
  }
}
const rowsOf = ({ pages }: Threads) => pages.flatMap(({ rows }) => rows)
const shown = (list: Threads) =>
  rowsOf(list)
    .map(({ lastMessage }) => lastMessage)
    .join(' ')
const cursorOf = ({ pages }: Threads) => pages.at(-1)?.cursor

test('moves a thread with a new message up and keeps the rest', () => {
  const joined = joinTop(loaded('abcdef', 'f'), page('e1ab', 'b'))
  expect(shown(joined)).toBe('e1 a b c d f')
  expect(cursorOf(joined)).toBe('f')
})

test('takes the unread count of the first page', () => {
  const top = { ...page('ab', 'b'), rows: [thread('a', 3), thread('b')] }
  expect(rowsOf(joinTop(loaded('abc', 'c'), top))[0]?.unreadCount).toBe(3)
})

test('starts over if threads are missing in between', () => {
  const joined = joinTop(loaded('abcd', 'd'), page('e1f1', 'f'))
  expect(shown(joined)).toBe('e1 f1')
  expect(cursorOf(joined)).toBe('f')
  // The threads in both lists have moved, so others may be missing between them.
  expect(shown(joinTop(loaded('abcd', 'd'), page('c1b1', 'b')))).toBe('c1 b1')
})

test('replaces a list of one page', () => {
  expect(shown(joinTop(loaded('abc'), page('ba')))).toBe('b a')
  expect(cursorOf(joinTop(loaded('ab', 'b'), page('a1b', 'x')))).toBe('x')
})

test('updates a thread in place', () => {
  const client = new QueryClient()
  const key = [routes.chatThreads.path, 'pages', {}]
  const list = loaded('abc', 'c')
  client.setQueryData(key, list)
  putThread(client, thread('z'))
  // Not after a new message: only the next first page shows where the thread has moved.
  putThread(client, thread('b1'))
  expect(client.getQueryData(key)).toEqual(list)
  putThread(client, thread('b', 2))
  expect(rowsOf(client.getQueryData(key) as Threads).map(({ unreadCount }) => unreadCount)).toEqual([0, 2, 0])
})
