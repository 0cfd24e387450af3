import { expect, test } from 'vitest'
import type { ChatThread } from '#contract/staff-chat.ts'
import { addPage, joinTop, keepSame, putThread, type ThreadPages } from './thread-list.ts'

/** One thread per letter. A digit after the letter means a newer message. */
function pages(names: string, cursor?: string): ThreadPages {
  const rows = (names.match(/\w\d?/g) ?? []).map((name) => thread(name))
  return { rows, cursor, total: 26 }
}
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
    unreadCount,
    answeringBy: null,
  }
}
const shown = (list: ThreadPages) => list.rows.map(({ lastMessage }) => lastMessage).join(' ')

test('moves a thread with a new message up and keeps the rest', () => {
  const joined = joinTop(pages('abcdef', 'f'), pages('e1ab', 'b'))
  expect(shown(joined)).toBe('e1 a b c d f')
  expect(joined.cursor).toBe('f')
})

test('takes the unread count of the first page', () => {
  const top = { ...pages('ab', 'b'), rows: [thread('a', 3), thread('b')] }
  expect(joinTop(pages('abc', 'c'), top).rows[0]?.unreadCount).toBe(3)
})

test('starts over if threads are missing in between', () => {
  const joined = joinTop(pages('abcd', 'd'), pages('e1f1', 'f'))
  expect(shown(joined)).toBe('e1 f1')
  expect(joined.cursor).toBe('f')
  // The threads in both lists have moved, so others may be missing between them.
  expect(shown(joinTop(pages('abcd', 'd'), pages('c1b1', 'b')))).toBe('c1 b1')
})

test('reuses unchanged rows at any position', () => {
  const [before, now] = [pages('abc'), pages('c1ab')]
  const [c, a, b] = keepSame(before, now).rows
  expect([a, b]).toEqual(before.rows.slice(0, 2))
  expect(a).toBe(before.rows[0])
  expect(b).toBe(before.rows[1])
  expect(c).toBe(now.rows[0])
  expect(keepSame(before, pages('abc'))).toBe(before)
  expect(keepSame(before, pages('ab'))).not.toBe(before)
  expect(keepSame(before, pages('abc', 'c'))).not.toBe(before)
})

test('replaces a list of one page', () => {
  expect(shown(joinTop(pages('abc'), pages('ba')))).toBe('b a')
  expect(joinTop(pages('ab', 'b'), pages('a1b', 'x')).cursor).toBe('x')
  expect(shown(joinTop(undefined, pages('ab', 'b')))).toBe('a b')
})

test('adds each thread of the next page once', () => {
  const list = addPage(pages('abc', 'c'), pages('cde'))
  expect(shown(list)).toBe('a b c d e')
  expect(list.cursor).toBeUndefined()
})

test('updates a thread in place', () => {
  const known = pages('abc', 'c')
  expect(putThread(known, thread('b', 2)).rows.map(({ unreadCount }) => unreadCount)).toEqual([0, 2, 0])
  expect(putThread(known, thread('z'))).toBe(known)
  expect(putThread(undefined, thread('z'))).toBeUndefined()
  // Not after a new message: only the next first page shows where the thread has moved.
  expect(putThread(known, thread('b1'))).toBe(known)
})
