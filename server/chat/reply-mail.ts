import { preview } from '#domain/chat.ts'
import type { Context } from '#server/context.ts'
import type { JobPayloads } from '#server/jobs/jobs.ts'
import type { Letter } from '#server/mail/letter.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { sendLetter, unnamed } from '#server/mail/send-letter.ts'
import { listUnreadReplies } from './message-queries.ts'
import { findThread } from './thread-queries.ts'

/** How long a reply may wait in the chat before it is mailed. */
export const MAIL_AFTER_SECONDS = 5 * 60
/** Replies in one mail, and code points of each. */
const MAX_REPLIES = 5
const MAX_LENGTH = 500

/**
 * Mails what support replied and the customer has not read. The address may be a stranger's who never wrote to us, so
 * the mail holds what staff wrote and nothing that a customer typed, no name either.
 */
export async function sendReplyMail(
  context: Context,
  mailer: Mailer,
  { threadId, number }: JobPayloads['replyMail'],
  id: string,
): Promise<void> {
  const found = await findThread(context.db, { threadId })
  if (!found || found.thread.customerReadNumber >= number) return
  const replies = await listUnreadReplies(context.db, found.thread, MAX_REPLIES)
  const letter: Letter = {
    subject: 'Support replied to you',
    heading: 'Support replied to you',
    paragraphs: [
      ...replies.map((reply) => preview(reply, MAX_LENGTH)),
      'Open the conversation to read everything and to answer. If you did not write to us, please ignore this mail.',
    ],
    button: {
      label: 'Open the conversation',
      url: `${context.site.publicUrl}${conversationPath(found.sessionId)}`,
    },
  }
  await sendLetter(context, mailer, { to: unnamed(found.email), id, compose: () => letter })
}

/** Sellers sign in on the way. A visitor is admitted by the key. */
function conversationPath(sessionId: string | null): string {
  return sessionId === null
    ? '/processing?chat=open'
    : `/contact/chat?session=${encodeURIComponent(sessionId)}`
}
