import { preview } from '#domain/chat.ts'
import type { chatMessages, chatThreads, contactSessions } from '#server/platform/database/schema.ts'
import { customerMessages, firstNames, lastNames, mailHosts, staffMessages, subjects } from './names.ts'
import type { SellerRow } from './people.ts'
import type { World } from './submissions.ts'
import { idAt, timeOf } from './timeline.ts'

export interface GeneratedThread {
  readonly session?: typeof contactSessions.$inferInsert
  readonly thread: typeof chatThreads.$inferInsert
  /** Oldest first. */
  readonly messages: readonly (typeof chatMessages.$inferInsert)[]
}

const MAX_MESSAGES = 40
const LISTED_LENGTH = 300

/** Threads in the order of their last messages, alternately of sellers and visitors. */
export function* generateThreads(count: number, options: World): Generator<GeneratedThread> {
  const { random, timeline, sellers } = options
  const slot = (timeline.until - timeline.from) / count
  for (let index = 0; index < count; index++) {
    const startsAt = Math.floor(timeline.from + index * slot)
    const seller = index % 2 === 0 ? sellers[index / 2] : undefined
    const at = (step: number) =>
      timeOf({ from: startsAt, until: startsAt + slot }, step, MAX_MESSAGES + 1, random)
    yield seller ? sellerThread(seller, at, options) : visitorThread(index, at, options)
  }
}

type TimeOfStep = (step: number) => number

function sellerThread({ id: userId }: SellerRow, at: TimeOfStep, options: World): GeneratedThread {
  const id = idAt(at(0), options.random)
  const messages = generateMessages(id, at, options.random.integer(0, MAX_MESSAGES), options)
  return { thread: { id, userId, ...summary(messages, at(0)) }, messages }
}

function visitorThread(index: number, at: TimeOfStep, options: World): GeneratedThread {
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
  const from = `${firstName} ${lastName} (${email})`
  const first = `Subject: ${person.subject}\nFrom: ${from}\n\n${random.pick(customerMessages)}`
  const messages = generateMessages(id, at, random.integer(1, MAX_MESSAGES), options, first)
  return { session, thread: { id, contactSessionId: session.id, ...summary(messages, startedAt) }, messages }
}

/** Messages and replies; the customer writes first. */
function generateMessages(
  threadId: string,
  at: TimeOfStep,
  count: number,
  { random, staffIds }: World,
  first?: string,
): GeneratedThread['messages'] {
  return Array.from({ length: count }, (_, step) => {
    const sentAt = at(step + 1)
    const isAdminReply = step > 0 && random.chance(0.5)
    return {
      id: idAt(sentAt, random),
      threadId,
      message: (step === 0 && first) || random.pick(isAdminReply ? staffMessages : customerMessages),
      isAdminReply,
      adminUserId: isAdminReply ? random.pick(staffIds) : null,
      createdAt: new Date(sentAt),
    }
  })
}

/** The thread's columns for the list. Staff have read everything up to their last reply, and closed what they answered last. */
function summary(messages: GeneratedThread['messages'], startedAt: number) {
  const last = messages.at(-1)
  const lastReply = messages.findLastIndex(({ isAdminReply }) => isAdminReply)
  return {
    lastMessage: last ? preview(last.message, LISTED_LENGTH) : '',
    lastMessageAt: last?.createdAt ?? new Date(startedAt),
    staffUnread: messages.length - 1 - lastReply,
    closedAt: last?.isAdminReply ? last.createdAt : null,
  }
}
