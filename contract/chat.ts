import { z } from 'zod'
import { MAX_MESSAGE_LENGTH } from '#domain/chat.ts'
import { MAX_CHAT_PHOTOS } from '#domain/photo-files.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { atMost, done, email, id, instant, line, money, text } from './values.ts'

const messageText = text({ max: MAX_MESSAGE_LENGTH })
export const message = text({ max: MAX_MESSAGE_LENGTH, required: 'message_required' })
/**
 * The visitor's key to a contact thread, from POST /api/contact or from a mailed link. The first use of a mailed link
 * revokes the key from the form. Anyone who has the key can read and write in the thread. Staff identify the thread by the
 * key from the form.
 */
export const sessionId = text({ max: 255, required: 'session_required' })
/** Made by the client for each message. A message sent again with the same id is stored only once. */
export const clientId = id.optional()

/** Which submission a seller's conversation is about from this message on. */
export const submissionId = id
  .nullable()
  .optional()
  .describe('The submission that the conversation is about. null: none. Left out: unchanged')

/** The card that a conversation is about. */
export const aboutCard = z.object({
  id,
  brandName: z.string(),
  denomination: money,
  cardNumber: z.string().describe('Masked'),
})
export type AboutCard = z.input<typeof aboutCard>

/** A message in a seller's thread, with photos if sent as a form (images). The text may be empty if there are photos. */
export const newMessage = z.object({ message: messageText, clientId, submissionId })
export const takesPhotos = { multipart: 'or_json', maxPhotos: MAX_CHAT_PHOTOS } as const

const tooShort = 'contact_message_too_short' satisfies FieldCode

/** The contact form. The server composes the spec's `fullMessage` itself, so that field is ignored if sent. */
export const contactForm = z.object({
  firstName: line({ max: 100, required: 'first_name_required' }),
  lastName: line({ max: 100, required: 'last_name_required' }),
  email: email('email_invalid'),
  subject: line({ max: 255, required: 'subject_required' }),
  message: text({ max: MAX_MESSAGE_LENGTH, required: tooShort }).min(10, tooShort),
})
export type ContactForm = z.output<typeof contactForm>

const messageFields = z.object({
  id,
  message: z.string(),
  isUserMessage: z.boolean(),
  isAdminReply: z.boolean(),
  read: z.boolean().describe('Whether the other side has read it'),
  clientId: id
    .nullable()
    .describe('The id its sender gave it, to match a message that was displayed before it was stored'),
  createdAt: instant,
})

/** For staff only: who wrote a message, and whether it was masked. */
const forStaff = z.object({
  username: z.string(),
  adminUserId: id.nullable(),
  adminUsername: z.string().nullable().describe('The name to show above a reply'),
  isMasked: z
    .boolean()
    .describe(
      'Whether anything like a card number, PIN or code in the text is masked. POST …/reveal answers all of it',
    ),
})

/** A message of a signed-in seller's thread. */
export const chatMessage = messageFields.extend({
  userId: id,
  images: z
    .array(z.string())
    .describe('The paths of its photos. Empty if they were erased or the role may not see them'),
  photoCount: z.number().int().describe('How many photos it was sent with'),
})
export type ChatMessage = z.input<typeof chatMessage>
export type ChatMessageAnswer = z.output<typeof chatMessage>

/** The same message as staff see it. */
export const staffChatMessage = chatMessage.extend(forStaff.shape)
export type StaffChatMessage = z.input<typeof staffChatMessage>
export type StaffChatMessageAnswer = z.output<typeof staffChatMessage>

/** A message of a contact thread. Only staff get the fields of `forStaff`. */
export const contactMessage = messageFields.extend({ sessionId: z.string(), ...forStaff.partial().shape })
export type ContactMessage = z.input<typeof contactMessage>
export type ContactMessageAnswer = z.output<typeof contactMessage>

/** Selects the newest messages of a thread, or the newest ones before a given message. Listed oldest first. */
export const messagesPage = z.object({
  limit: atMost(500).default(200),
  before: id.optional().describe('The id of a message. Returns earlier messages'),
})
export type MessagesPage = z.output<typeof messagesPage>

export const chatRoutes = {
  startContact: route({
    method: 'POST',
    path: '/api/contact',
    summary: "Send the contact form. Starts a thread and returns the visitor's key to it",
    access: 'anyone',
    limit: 'contact',
    body: contactForm,
    answers: { 201: z.object({ sessionId: z.string() }) },
  }),
  contactMessages: route({
    method: 'GET',
    path: '/api/contact/messages',
    summary: 'The messages of a contact thread, oldest first. Staff see who replied',
    access: 'anyone',
    limit: 'read',
    refuses: ['not_found', 'continued_by_email'],
    query: messagesPage.extend({
      sessionId,
      peek: z
        .literal('true')
        .optional()
        .describe('Leaves replies unread. Without it, the newest messages are marked as read'),
    }),
    answers: { 200: z.array(contactMessage) },
  }),
  sendContactMessage: route({
    method: 'POST',
    path: '/api/contact/message',
    summary: 'Send a message as the visitor. 200 if its clientId was sent before',
    access: 'anyone',
    limit: 'chat',
    refuses: ['not_found', 'continued_by_email'],
    body: z.object({ sessionId, message, clientId }),
    answers: { 201: contactMessage, 200: contactMessage },
  }),
  myChat: route({
    method: 'GET',
    path: '/api/chat',
    summary: "The card that the signed-in seller's chat with staff is about",
    access: 'seller',
    limit: 'read',
    answers: { 200: z.object({ about: aboutCard.nullable() }) },
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
    summary:
      'Send a message as the seller, with photos if sent as a form (images). 200 if its clientId was sent before',
    access: 'seller',
    limit: 'chat',
    refuses: ['not_found'],
    body: newMessage,
    ...takesPhotos,
    answers: { 201: chatMessage, 200: chatMessage },
  }),
  myUnread: route({
    method: 'GET',
    path: '/api/chat/unread',
    summary: 'The number of replies the seller has not read',
    access: 'seller',
    limit: 'read',
    answers: { 200: z.object({ unreadCount: z.number().int() }) },
  }),
  markMyChatRead: route({
    method: 'POST',
    path: '/api/chat/mark-read',
    summary: 'Mark all replies as read',
    access: 'seller',
    limit: 'write',
    answers: { 200: done },
  }),
}
