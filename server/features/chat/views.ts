import type { ChatMessage, ContactMessage, StaffChatMessage } from '#contract/chat.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import type { MessageRow, ThreadRow } from './queries.ts'
import type { ListedThreadRow } from './thread-list-queries.ts'

function messageFields({ message }: MessageRow, { thread }: ThreadRow) {
  const readUpTo = message.isAdminReply ? thread.customerReadNumber : thread.staffReadNumber
  return {
    id: message.id,
    message: message.message,
    isUserMessage: !message.isAdminReply,
    isAdminReply: message.isAdminReply,
    read: message.number <= readUpTo,
    clientId: message.clientId,
    createdAt: message.createdAt.toISOString(),
  }
}

/** For staff only: customers must not see the usernames that staff sign in with. */
function author({ message, adminUsername }: MessageRow, { username }: ThreadRow) {
  return { username, adminUserId: message.adminUserId, adminUsername }
}

export function toChatMessage(row: MessageRow, thread: ThreadRow): ChatMessage {
  return { ...messageFields(row, thread), userId: thread.thread.userId ?? '' }
}

export function toStaffChatMessage(row: MessageRow, thread: ThreadRow): StaffChatMessage {
  return { ...toChatMessage(row, thread), ...author(row, thread) }
}

export function toContactMessage(row: MessageRow, thread: ThreadRow): ContactMessage {
  return { ...messageFields(row, thread), sessionId: thread.sessionId ?? '' }
}

export function toStaffContactMessage(row: MessageRow, thread: ThreadRow): ContactMessage {
  return { ...toContactMessage(row, thread), ...author(row, thread) }
}

export function toThread({
  thread,
  sessionId,
  username,
  email,
  subject,
  answeringBy,
  lastIsReply,
}: ListedThreadRow): ChatThread {
  return {
    id: thread.id,
    type: thread.userId === null ? 'contact' : 'user',
    userId: thread.userId,
    sessionId,
    username,
    userEmail: email,
    subject,
    lastMessage: thread.lastMessage,
    lastMessageTime: thread.lastMessageAt.toISOString(),
    lastMessageIsReply: lastIsReply ?? false,
    unreadCount: thread.staffUnread,
    answeringBy,
  }
}
