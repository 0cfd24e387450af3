import { z } from 'zod'
import { MAX_MESSAGE_LENGTH } from '#domain/chat.ts'
import { route } from './route.ts'
import { done, email, id, page, searchText, text, time } from './values.ts'

export { MAX_MESSAGE_LENGTH, SUPPORT_NAME } from '#domain/chat.ts'

/** How long a member of staff is shown as answering a thread after they last said so. */
export const ANSWERING_SECONDS = 30

const message = text({ max: MAX_MESSAGE_LENGTH, required: 'Message is required' })
/** What the visitor was handed by POST /api/contact: whoever knows it may read and write in the thread. */
const sessionId = text({ max: 255, required: 'Session is required' })
/** Made by the client, one for each message: sent again with the same one, a message isn't stored twice. */
const clientId = id.optional()

const CONTACT_MESSAGE_TOO_SHORT = 'Message must be at least 10 characters'

/** The contact form. A `fullMessage` is ignored like any unknown field: the server composes its own. */
export const contactForm = z.object({
  firstName: text({ max: 100, required: 'First name is required' }),
  lastName: text({ max: 100, required: 'Last name is required' }),
  email: email('Please enter a valid email'),
  subject: text({ max: 255, required: 'Subject is required' }),
  message: text({ max: MAX_MESSAGE_LENGTH, required: CONTACT_MESSAGE_TOO_SHORT }).min(
    10,
    CONTACT_MESSAGE_TOO_SHORT,
  ),
})
export type ContactForm = z.output<typeof contactForm>

const messageFields = z.object({
  id,
  message: z.string(),
  isUserMessage: z.boolean(),
  isAdminReply: z.boolean(),
  /** Whether the other side has read it. */
  read: z.boolean(),
  /** What its sender gave it, to find the one that was shown before it was stored. */
  clientId: id.nullable(),
  createdAt: time,
})

/** Who wrote a message, for staff only. */
const author = z.object({
  username: z.string(),
  adminUserId: id.nullable(),
  /** The name to show above a reply. */
  adminUsername: z.string().nullable(),
})

/** A message of a signed-in seller's thread. */
export const chatMessage = messageFields.extend({ userId: id })
export type ChatMessage = z.infer<typeof chatMessage>

/** The same, for staff. */
export const staffChatMessage = chatMessage.extend(author.shape)
export type StaffChatMessage = z.infer<typeof staffChatMessage>

/** A message of a contact thread; the author's fields are there when staff ask. */
export const contactMessage = messageFields.extend({ sessionId: z.string(), ...author.partial().shape })
export type ContactMessage = z.infer<typeof contactMessage>

/** A conversation as staff's list shows it. */
export const chatThread = z.object({
  id,
  /** `user` has a userId, `contact` a sessionId. */
  type: z.enum(['user', 'contact']),
  userId: id.nullable(),
  sessionId: z.string().nullable(),
  /** Of a contact thread, the first and last name. */
  username: z.string(),
  userEmail: z.string(),
  /** Of a contact thread. */
  subject: z.string().nullable(),
  /** A preview: cut, and with anything like a card number masked. */
  lastMessage: z.string(),
  lastMessageTime: time,
  /** Whether staff wrote it. */
  lastMessageIsReply: z.boolean(),
  /** Messages of the customer that no member of staff has read. */
  unreadCount: z.number().int(),
  /** Another member of staff who is writing a reply just now. */
  answeringBy: z.string().nullable(),
})
export type ChatThread = z.infer<typeof chatThread>

/** An answer that staff give often. */
export const savedReply = z.object({ id, title: z.string(), text: z.string(), createdAt: time })
export type SavedReply = z.infer<typeof savedReply>

export const savedReplyForm = z.object({
  title: text({ max: 100, required: 'Title is required' }),
  text: text({ max: MAX_MESSAGE_LENGTH, required: 'Text is required' }),
})
export type SavedReplyForm = z.output<typeof savedReplyForm>

/** The newest messages of a thread, oldest of them first; `before` (a message's id) asks for older ones. */
const messagesPage = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'Limit is a number from 1 to 500')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 500, 'Limit is a number from 1 to 500')
    .default(200),
  before: id.optional(),
})
export type MessagesPage = z.output<typeof messagesPage>

const threadsPage = page.extend({
  /** A place in the order of the last messages, so that a thread which moves up loses nobody their place. */
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, 'Invalid cursor')
    .optional(),
  q: searchText.optional(),
  /** One thread, or none. */
  id: id.optional(),
  /** A seller's thread; none while nobody has written in it. */
  userId: id.optional(),
})
export type ThreadsPage = z.output<typeof threadsPage>

const oneOfBoth = 'Give either userId or sessionId'
const threadNames = { userId: id.optional(), sessionId: sessionId.optional() }
type ThreadName = { userId?: string | undefined; sessionId?: string | undefined }
const namesOne = ({ userId, sessionId }: ThreadName) => (userId === undefined) !== (sessionId === undefined)

const threadName = z.object(threadNames).refine(namesOne, { error: oneOfBoth, path: ['userId'] })
const answering = z
  .object({
    ...threadNames,
    /** false: stopped. */
    answering: z.boolean().default(true),
  })
  .refine(namesOne, { error: oneOfBoth, path: ['userId'] })

