import { sendAccountMail, sendPasswordResetMail } from '#server/accounts/mails.ts'
import { JobWorker } from '#server/jobs/worker.ts'
import type { Mail } from '#server/mail/mailer.ts'
import type { TestApp } from './app.ts'

/** Sends what waits to be mailed about accounts. @returns these mails, in their order */
export async function accountMails({ db, pool, context }: TestApp): Promise<Mail[]> {
  const sent: Mail[] = []
  const mailer = {
    async sendMail(mail: Mail) {
      sent.push(mail)
    },
  }
  const handlers = {
    accountMail: (payload, id) => sendAccountMail(context, mailer, payload, id),
    passwordResetMail: (payload, id) => sendPasswordResetMail(context, mailer, payload, id),
    statusMail: async () => {},
  } as ConstructorParameters<typeof JobWorker>[0]['handlers']
  const worker = new JobWorker({ db, log: context.log, handlers })
  worker.start()
  for (;;) {
    const { rows } = await pool.query('select 1 from jobs where done_at is null and failed_at is null')
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await worker.stop()
  return sent
}

/** The token of the one link in a mail. */
export function tokenIn(mail: Mail | undefined): string {
  const [, token] = /\?token=([\w-]+)/.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Error(`No link with a token in: ${mail?.text}`)
  return token
}
