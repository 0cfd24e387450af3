import type { WireBatch } from '#contract/payouts.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { inDollars } from '#domain/money.ts'
import { viewRules } from '#domain/queue.ts'
import { staffStatus } from '#domain/submission.ts'
import { pathTo } from '#web/words/paths.ts'

/** An entry in the list behind the bell. */
export interface Notification {
  /** Its subject: a conversation has one notification, however many messages it has. */
  readonly key: string
  readonly kind: 'submission' | 'answer' | 'message' | 'assignment' | 'batch'
  readonly from: string
  readonly text: string
  readonly at: string
  /** The address it links to. */
  readonly to: string
  /** Messages that no administrator has read. */
  readonly waiting?: number
  /** It no longer waits for a decision. */
  readonly isDone?: boolean
}

/** What one administrator has seen in this browser. */
export interface Seen {
  /** Everything up to this time is seen. */
  readonly upTo: string
  /** Notifications seen one by one: their key and time. */
  readonly keys: Readonly<Record<string, string>>
}

export const submissionKey = (id: string) => `submission ${id}`

type Submitted = Pick<
  StaffSubmission,
  'id' | 'brandName' | 'user' | 'denomination' | 'status' | 'answered' | 'createdAt' | 'updatedAt'
>

/** A seller's answer makes the notification unread again. */
export function submissionNotification(submission: Submitted): Notification {
  const { id, brandName, user, denomination, status, answered, createdAt, updatedAt } = submission
  return {
    key: submissionKey(id),
    kind: answered ? 'answer' : 'submission',
    from: user.username,
    text: `${brandName}, ${inDollars(denomination)}`,
    at: answered ? updatedAt : createdAt,
    to: pathTo('admin', { id }),
    isDone: !viewRules.review.statuses.includes(staffStatus(status)),
  }
}

export function messageNotification({
  id,
  username,
  lastMessage,
  lastMessageIsReply,
  lastMessageTime,
  unreadCount,
}: ChatThread): Notification {
  return {
    key: `thread ${id}`,
    kind: 'message',
    from: username,
    // The last message may be a reply by staff.
    text: lastMessageIsReply ? '' : lastMessage || 'Photo',
    at: lastMessageTime,
    to: pathTo('adminChat', { thread: id }),
    waiting: unreadCount,
  }
}

/** Work that a colleague has assigned to this administrator. */
export function assignmentNotifications(
  adminName: string,
  submissions: readonly StaffSubmission[],
  threads: readonly ChatThread[],
): Notification[] {
  return [
    ...submissions.map(({ id, brandName, denomination, claimedBy }) => ({
      key: `assigned submission ${id}`,
      kind: 'assignment' as const,
      from: claimedBy?.assignedBy ?? adminName,
      text: `${brandName}, ${inDollars(denomination)}`,
      at: claimedBy?.since ?? '',
      to: pathTo('admin', { id }),
    })),
    ...threads.map(({ id, username, assignedTo }) => ({
      key: `assigned thread ${id}`,
      kind: 'assignment' as const,
      from: assignedTo?.by ?? adminName,
      text: username,
      at: assignedTo?.at ?? '',
      to: pathTo('adminChat', { thread: id }),
    })),
  ].filter(({ from }) => from !== adminName)
}

export const batchKey = (id: string) => `batch ${id}`

/** A frozen batch that this person may release. It is unread again when it was approved first. */
export function batchNotification(batch: WireBatch): Notification {
  const { id, number, total, createdBy, createdAt, frozenBy, frozenAt, approvedBy, approvedAt } = batch
  return {
    key: batchKey(id),
    kind: 'batch',
    from: approvedBy ?? frozenBy ?? createdBy ?? '',
    text: `Batch ${number}, ${inDollars(total)}`,
    at: approvedAt ?? frozenAt ?? createdAt,
    to: pathTo('adminPayouts', { batch: id }),
  }
}

/** Conversations with unread messages, and those that had some: what a colleague has read stays in the list as read. */
export function mergeMessages(
  known: readonly Notification[],
  threads: readonly ChatThread[],
): Notification[] {
  const waiting = threads.filter(({ unreadCount }) => unreadCount > 0).map(messageNotification)
  const keys = new Set(waiting.map(({ key }) => key))
  const done = known
    .filter(({ key }) => !keys.has(key))
    .map((notification) => ({ ...notification, waiting: 0 }))
  return [...waiting, ...done]
}

/** The newest `limit` notifications, newest first. */
export function newestFirst(notifications: readonly Notification[], limit: number): Notification[] {
  return notifications.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, limit)
}

export function isUnread({ key, at, waiting, isDone }: Notification, { upTo, keys }: Seen): boolean {
  return !isDone && waiting !== 0 && at > upTo && at > (keys[key] ?? '')
}

/** More than the list ever shows. */
const MAX_SEEN_KEYS = 200

export function markSeen({ upTo, keys }: Seen, { key, at }: Notification): Seen {
  const entries = Object.entries({ ...keys, [key]: at })
  const newest = entries.toSorted(([, one], [, other]) => (one < other ? 1 : -1)).slice(0, MAX_SEEN_KEYS)
  return { upTo, keys: Object.fromEntries(newest) }
}

export function markAllSeen(seen: Seen, notifications: readonly Notification[]): Seen {
  const upTo = notifications.reduce((latest, { at }) => (at > latest ? at : latest), seen.upTo)
  return { upTo, keys: {} }
}
