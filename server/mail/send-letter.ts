import type { Context } from '#server/context.ts'
import { type Letter, renderLetter } from './letter.ts'
import { type Mailer, MailRefused } from './mailer.ts'

/**
 * Sends one letter for a job; the job's id makes a repetition recognisable as one. A letter that no try will
 * ever send is given up with a line in the log.
 */
export async function sendLetter(
  { site, log }: Pick<Context, 'site' | 'log'>,
  mailer: Mailer,
  { to, letter, id }: { to: string; letter: Letter; id: string },
): Promise<void> {
  try {
    await mailer.sendMail({ to, id, ...renderLetter(letter, site.productName) })
  } catch (err) {
    if (!(err instanceof MailRefused)) throw err
    log.warn({ err, jobId: id }, 'mail cannot be sent')
  }
}
