import { expect, test } from 'vitest'
import type { ChatThread } from '#contract/staff-chat.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import {
  isUnread,
  markAllSeen,
  markSeen,
  mergeMessages,
  messageNotification,
  newestFirst,
  type Seen,
  submissionNotification,
} from './notification.ts'

const nothing: Seen = { upTo: '', keys: {} }
const at = (minute: number) => `2026-03-05T14:${minute}:00.000Z`
const submission = (
  id: string,
  minute: number,
  answered = false,
  status: StaffSubmission['status'] = 'pending',
) =>
  submissionNotification({
    id,
    brandName: 'Amazon',
    user: {
      id: '1',
      username: 'maria',
      firstName: '',
      lastName: '',
      email: '',
      phoneNumber: null,
      createdAt: at(10),
      verified: false,
      mustConfirmEmail: true,
      state: 'active',
      locale: 'en',
    },
    denomination: '100.00',
    status,
    answered,
    createdAt: at(minute),
    updatedAt: at(55),
  })
const thread = (id: string, minute: number, unreadCount: number): ChatThread => ({
  id,
  type: 'user',
  userId: id,
  sessionId: null,
  username: 'oskar',
  userEmail: '',
  subject: null,
  about: null,
  lastMessage: 'Hello',
  lastMessageTime: at(minute),
  lastMessageIsReply: false,
  waitingSince: null,
  unreadCount,
  answeringBy: null,
  state: 'open',
  snoozedUntil: null,
  assignedTo: null,
  locale: 'en',
})

test('is unread until seen, and again after a new event', () => {
  const first = messageNotification(thread('a', 20, 1))
  const seen = markSeen(nothing, first)
  expect(isUnread(first, nothing)).toBe(true)
  expect(isUnread(first, seen)).toBe(false)
  expect(isUnread(messageNotification(thread('a', 21, 2)), seen)).toBe(true)
  expect(isUnread(submission('b', 19), seen)).toBe(true)
})

test('is read once the submission has been decided', () => {
  expect(isUnread(submission('b', 19), nothing)).toBe(true)
  expect(isUnread(submission('b', 19, false, 'processing'), nothing)).toBe(false)
})

test('remembers only the newest seen notifications', () => {
  const first = submission('0', 10)
  let seen = markSeen(nothing, first)
  for (let next = 1; next <= 200; next += 1) seen = markSeen(seen, submission(String(next), 20))
  expect(Object.keys(seen.keys)).toHaveLength(200)
  expect(isUnread(submission('200', 20), seen)).toBe(false)
  expect(isUnread(first, seen)).toBe(true)
})

test('marks all as seen, but not later ones', () => {
  const notifications = [submission('a', 20), submission('b', 30), messageNotification(thread('c', 25, 1))]
  const seen = markAllSeen(markSeen(nothing, submission('a', 20)), notifications)
  expect(notifications.some((notification) => isUnread(notification, seen))).toBe(false)
  expect(isUnread(submission('d', 31), seen)).toBe(true)
  expect(markAllSeen(seen, [])).toEqual({ upTo: at(30), keys: {} })
})

test('keeps conversations that a colleague has read, as read', () => {
  const known = mergeMessages([], [thread('a', 20, 2), thread('b', 19, 0)])
  expect(known).toMatchObject([{ key: 'thread a', waiting: 2 }])
  const joined = mergeMessages(known, [thread('c', 30, 1), thread('a', 20, 0)])
  expect(joined).toMatchObject([
    { key: 'thread c', waiting: 1 },
    { key: 'thread a', waiting: 0 },
  ])
  expect(joined.map((notification) => isUnread(notification, nothing))).toEqual([true, false])
})

test('sorts by time and drops the oldest', () => {
  const sorted = newestFirst([submission('a', 20), submission('b', 40), submission('c', 30)], 2)
  expect(sorted.map(({ at }) => at)).toEqual([at(40), at(30)])
})

test('becomes unread when the seller answers', () => {
  const seen = markAllSeen(nothing, [submission('a', 20)])
  expect(isUnread(submission('a', 20), seen)).toBe(false)
  expect(submission('a', 20, true)).toMatchObject({ kind: 'answer', at: at(55) })
  expect(isUnread(submission('a', 20, true), seen)).toBe(true)
})
