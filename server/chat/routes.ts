import type { FastifyReply, FastifyRequest } from 'fastify'
import { chatRoutes as routes } from '#contract/chat.ts'
import { savedReplyRoutes } from '#contract/saved-replies.ts'
import { staffChatRoutes } from '#contract/staff-chat.ts'
import type { Context } from '#server/context.ts'
import { finishPage, linkPage } from '#server/http/pages.ts'
import type { Serve } from '#server/http/serve.ts'
import type { Sessions } from '#server/sessions/sessions.ts'
import * as chat from './actions.ts'
import * as saved from './saved-replies.ts'
import { toThread } from './views.ts'

export function serveChat(serve: Serve, context: Context, sessions: Sessions): void {
  serveVisitors(serve, context, sessions)
  serveSellers(serve, context)
  serveStaff(serve, context)
  serveSavedReplies(serve, context)
}

function serveVisitors(serve: Serve, context: Context, sessions: Sessions): void {
  serve(routes.startContact, ({ body, reply }) => {
    reply.header('cache-control', 'no-store')
    return chat.startContact(context, body)
  })

  serve(routes.contactMessages, async ({ query, request, reply }) => {
    reply.header('cache-control', 'no-store')
    const staff = await sessions.staff(request)
    return finishMessages(request, reply, await chat.readContact(context, staff, query))
  })

  serve(routes.sendContactMessage, async ({ body: { sessionId, ...draft }, reply }) => {
    reply.header('cache-control', 'no-store')
    return finishSending(reply, await chat.sendContactMessage(context, sessionId, draft))
  })
}

function serveSellers(serve: Serve, context: Context): void {
  serve(routes.myChatMessages, async ({ actor, query, request, reply }) =>
    finishMessages(request, reply, await chat.readOwnChat(context, actor, query)),
  )

  serve(routes.sendChatMessage, async ({ actor, body, reply }) =>
    finishSending(reply, await chat.sendOwnMessage(context, actor, body)),
  )

  serve(routes.myUnread, async ({ actor }) => ({ unreadCount: await chat.countOwnUnread(context, actor) }))

  serve(routes.markMyChatRead, async ({ actor }) => {
    await chat.markOwnRead(context, actor)
    return { message: 'Marked as read' }
  })
}

function serveStaff(serve: Serve, context: Context): void {
  serve(staffChatRoutes.chatThreads, async ({ actor, query, request, reply }) => {
    const { rows, total } = await chat.listThreads(context, actor, query)
    const page = { rows, total, limit: query.limit }
    return finishPage(request, reply, page, ({ thread }) => String(thread.lastMessageNumber)).map(toThread)
  })

  serve(staffChatRoutes.chatMessages, async ({ query, request, reply }) =>
    finishMessages(request, reply, await chat.readUserThread(context, query)),
  )

  serve(staffChatRoutes.replyToUser, async ({ actor, body: { userId, ...draft }, reply }) =>
    finishSending(reply, await chat.replyToUser(context, actor, userId, draft)),
  )

  serve(staffChatRoutes.replyToContact, async ({ actor, body: { sessionId, ...draft }, reply }) =>
    finishSending(reply, await chat.replyToContact(context, actor, sessionId, draft)),
  )

  serve(staffChatRoutes.markThreadRead, async ({ body }) => {
    await chat.markRead(context, threadName(body))
    return { message: 'Marked as read' }
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

  serve(savedReplyRoutes.deleteSavedReply, async ({ params }) => {
    await saved.deleteSavedReply(context, params.id)
    return { message: 'Deleted' }
  })
}

/** A message that was there already is 200. */
function finishSending<Message>(
  reply: FastifyReply,
  { created, message }: chat.SentMessage<Message>,
): Message {
  reply.code(created ? 201 : 200)
  return message
}

/** Older messages are a page back, at the address in `Link`. */
function finishMessages<Message extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { messages, hasOlder }: chat.Messages<Message>,
): Message[] {
  const [oldest] = messages
  if (hasOlder && oldest) linkPage(request, reply, 'prev', { before: oldest.id })
  return [...messages]
}

/** The contract lets through exactly one of the two. */
function threadName({
  userId,
  sessionId = '',
}: {
  userId?: string | undefined
  sessionId?: string | undefined
}): chat.ThreadName {
  return userId === undefined ? { sessionId } : { userId }
}
