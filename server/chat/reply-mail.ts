import { preview } from '#domain/chat.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/database/pool.ts'
import { transaction } from '#server/database/transaction.ts'
import { enqueueLater, type JobPayloads } from '#server/jobs/jobs.ts'
import type { Letter } from '#server/mail/letter.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { sendLetter, unnamed } from '#server/mail/send-letter.ts'
import { listReplies } from './message-queries.ts'
import { findThread, lockThread, noteMailed } from './thread-queries.ts'

/** How long a reply may wait in the chat before it is mailed. */
const MAIL_AFTER_SECONDS = 5 * 60
/** Replies in one mail, and code points of each. */
const MAX_REPLIES = 5
const MAX_LENGTH = 500

/**
 * Asks for a mail with the replies after `mailed`, the number up to which all were mailed or read. All replies until
 * then ask for the same mail, because the number is the job's key.
 */
export function mailIfUnread(tx: Transaction, threadId: string, mailed: number): Promise<void> {
  const payload = { threadId, after: mailed }
  return enqueueLater(tx, 'replyMail', `${threadId}:${mailed}`, { payload, afterSeconds: MAIL_AFTER_SECONDS })
}

/** Mails what support replied and the customer has not read. */
export async function sendReplyMail(
  context: Context,
  mailer: Mailer,
  { threadId, after }: JobPayloads['replyMail'],
  id: string,
): Promise<void> {
  const { db } = context
  const found = await findThread(db, { threadId })
  // Another number means that this mail was sent, but the server died before it noted that the job was done.
  if (!found || found.thread.customerMailedNumber !== after) return
  const upTo = found.thread.lastMessageNumber
  const unread = { after: Math.max(after, found.thread.customerReadNumber), upTo, limit: MAX_REPLIES }
  const replies = await listReplies(db, threadId, unread)
  if (replies.length > 0) {
    await sendLetter(context, mailer, {
      to: unnamed(found.email),
      id,
      compose: () => replyLetter(context, found.sessionId, replies),
    })
  }
  await transaction(db, (tx) => finish(tx, threadId, upTo))
}

async function finish(tx: Transaction, threadId: string, upTo: number): Promise<void> {
  const locked = await lockThread(tx, { threadId })
  if (!locked) return
  await noteMailed(tx, threadId, upTo)
  // A reply that came during the sending asked for the mail that was already on its way.
  const { customerReadNumber, lastMessageNumber } = locked.thread
  const missed = { after: Math.max(upTo, customerReadNumber), upTo: lastMessageNumber, limit: 1 }
  if ((await listReplies(tx, threadId, missed)).length > 0) await mailIfUnread(tx, threadId, upTo)
}

/**
 * The address may be a stranger's who never wrote to us, so the letter holds what staff wrote and nothing that a customer
 * typed, no name either.
 */
function replyLetter({ site }: Context, sessionId: string | null, replies: readonly string[]): Letter {
  return {
    subject: 'Support replied to you',
    heading: 'Support replied to you',
    paragraphs: [
      ...replies.map((reply) => preview(reply, MAX_LENGTH)),
      'Open the conversation to read everything and to answer. If you did not write to us, please ignore this mail.',
    ],
    button: { label: 'Open the conversation', url: `${site.publicUrl}${conversationPath(sessionId)}` },
  }
}

/** Sellers sign in on the way. A visitor is admitted by the key. */
function conversationPath(sessionId: string | null): string {
  return sessionId === null
    ? '/processing?chat=open'
    : `/contact/chat?session=${encodeURIComponent(sessionId)}`
}
