import { preview } from '#domain/chat.ts'
import type { Context } from '#server/context.ts'
import { newToken } from '#server/features/accounts/sessions/cookies.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueueLater, type JobPayloads, type PushNews } from '#server/platform/jobs/jobs.ts'
import { anonymousRecipient, type Letter, type PushLetter } from '#server/platform/mail/letter.ts'
import type { Translate } from '#words/translate.ts'
import { findThread, keepMailedKey, listReplies, lockThread, noteMailed } from './queries.ts'

/** Seconds that the customer has to read a reply in the chat before it is mailed. */
const MAIL_AFTER_SECONDS = 5 * 60
/** Maximum replies in one mail. */
const MAX_REPLIES = 5
/** Maximum code points of each reply in a mail. */
const MAX_LENGTH = 500

/**
 * Schedules one mail with the replies after `mailed`, the number of the last reply that was mailed or read. The number is
 * the job's key, so further replies do not schedule another mail.
 */
export function mailIfUnread(tx: Transaction, threadId: string, mailed: number): Promise<void> {
  const payload = { threadId, after: mailed }
  return enqueueLater(tx, 'replyMail', `${threadId}:${mailed}`, { payload, afterSeconds: MAIL_AFTER_SECONDS })
}

/**
 * The mail with the replies that the customer has not read. Anyone can enter a stranger's address in the contact form, so it
 * holds only what staff wrote: nothing that a customer typed, not even a name.
 */
export async function composeReplyMail(
  { db }: Context,
  { threadId, after }: JobPayloads['replyMail'],
): Promise<Letter | undefined> {
  const found = await findThread(db, { threadId })
  // A different number: the mail was sent, but the server died before it marked the job as done.
  if (!found || found.thread.customerMailedNumber !== after) return undefined
  const { userId, contactSessionId, customerReadNumber, lastMessageNumber: upTo } = found.thread
  const unread = { after: Math.max(after, customerReadNumber), upTo, limit: MAX_REPLIES + 1 }
  const replies = await listReplies(db, threadId, unread)
  const afterwards = () => transaction(db, (tx) => finish(tx, threadId, upTo))
  if (replies.length === 0) {
    await afterwards()
    return undefined
  }
  const key = contactSessionId && (await keepMailedKey(db, contactSessionId, newToken()))
  const quoted = replies
    .slice(0, MAX_REPLIES)
    .map((reply) => ({ ...reply, said: preview(reply.message, MAX_LENGTH) }))
  const isWhole = quoted.length === replies.length && quoted.every(({ said, message }) => said === message)
  return {
    kind: 'reply',
    to: anonymousRecipient(found.email, found.locale),
    ...(userId ? { sellerId: userId } : { because: 'contact' }),
    title: 'mail.reply.title',
    paragraphs: [
      ...quoted.flatMap(({ said, photoCount }) => [
        said && { said },
        photoCount > 0 && ('mail.reply.photo' as const),
      ]),
      isWhole ? 'mail.reply.text' : 'mail.reply.shortened',
    ],
    button: { label: 'mail.reply.button', path: conversationPath(key) },
    afterwards,
  }
}

/** The push about a reply to a seller. Undefined if it was read, or a later one has its own push. */
export async function composeReplyPush(
  { db }: Context,
  _t: Translate,
  { threadId, number }: Extract<PushNews, { about: 'reply' }>,
): Promise<PushLetter | undefined> {
  const { thread } = (await findThread(db, { threadId })) ?? {}
  if (!thread || thread.customerReadNumber >= number || thread.lastMessageNumber > number) return undefined
  return { kind: 'reply', topic: 'chat', path: conversationPath(null) }
}

async function finish(tx: Transaction, threadId: string, upTo: number): Promise<void> {
  const locked = await lockThread(tx, { threadId })
  if (!locked) return
  await noteMailed(tx, threadId, upTo)
  // A reply written while the mail was being sent did not schedule one, because this job still had its key.
  const { customerReadNumber, lastMessageNumber } = locked.thread
  const missed = { after: Math.max(upTo, customerReadNumber), upTo: lastMessageNumber, limit: 1 }
  if ((await listReplies(tx, threadId, missed)).length > 0) await mailIfUnread(tx, threadId, upTo)
}

/** Sellers have to sign in; a visitor's link holds the key to the thread. */
function conversationPath(key: string | null): string {
  return key === null ? '/processing?chat=open' : `/contact/chat?session=${encodeURIComponent(key)}`
}
