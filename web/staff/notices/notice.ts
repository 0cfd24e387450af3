import type { ChatThread } from '#contract/staff-chat.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { inDollars } from '#domain/money.ts'
import { pathTo } from '#web/words/paths.ts'

/** Something that happened, for the list behind the bell. */
export interface Notice {
  /** What it is about; a conversation has one notice, however many messages came in. */
  readonly key: string
  readonly kind: 'submission' | 'answer' | 'message'
  readonly from: string
  readonly text: string
  /** When, by the server's clock. */
  readonly at: string
  /** The address of what it is about. */
  readonly to: string
  /** Messages that no member of staff has read. */
  readonly waiting?: number
}

/** What one administrator has seen, on one computer. */
export interface Seen {
  /** Everything until then. */
  readonly upTo: string
  /** And of these, by key, what happened until then. */
  readonly keys: Readonly<Record<string, string>>
}

export const submissionKey = (id: string) => `submission ${id}`

type Submitted = Pick<
  StaffSubmission,
  'id' | 'brandName' | 'user' | 'denomination' | 'answered' | 'createdAt' | 'updatedAt'
>

/** An answer makes the notice of its submission new again. */
export function submissionNotice(submission: Submitted): Notice {
  const { id, brandName, user, denomination, answered, createdAt, updatedAt } = submission
  return {
    key: submissionKey(id),
    kind: answered ? 'answer' : 'submission',
    from: user.username,
    text: `${brandName}, ${inDollars(denomination)}`,
    at: answered ? updatedAt : createdAt,
    to: pathTo('admin', { id }),
  }
}

export function messageNotice({
  id,
  username,
  lastMessage,
  lastMessageIsReply,
  lastMessageTime,
  unreadCount,
}: ChatThread): Notice {
  return {
    key: `thread ${id}`,
    kind: 'message',
    from: username,
    // What staff answered without reading is not what the customer said.
    text: lastMessageIsReply ? '' : lastMessage,
    at: lastMessageTime,
    to: pathTo('adminChat', { thread: id }),
    waiting: unreadCount,
  }
}

/**
 * The conversations in which somebody waits, and those in which somebody did: what a colleague has read
 * meanwhile stays in the list, as read.
 */
export function joinMessages(known: readonly Notice[], threads: readonly ChatThread[]): Notice[] {
  const waiting = threads.filter(({ unreadCount }) => unreadCount > 0).map(messageNotice)
  const keys = new Set(waiting.map(({ key }) => key))
  const done = known.filter(({ key }) => !keys.has(key)).map((notice) => ({ ...notice, waiting: 0 }))
  return [...waiting, ...done]
}

/** All of them, the newest first, the oldest beyond `most` left out. */
export function newestFirst(notices: readonly Notice[], most: number): Notice[] {
  return notices.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, most)
}

export function isUnread({ key, at, waiting }: Notice, { upTo, keys }: Seen): boolean {
  return waiting !== 0 && at > upTo && at > (keys[key] ?? '')
}

/** More than the list ever shows: what was seen before these is out of sight. */
const REMEMBERED = 200

export function seeOne({ upTo, keys }: Seen, { key, at }: Notice): Seen {
  const entries = Object.entries({ ...keys, [key]: at })
  const newest = entries.toSorted(([, one], [, other]) => (one < other ? 1 : -1)).slice(0, REMEMBERED)
  return { upTo, keys: Object.fromEntries(newest) }
}

export function seeAll(seen: Seen, notices: readonly Notice[]): Seen {
  const upTo = notices.reduce((latest, { at }) => (at > latest ? at : latest), seen.upTo)
  return { upTo, keys: {} }
}
