import { composeContactMessage, preview } from '#domain/chat.ts'
import type { chatMessages, chatThreads, contactSessions } from '#server/platform/database/schema.ts'
import type { Random } from '#test/random.ts'
import { customerWords, firstNames, lastNames, mailHosts, staffWords, subjects } from './names.ts'
import type { GeneratedSeller } from './people.ts'
import { idAt, momentOf, type Timeline } from './timeline.ts'

export interface GeneratedThread {
  readonly session?: typeof contactSessions.$inferInsert
  readonly thread: typeof chatThreads.$inferInsert
  /** Oldest first. */
  readonly messages: readonly Omit<typeof chatMessages.$inferInsert, 'number'>[]
}

export interface ThreadOptions {
  readonly random: Random
  readonly timeline: Timeline
  readonly staffIds: readonly string[]
  readonly sellers: readonly GeneratedSeller[]
}

const MOST_MESSAGES = 40
const LISTED = 300

/** Threads in the order of their last messages: of sellers, and of visitors in turn. */
export function* generateThreads(count: number, options: ThreadOptions): Generator<GeneratedThread> {
  const { random, timeline, sellers } = options
  const slot = (timeline.until - timeline.from) / count
  for (let index = 0; index < count; index++) {
    const beginsAt = Math.floor(timeline.from + index * slot)
    // Each seller has one thread.
    const seller = index % 2 === 0 ? sellers[index / 2] : undefined
    const at = (step: number) =>
      momentOf({ from: beginsAt, until: beginsAt + slot }, step, MOST_MESSAGES + 1, random)
    yield seller ? ofSeller(seller, at, options) : ofVisitor(index, at, options)
  }
}

type MomentAt = (step: number) => number

function ofSeller({ id: userId }: GeneratedSeller, at: MomentAt, options: ThreadOptions): GeneratedThread {
  const id = idAt(at(0), options.random)
  const messages = talk(id, at, options.random.integer(0, MOST_MESSAGES), options)
  return { thread: { id, userId, ...summary(messages, at(0)) }, messages }
}

function ofVisitor(index: number, at: MomentAt, options: ThreadOptions): GeneratedThread {
  const { random } = options
  const startedAt = at(0)
  const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)]
  const email = `${firstName}.${lastName}.${index}@${random.pick(mailHosts)}`.toLowerCase()
  const person = { firstName, lastName, email, subject: random.pick(subjects) }
  const session = {
    id: idAt(startedAt, random),
    sessionId: Buffer.from(random.bytes(32)).toString('base64url'),
    ...person,
    createdAt: new Date(startedAt),
    updatedAt: new Date(startedAt),
  }
  const id = idAt(startedAt, random)
  const first = composeContactMessage({ ...person, message: random.pick(customerWords) })
  const messages = talk(id, at, random.integer(1, MOST_MESSAGES), options, first)
  return { session, thread: { id, contactSessionId: session.id, ...summary(messages, startedAt) }, messages }
}

/** Questions and replies; the customer begins. */
function talk(
  threadId: string,
  at: MomentAt,
  count: number,
  { random, staffIds }: ThreadOptions,
  first?: string,
): GeneratedThread['messages'] {
  return Array.from({ length: count }, (_, step) => {
    const sentAt = at(step + 1)
    const isAdminReply = step > 0 && random.chance(0.5)
    return {
      id: idAt(sentAt, random),
      threadId,
      message: (step === 0 && first) || random.pick(isAdminReply ? staffWords : customerWords),
      isAdminReply,
      adminUserId: isAdminReply ? random.pick(staffIds) : null,
      createdAt: new Date(sentAt),
    }
  })
}

/** What the list of threads shows; staff have read up to their own last reply. */
function summary(messages: GeneratedThread['messages'], startedAt: number) {
  const last = messages.at(-1)
  const lastReply = messages.findLastIndex(({ isAdminReply }) => isAdminReply)
  return {
    lastMessage: last ? preview(last.message, LISTED) : '',
    lastMessageAt: last?.createdAt ?? new Date(startedAt),
    staffUnread: messages.length - 1 - lastReply,
  }
}
