import { jobHandlers } from '#server/job-handlers.ts'
import { type JobHandlers, JobWorker } from '#server/platform/jobs/worker.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'
import type { TestApp } from './app.ts'
import type { Person } from './person.ts'

/** Sends every due email about accounts, and returns them in order. */
export function accountMails(server: TestApp): Promise<Mail[]> {
  return sendMails(server, { statusMail: async () => {} })
}

/** Runs every due job, and returns the emails that were sent, in order. */
export async function sendMails(
  { db, pool, context, push }: TestApp,
  overrides: Partial<JobHandlers> = {},
): Promise<Mail[]> {
  const sent: Mail[] = []
  const mailer = {
    async sendMail(mail: Mail) {
      sent.push(mail)
    },
  }
  const handlers = { ...jobHandlers(context, mailer, push), ...overrides }
  const worker = new JobWorker({ db, log: context.log, handlers })
  worker.start()
  for (;;) {
    const { rows } = await pool.query(
      'select 1 from jobs where done_at is null and failed_at is null and (run_at <= now() or attempts > 0)',
    )
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await worker.stop()
  return sent
}

/** The email that links to a path, and its token. */
export function mailWithLink(mails: readonly Mail[], path: string): { mail: Mail; token: string } {
  const mail = mails.find(({ text }) => text.includes(`${path}?token=`))
  if (!mail) throw new Error(`No mail links to ${path}`)
  return { mail, token: tokenIn(mail) }
}

/** Confirms the email address of a signed-in seller with the newest link. Discards all other due emails. */
export async function confirmEmail(server: TestApp, seller: Person): Promise<void> {
  const { token } = mailWithLink((await accountMails(server)).reverse(), '/confirm-email')
  const { status } = await seller.post('/api/auth/confirm-email', { token })
  if (status !== 200) throw new Error(`The address was not confirmed: ${status}`)
}

/** The token in the link of an email. */
export function tokenIn(mail: Mail | undefined): string {
  const [, token] = /\?token=([\w-]+)/.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Error(`No link with a token in: ${mail?.text}`)
  return token
}
