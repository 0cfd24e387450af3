import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  type ChatMessageAnswer,
  type ContactMessageAnswer,
  chatRoutes as routes,
  type StaffChatMessageAnswer,
} from '#contract/chat.ts'
import { savedReplyRoutes } from '#contract/saved-replies.ts'
import { type ChatThreadAnswer, staffChatRoutes } from '#contract/staff-chat.ts'
import { MASK, maskCardNumber, maskCards } from '#domain/card-number.ts'
import type { Context } from '#server/context.ts'
import type { Sessions } from '#server/features/accounts/sessions/sessions.ts'
import { pathsFor, type ReceivedPhoto } from '#server/features/submissions/photos.ts'
import { CHAT_PHOTOS, withUpload } from '#server/features/submissions/upload.ts'
import { mayNow, type Staff } from '#server/http/actor.ts'
import { parseWith } from '#server/http/errors.ts'
import { finishPage, linkPage } from '#server/http/paging.ts'
import { invalid } from '#server/http/refusal.ts'
import { isFormType, type Serve } from '#server/http/serve.ts'
import * as chat from './actions.ts'
import type { MessageRow, ThreadRow } from './queries.ts'
import * as saved from './saved-replies.ts'
import { listSellerCards } from './seller-cards.ts'
import type { Sent } from './send.ts'
import { countLists, type ListedThreadRow, sortKeys } from './thread-list-queries.ts'

export function serveChat(serve: Serve, context: Context, sessions: Sessions): void {
  serveVisitors(serve, context, sessions)
  serveSellers(serve, context)
  serveStaff(serve, context)
  serveSavedReplies(serve, context)
}

function serveVisitors(serve: Serve, context: Context, sessions: Sessions): void {
  serve(routes.startContact, ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return chat.startContact(context, body, request.words)
  })

  serve(routes.contactMessages, async ({ query, request, reply }) => {
    reply.header('cache-control', 'no-store')
    const signedIn = await sessions.staff(request)
    const staff = signedIn && mayNow(signedIn, 'chat') ? signedIn : undefined
    const page = await chat.readContact(context, staff, query)
    return finishMessages(request, reply, page, staff ? toStaffContactMessage : toContactMessage)
  })

  serve(routes.sendContactMessage, async ({ body: { sessionId, ...draft }, reply }) => {
    reply.header('cache-control', 'no-store')
    return finishSending(reply, await chat.sendContactMessage(context, sessionId, draft), toContactMessage)
  })
}

function serveSellers(serve: Serve, context: Context): void {
  serve(routes.myChat, async ({ actor }) => {
    const about = await chat.readAbout(context, actor)
    return { about: about && { ...about, cardNumber: maskCardNumber(about.lastFour) } }
  })

  serve(routes.myChatMessages, async ({ actor, query, request, reply }) =>
    finishMessages(request, reply, await chat.readSellerChat(context, actor.id, query), toChatMessage),
  )

  serve(routes.sendChatMessage, async ({ actor, request, reply }) => {
    const sent = await withMessage(context, request, routes.sendChatMessage.body, (draft, photos) =>
      chat.sendMessage(context, { userId: actor.id }, draft, photos),
    )
    return finishSending(reply, sent, toChatMessage)
  })

  serve(routes.myUnread, async ({ actor }) => ({ unreadCount: await chat.countOwnUnread(context, actor) }))

  serve(routes.markMyChatRead, async ({ actor, request }) => {
    await chat.markOwnRead(context, actor)
    return { message: request.words('done.marked_as_read') }
  })
}

function serveStaff(serve: Serve, context: Context): void {
  serve(staffChatRoutes.chatThreads, async ({ actor, query, request, reply }) => {
    const { rows, total } = await chat.listThreads(context, actor, query)
    const page = { rows, total, limit: query.limit }
    return finishPage(request, reply, page, ({ thread }) => String(thread[sortKeys[query.sort]])).map(
      toThread(actor),
    )
  })

  serve(staffChatRoutes.chatCounts, ({ actor }) => countLists(context.db, actor.id))

  serve(staffChatRoutes.changeThread, async ({ actor, body: { userId, sessionId, ...change } }) =>
    toThread(actor)(await chat.changeThread(context, actor, threadName({ userId, sessionId }), change)),
  )

  serve(staffChatRoutes.chatCards, ({ query }) => listSellerCards(context, query.userId))

  serve(staffChatRoutes.chatMessages, async ({ actor, query: { userId, ...page }, request, reply }) =>
    finishMessages(
      request,
      reply,
      await chat.readSellerChat(context, userId, page),
      toStaffChatMessage(actor),
    ),
  )

  serve(staffChatRoutes.revealMessage, ({ actor, params }) => chat.revealMessage(context, actor, params.id))

  serve(staffChatRoutes.replyToUser, async ({ actor, request, reply }) => {
    const { body } = staffChatRoutes.replyToUser
    const sent = await withMessage(context, request, body, ({ userId, ...draft }, photos) =>
      chat.sendMessage(context, { userId }, { ...draft, staff: actor }, photos),
    )
    return finishSending(reply, sent, toStaffChatMessage(actor))
  })

  serve(staffChatRoutes.replyToContact, async ({ actor, body: { sessionId, ...draft }, reply }) => {
    const sent = await chat.sendMessage(context, { sessionId }, { ...draft, staff: actor })
    return finishSending(reply, sent, toStaffContactMessage)
  })

  serve(staffChatRoutes.markThreadRead, async ({ body, request }) => {
    await chat.markRead(context, threadName(body))
    return { message: request.words('done.marked_as_read') }
  })

  serve(staffChatRoutes.answerThread, async ({ actor, body }) => ({
    answeringBy: await chat.answerThread(context, actor, threadName(body), body.answering),
  }))
}