export const chatRoutes = {
  startContact: route({
    method: 'POST',
    path: '/api/contact',
    summary: "The contact form; answers the visitor's key to the thread that it starts",
    access: 'anyone',
    limit: 'contact',
    body: contactForm,
    answers: { 201: z.object({ sessionId: z.string() }) },
  }),
  contactMessages: route({
    method: 'GET',
    path: '/api/contact/messages',
    summary: 'The messages of a contact thread, oldest first; staff see who replied',
    access: 'anyone',
    limit: 'read',
    query: messagesPage.extend({ sessionId }),
    answers: { 200: z.array(contactMessage) },
  }),
  sendContactMessage: route({
    method: 'POST',
    path: '/api/contact/message',
    summary: "The visitor's next message; 200 when its clientId was sent before",
    access: 'anyone',
    limit: 'chat',
    body: z.object({ sessionId, message, clientId }),
    answers: { 201: contactMessage, 200: contactMessage },
  }),
  myChatMessages: route({
    method: 'GET',
    path: '/api/chat/messages',
    summary: "The signed-in seller's chat with staff, oldest first",
    access: 'seller',
    limit: 'read',
    query: messagesPage,
    answers: { 200: z.array(chatMessage) },
  }),
  sendChatMessage: route({
    method: 'POST',
    path: '/api/chat/messages',
    summary: "The seller's next message; 200 when its clientId was sent before",
    access: 'seller',
    limit: 'chat',
    body: z.object({ message, clientId }),
    answers: { 201: chatMessage, 200: chatMessage },
  }),
  myUnread: route({
    method: 'GET',
    path: '/api/chat/unread',
    summary: 'How many replies of staff the seller has not read',
    access: 'seller',
    limit: 'read',
    answers: { 200: z.object({ unreadCount: z.number().int() }) },
  }),
  markMyChatRead: route({
    method: 'POST',
    path: '/api/chat/mark-read',
    summary: 'The seller has read all replies',
    access: 'seller',
    limit: 'write',
    answers: { 200: done },
  }),
  chatThreads: route({
    method: 'GET',
    path: '/api/admin/chat/threads',
    summary: 'Contact and user threads in one list, newest message first, searched by name and e-mail',
    access: 'staff',
    limit: 'read',
    query: threadsPage,
    answers: { 200: z.array(chatThread) },
  }),
  chatMessages: route({
    method: 'GET',
    path: '/api/admin/chat/messages',
    summary: "The messages of a seller's thread, oldest first",
    access: 'staff',
    limit: 'read',
    query: messagesPage.extend({ userId: id }),
    answers: { 200: z.array(staffChatMessage) },
  }),
  replyToUser: route({
    method: 'POST',
    path: '/api/admin/chat/reply',
    summary: 'Write to a seller, who need not have written first; 200 when its clientId was sent before',
    access: 'staff',
    limit: 'write',
    body: z.object({ userId: id, message, clientId }),
    answers: { 201: staffChatMessage, 200: staffChatMessage },
  }),
  replyToContact: route({
    method: 'POST',
    path: '/api/admin/contact/reply',
    summary: 'Reply in a contact thread; 200 when its clientId was sent before',
    access: 'staff',
    limit: 'write',
    body: z.object({ sessionId, message, clientId }),
    answers: { 201: contactMessage, 200: contactMessage },
  }),
  markThreadRead: route({
    method: 'POST',
    path: '/api/admin/chat/mark-read',
    summary: 'Staff have read all messages of a thread',
    access: 'staff',
    limit: 'write',
    body: threadName,
    answers: { 200: done },
  }),
  answerThread: route({
    method: 'POST',
    path: '/api/admin/chat/answering',
    summary: `Say (again within ${ANSWERING_SECONDS} s) that one is writing a reply; names who else already is`,
    access: 'staff',
    limit: 'write',
    body: answering,
    answers: { 200: z.object({ answeringBy: z.string().nullable() }) },
  }),
  savedReplies: route({
    method: 'GET',
    path: '/api/admin/saved-replies',
    summary: 'The saved replies that all staff share, by title',
    access: 'staff',
    limit: 'read',
    answers: { 200: z.array(savedReply) },
  }),
  saveReply: route({
    method: 'POST',
    path: '/api/admin/saved-replies',
    summary: 'Save a reply for all staff',
    access: 'staff',
    limit: 'write',
    body: savedReplyForm,
    answers: { 201: savedReply },
  }),
  changeSavedReply: route({
    method: 'PUT',
    path: '/api/admin/saved-replies/:id',
    summary: 'Change a saved reply for all staff',
    access: 'staff',
    limit: 'write',
    params: z.object({ id }),
    body: savedReplyForm,
    answers: { 200: savedReply },
  }),
  deleteSavedReply: route({
    method: 'DELETE',
    path: '/api/admin/saved-replies/:id',
    summary: 'Delete a saved reply',
    access: 'staff',
    limit: 'write',
    params: z.object({ id }),
    answers: { 200: done },
  }),
}
