import type { FastifyBaseLogger } from 'fastify'
import type { Site } from '#server/platform/config/site.ts'
import { type Mailer, MailRefused } from './mailer.ts'
import { type EmailContent, renderEmail } from './template.ts'

export interface Recipient {
  readonly email: string
  readonly firstName: string
  /** Whether the owner of the account has confirmed this address. */
  readonly verified: boolean
}

/** A recipient who is not greeted by name and gets nothing that a user typed. */
export function anonymousRecipient(email: string): Recipient {
  return { email, firstName: '', verified: false }
}

/**
 * Text that users typed, for one recipient. Anyone can register anyone's address, so an unconfirmed address gets nothing that
 * a stranger may have typed. Text by staff does not need this.
 */
export interface UserText {
  readonly greeting: string
  /** The text, or the fallback if the address is not confirmed. */
  typed(text: string, fallback: string): string
}

interface EmailOptions {
  readonly to: Recipient
  /** Must pass everything that a user typed through `userText`. */
  readonly compose: (userText: UserText) => EmailContent
  readonly id: string
}

/**
 * Sends the email of a job, with the job's id so that duplicates can be detected. Logs and drops an email that can never be
 * sent.
 */
export async function sendEmail(
  { site, log }: { site: Site; log: FastifyBaseLogger },
  mailer: Mailer,
  { to, compose, id }: EmailOptions,
): Promise<void> {
  try {
    const content = compose(userTextFor(to))
    await mailer.sendMail({ to: to.email, id, ...renderEmail(content, site.productName, contactLine(site)) })
  } catch (err) {
    if (!(err instanceof MailRefused)) throw err
    log.warn({ err, jobId: id }, 'cannot send this email; it is dropped')
  }
}

function userTextFor({ firstName, verified }: Recipient): UserText {
  return {
    greeting: verified ? `Hello ${firstName},` : 'Hello,',
    typed: (text, fallback) => (verified ? text : fallback),
  }
}

function contactLine({ repliesAreRead, supportEmail, publicUrl }: Site): string {
  if (repliesAreRead) return 'If you have a question, reply to it.'
  return `Replies to it are not read. If you have a question, write to ${supportEmail ?? `us at ${publicUrl}/contact`}`
}