function serveSavedReplies(serve: Serve, context: Context): void {
  serve(savedReplyRoutes.savedReplies, () => saved.listSavedReplies(context))

  serve(savedReplyRoutes.saveReply, ({ actor, body }) => saved.saveReply(context, actor, body))

  serve(savedReplyRoutes.changeSavedReply, ({ params, body }) =>
    saved.changeSavedReply(context, params.id, body),
  )

  serve(savedReplyRoutes.deleteSavedReply, async ({ params, request }) => {
    await saved.deleteSavedReply(context, params.id)
    return { message: request.words('done.deleted') }
  })
}

/** Reads a message from JSON, or from a form with photos. It needs a text or a photo. */
async function withMessage<Body extends z.ZodType<{ message: string }>>(
  context: Context,
  request: FastifyRequest,
  body: Body,
  work: (draft: z.output<Body>, photos: readonly ReceivedPhoto[]) => Promise<Sent>,
): Promise<Sent> {
  const check = (sent: unknown, photos: readonly ReceivedPhoto[] = []) => {
    const draft = parseWith(body, sent)
    if (draft.message === '' && photos.length === 0) {
      throw invalid([{ path: 'message', code: 'message_required' }])
    }
    return work(draft, photos)
  }
  if (!isFormType(request.headers['content-type'])) return check(request.body)
  return withUpload(
    request,
    context.decoder,
    // A form has no null.
    ({ fields: { submissionId, ...fields }, photos }) =>
      check({ ...fields, submissionId: submissionId === '' ? null : submissionId }, photos),
    CHAT_PHOTOS,
  )
}

type ToMessage<Message> = (row: MessageRow, thread: ThreadRow) => Message

/** 201, or 200 for a message that had been sent before. */
function finishSending<Message>(
  reply: FastifyReply,
  { created, row, thread }: Sent,
  toMessage: ToMessage<Message>,
): Message {
  reply.code(created ? 201 : 200)
  return toMessage(row, thread)
}

/** Links to the page of older messages. */
function finishMessages<Message>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: chat.Messages | undefined,
  toMessage: ToMessage<Message>,
): Message[] {
  if (!page) return []
  const [oldest] = page.rows
  if (page.hasOlder && oldest) linkPage(request, reply, 'prev', { before: oldest.message.id })
  return page.rows.map((row) => toMessage(row, page.thread))
}

/** The contract requires exactly one of the two. */
function threadName({
  userId,
  sessionId = '',
}: {
  userId?: string | undefined
  sessionId?: string | undefined
}): chat.ThreadName {
  return userId === undefined ? { sessionId } : { userId }
}

function messageFields({ message }: MessageRow, { thread }: ThreadRow) {
  const readUpTo = message.isAdminReply ? thread.customerReadNumber : thread.staffReadNumber
  return {
    id: message.id,
    message: message.message,
    isUserMessage: !message.isAdminReply,
    isAdminReply: message.isAdminReply,
    read: message.number <= readUpTo,
    clientId: message.clientId,
    createdAt: message.createdAt,
  }
}

/**
 * For staff only: customers must not see the usernames that staff sign in with, and read what they typed. Staff reveal a masked text by
 * `revealMessage`.
 */
function staffFields({ message, adminUsername }: MessageRow, { username }: ThreadRow) {
  const text = maskCards(message.message)
  const isMasked = text !== message.message
  return { username, adminUserId: message.adminUserId, adminUsername, message: text, isMasked }
}

function toChatMessage(row: MessageRow, thread: ThreadRow): ChatMessageAnswer {
  return {
    ...messageFields(row, thread),
    userId: thread.thread.userId ?? '',
    images: pathsFor(row.photoNames, 'seller'),
    photoCount: row.message.photoCount,
  }
}

function toStaffChatMessage(staff: Staff): ToMessage<StaffChatMessageAnswer> {
  return (row, thread) => {
    const images = mayNow(staff, 'reveal_cards') ? pathsFor(row.photoNames, staff) : []
    return { ...toChatMessage(row, thread), ...staffFields(row, thread), images }
  }
}

function toContactMessage(row: MessageRow, thread: ThreadRow): ContactMessageAnswer {
  return { ...messageFields(row, thread), sessionId: thread.visitorKey ?? '' }
}

/** Staff know a thread by its session id, whichever key its visitor uses. */
function toStaffContactMessage(row: MessageRow, thread: ThreadRow): ContactMessageAnswer {
  return { ...messageFields(row, thread), sessionId: thread.sessionId ?? '', ...staffFields(row, thread) }
}

function toThread(staff: Staff): (row: ListedThreadRow) => ChatThreadAnswer {
  return ({ thread, email, about, lastIsReply, assignee, assigner, state, ...row }) => ({
    ...thread,
    ...row,
    type: thread.userId === null ? 'contact' : 'user',
    userEmail: email,
    subject: row.subject && maskCards(row.subject),
    about: about && {
      ...about,
      cardNumber: mayNow(staff, 'see_details') ? maskCardNumber(about.lastFour) : MASK,
    },
    lastMessageTime: thread.lastMessageAt,
    lastMessageIsReply: lastIsReply ?? false,
    unreadCount: thread.staffUnread,
    state,
    snoozedUntil: state === 'snoozed' ? thread.snoozedUntil : null,
    assignedTo:
      thread.assignedTo && assignee
        ? { id: thread.assignedTo, username: assignee, by: assigner, at: thread.assignedAt }
        : null,
  })
}
