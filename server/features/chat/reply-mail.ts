import { preview } from '#domain/chat.ts'
import { REPLY_NOTICE } from '#domain/notifications.ts'
import type { Context } from '#server/context.ts'
import { sendNotice } from '#server/features/notifications/actions.ts'
import { newToken } from '#server/features/people/sessions/cookies.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueueLater, type JobPayloads } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { anonymousRecipient, linkTo, sendEmail } from '#server/platform/mail/send-email.ts'
import type { EmailContent } from '#server/platform/mail/template.ts'
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

/** Mails the replies that the customer has not read, unless it is a seller who does not want such mails. */
export async function sendReplyMail(
  context: Context,
  mailer: Mailer,
  { threadId, after }: JobPayloads['replyMail'],
  id: string,
): Promise<void> {
  const { db } = context
  const found = await findThread(db, { threadId })
  // A different number: the mail was sent, but the server died before it marked the job as done.
  if (!found || found.thread.customerMailedNumber !== after) return
  const upTo = found.thread.lastMessageNumber
  const unread = { after: Math.max(after, found.thread.customerReadNumber), upTo, limit: MAX_REPLIES }
  const replies = await listReplies(db, threadId, unread)
  if (replies.length > 0) {
    const { userId, contactSessionId } = found.thread
    const key = contactSessionId && (await keepMailedKey(db, contactSessionId, newToken()))
    const email = {
      to: anonymousRecipient(found.email, found.locale),
      id,
      compose: (t: Translate) => replyEmail(context, t, key, replies),
    }
    if (userId) await sendNotice(context, mailer, { ...email, userId, notice: REPLY_NOTICE })
    else await sendEmail(context, mailer, { ...email, because: 'contact' })
  }
  await transaction(db, (tx) => finish(tx, threadId, upTo))
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

/**
 * Anyone can enter a stranger's address in the contact form, so the mail holds only what staff wrote: nothing that a
 * customer typed, not even a name.
 */
function replyEmail(
  { site }: Context,
  t: Translate,
  key: string | null,
  replies: readonly string[],
): EmailContent {
  return {
    subject: t('mail.reply.title'),
    heading: t('mail.reply.title'),
    paragraphs: [...replies.map((reply) => ({ said: preview(reply, MAX_LENGTH) })), t('mail.reply.text')],
    button: { label: t('mail.reply.button'), url: linkTo(site, t.locale, conversationPath(key)) },
  }
}

/** Sellers have to sign in; a visitor's link holds the key to the thread. */
function conversationPath(key: string | null): string {
  return key === null ? '/processing?chat=open' : `/contact/chat?session=${encodeURIComponent(key)}`
}
