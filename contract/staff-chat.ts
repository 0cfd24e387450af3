import { z } from 'zod'
import { ANSWERING_SECONDS, countedLists, threadLists, threadStates } from '#domain/chat.ts'
import { MAX_COUNTED } from '#domain/counting.ts'
import { statuses } from '#domain/submission.ts'
import type { FieldCode } from '#words/keys.ts'
import { locales } from '#words/locales.ts'
import { assignee } from './administrators.ts'
import {
  aboutCard,
  clientId,
  contactMessage,
  message,
  messagesPage,
  newMessage,
  sessionId,
  staffChatMessage,
  takesPhotos,
} from './chat.ts'
import { route } from './route.ts'
import { needsAccount } from './staff-submissions.ts'
import { done, id, instant, moment, money, page, searchText, withId } from './values.ts'

/** A conversation in the staff's list. */
export const chatThread = z.object({
  id,
  type: z.enum(['user', 'contact']).describe('`user` has a userId, `contact` a sessionId'),
  userId: id.nullable(),
  sessionId: z.string().nullable(),
  username: z.string().describe('For a contact thread, the first and last name'),
  userEmail: z.string(),
  locale: z.enum(locales).describe('The language of the customer'),
  subject: z.string().nullable().describe('Only for a contact thread'),
  about: aboutCard
    .extend({ quote: money, status: z.enum(statuses), needsAccount })
    .nullable()
    .describe(
      "The card that a seller's conversation is about. Its digits only for roles that may see details",
    ),
  lastMessage: z.string().describe('A shortened preview, with anything like a card number masked'),
  lastMessageTime: instant,
  lastMessageIsReply: z.boolean().describe('Whether staff wrote it'),
  waitingSince: instant
    .nullable()
    .describe('When the customer wrote the first message after the last reply. Null if closed or answered'),
  unreadCount: z.number().int().describe('Messages from the customer that no administrator has read'),
  answeringBy: z.string().nullable().describe('Another administrator who is writing a reply'),
  state: z.enum(threadStates).describe('A message from the customer opens the thread again'),
  snoozedUntil: instant.nullable().describe('When a snoozed thread will be open again'),
  assignedTo: z
    .object({
      id,
      username: z.string(),
      by: z.string().nullable().describe('Who assigned it. Null if unknown'),
      at: instant.nullable(),
    })
    .nullable()
    .describe('The administrator who looks after it'),
})
export type ChatThread = z.input<typeof chatThread>
export type ChatThreadAnswer = z.output<typeof chatThread>

const threadsPage = page.extend({
  // A position in the order, so threads that move do not shift the next page.
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, 'cursor_invalid' satisfies FieldCode)
    .optional()
    .describe('Where the page starts. Use the address in the `Link` header'),
  q: searchText.optional(),
  show: z
    .enum(threadLists)
    .optional()
    .describe(
      'All threads by default. `waiting` are open and wait for a reply, `mine` are open and assigned to you',
    ),
  sort: z
    .enum(['newest', 'waiting'])
    .default('newest')
    .describe('By the last message, or by who has waited longest for a reply'),
  id: id.optional().describe('Returns this thread only'),
  userId: id
    .optional()
    .describe("Returns this seller's thread only, which exists once someone has written in it"),
})
export type ThreadsPage = z.output<typeof threadsPage>

const exactlyOne = 'thread_unclear' satisfies FieldCode
const threadNames = { userId: id.optional(), sessionId: sessionId.optional() }
type ThreadName = { userId?: string | undefined; sessionId?: string | undefined }
const namesOne = ({ userId, sessionId }: ThreadName) => (userId === undefined) !== (sessionId === undefined)

const threadName = z.object(threadNames).refine(namesOne, { error: exactlyOne, path: ['userId'] })
const answering = z
  .object({
    ...threadNames,
    answering: z.boolean().default(true).describe('false: stopped writing'),
  })
  .refine(namesOne, { error: exactlyOne, path: ['userId'] })

const threadChange = z
  .object({
    ...threadNames,
    closed: z.boolean().optional().describe('true also ends a snooze'),
    snoozedUntil: moment.nullable().optional().describe('Also opens a closed thread. null: open again now'),
    unread: z.literal(true).optional().describe("Marks the customer's last message as unread"),
    assignedTo: z
      .union([z.enum(['me', 'none']), assignee], 'assignee_unavailable' satisfies FieldCode)
      .optional()
      .describe('An administrator who may chat'),
  })
  .refine(namesOne, { error: exactlyOne, path: ['userId'] })
