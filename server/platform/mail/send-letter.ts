import type { FastifyBaseLogger } from 'fastify'
import type { Site } from '#server/platform/config/site.ts'
import { type Letter, type Recipient, renderLetter, type Words, wordsFor } from './letter.ts'
import { type Mailer, MailRefused } from './mailer.ts'

/** The address of a letter that greets nobody by name and repeats nothing that a user typed. */
export const unnamed = (email: string): Recipient => ({ email, firstName: '', verified: false })

interface Sending {
  readonly to: Recipient
  /** Whatever a user typed goes through `words`. */
  readonly compose: (words: Words) => Letter
  readonly id: string
}

/**
 * Sends one letter for a job; the job's id makes a repetition recognisable as one. A letter that no try will
 * ever send is given up with a line in the log.
 */
export async function sendLetter(
  { site, log }: { site: Site; log: FastifyBaseLogger },
  mailer: Mailer,
  { to, compose, id }: Sending,
): Promise<void> {
  try {
    const letter = compose(wordsFor(to))
    await mailer.sendMail({ to: to.email, id, ...renderLetter(letter, site.productName, contactLine(site)) })
  } catch (err) {
    if (!(err instanceof MailRefused)) throw err
    log.warn({ err, jobId: id }, 'mail cannot be sent')
  }
}

/** How the reader of a mail reaches a person. */
function contactLine({ repliesAreRead, supportEmail, publicUrl }: Site): string {
  if (repliesAreRead) return 'If you have a question, reply to it.'
  return `Replies to it are not read. If you have a question, write to ${supportEmail ?? `us at ${publicUrl}/contact`}`
}
