import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { testMail } from '#contract/system.ts'
import { maskAccountInfo } from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound } from '#server/http/refusal.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { administrators } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { discardGivenUp, errorCodeOf, retryGivenUp } from '#server/platform/jobs/jobs.ts'
import { renderEmail } from '#server/platform/mail/template.ts'
import type { Operation } from './findings.ts'

/** Sends a mail at once, to this address or to the owner's own. Returns why it failed, instead of a refusal: that is the result. */
export async function sendTestMail(
  { db, site, words }: Context,
  { config, mailer }: Operation,
  actor: Staff,
  { to: typed }: z.output<typeof testMail>,
) {
  const { email } = onlyRow(
    await db
      .select({ email: administrators.email })
      .from(administrators)
      .where(eq(administrators.id, actor.id)),
  )
  const to = typed ?? email
  if (to === null) throw invalid([{ path: 'to', code: 'email_invalid' }])
  const t = words.en
  const title = t('mail.test.title')
  const content = {
    subject: title,
    heading: title,
    paragraphs: [t('mail.test.text', { name: actor.username })],
  }
  const mail = renderEmail(t, content, site, { about: t('mail.test.because'), links: [] })
  const error = await mailer.sendMail({ to, id: uuidv7(), ...mail }).then(() => null, errorCodeOf)
  await transaction(db, (tx) =>
    record(tx, {
      actor,
      action: 'system.test_mail_sent',
      subject: { kind: 'system', id: 'mail' },
      details: { to: maskAccountInfo(to), ...(error !== null && { error }) },
    }),
  )
  return { to, smtp: config.smtpUrl !== undefined, error }
}

/** Throws `Refusal` if the job is not given up, or not anymore. */
export async function retryJob({ db }: Context, actor: Staff, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    if ((await retryGivenUp(tx, id)) === 0) throw notFound()
    await record(tx, { actor, action: 'job.retried', subject: { kind: 'job', id } })
  })
}

/** Throws `Refusal` if the job is not given up, or not anymore, or if it records payments. */
export async function discardJob({ db }: Context, actor: Staff, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const discarded = await discardGivenUp(tx, id)
    if (discarded === undefined) throw notFound()
    if (discarded === 'kept') throw invalid([{ path: 'id', code: 'job_not_discardable' }])
    await record(tx, {
      actor,
      action: 'job.discarded',
      subject: { kind: 'job', id },
      details: { job: discarded },
    })
  })
}