export type ThreadChange = Omit<z.output<typeof threadChange>, keyof typeof threadNames>

/** A card of the seller in a conversation. */
export const chatCard = z.object({
  id,
  brandName: z.string(),
  denomination: money,
  quote: money.describe('The price, or that of an open offer'),
  status: z.enum(statuses),
  needsAccount,
  payout: z
    .object({
      state: z.enum(['due', 'batched', 'sent']),
      waitsUntil: instant.nullable().describe('Not sent before this time, because its account was changed'),
      waitsForEmail: z.boolean().describe('Not sent before the seller confirms the email address'),
      sentAt: instant.nullable(),
      expectedOn: z.iso
        .date()
        .nullable()
        .describe('The day by which its seller reads that the money should arrive'),
    })
    .nullable()
    .describe('Of an approved card whose money has not arrived. Null if it waits for another account'),
  createdAt: instant,
})
export type ChatCard = z.input<typeof chatCard>
export type ChatCardAnswer = z.output<typeof chatCard>

export const staffChatRoutes = {
  chatThreads: route({
    method: 'GET',
    path: '/api/admin/chat/threads',
    summary: "Contact and user threads in one list, searched by name, email, and a seller's ID or reference",
    access: 'chat',
    limit: 'read',
    query: threadsPage,
    answers: { 200: z.array(chatThread) },
  }),
  chatCounts: route({
    method: 'GET',
    path: '/api/admin/chat/counts',
    summary: `How many threads some lists have. ${MAX_COUNTED + 1} means more than ${MAX_COUNTED}`,
    access: 'chat',
    limit: 'read',
    answers: { 200: z.record(z.enum(countedLists), z.number().int()) },
  }),
  changeThread: route({
    method: 'PATCH',
    path: '/api/admin/chat/threads',
    summary:
      'Close, open, snooze, assign or mark a thread as unread. If two people change it, the last change counts',
    access: 'chat',
    limit: 'write',
    refuses: ['not_found'],
    body: threadChange,
    answers: { 200: chatThread },
  }),
  chatCards: route({
    method: 'GET',
    path: '/api/admin/chat/cards',
    summary: "A seller's newest 20 submissions, to show beside the conversation",
    access: 'chat',
    limit: 'read',
    refuses: ['not_found'],
    query: z.object({ userId: id }),
    answers: { 200: z.array(chatCard) },
  }),
  chatMessages: route({
    method: 'GET',
    path: '/api/admin/chat/messages',
    summary: "The messages of a seller's thread, oldest first",
    access: 'chat',
    limit: 'read',
    refuses: ['not_found'],
    query: messagesPage.extend({ userId: id }),
    answers: { 200: z.array(staffChatMessage) },
  }),
  revealMessage: route({
    method: 'POST',
    path: '/api/admin/chat/messages/:id/reveal',
    summary: 'Reveal the whole text of a message of a seller or visitor, which the audit log records',
    access: 'reveal_cards',
    limit: 'reveal',
    params: withId,
    answers: { 200: z.object({ message: z.string() }) },
  }),
  replyToUser: route({
    method: 'POST',
    path: '/api/admin/chat/reply',
    summary:
      'Write to a seller, with or without a message from them, and with photos if sent as a form (images). 200 if its clientId was sent before',
    access: 'chat',
    limit: 'write',
    refuses: ['not_found'],
    body: newMessage.extend({ userId: id }),
    ...takesPhotos,
    answers: { 201: staffChatMessage, 200: staffChatMessage },
  }),
  replyToContact: route({
    method: 'POST',
    path: '/api/admin/contact/reply',
    summary: 'Reply in a contact thread. 200 if its clientId was sent before',
    access: 'chat',
    limit: 'write',
    refuses: ['not_found'],
    body: z.object({ sessionId, message, clientId }),
    answers: { 201: contactMessage, 200: contactMessage },
  }),
  markThreadRead: route({
    method: 'POST',
    path: '/api/admin/chat/mark-read',
    summary: 'Mark all messages of a thread as read',
    access: 'chat',
    limit: 'write',
    refuses: ['not_found'],
    body: threadName,
    answers: { 200: done },
  }),
  answerThread: route({
    method: 'POST',
    path: '/api/admin/chat/answering',
    summary: `Show colleagues for ${ANSWERING_SECONDS} s that you are writing a reply. Returns who else is`,
    access: 'chat',
    limit: 'write',
    refuses: ['not_found'],
    body: answering,
    answers: { 200: z.object({ answeringBy: z.string().nullable() }) },
  }),
}
