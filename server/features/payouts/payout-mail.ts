import { eq, sql } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { arrivalOf, CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import { shortReferenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { findLatestPayout, returnReasonOf } from '#server/features/books/payouts.ts'
import { enqueueBatchPushes } from '#server/features/push/actions.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { giftCards, payoutBatches, payouts, users } from '#server/platform/database/schema.ts'
import { JOBS_CHANNEL, type JobPayloads } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { linkTo, sendEmail, type UserText } from '#server/platform/mail/send-email.ts'
import type { EmailContent } from '#server/platform/mail/template.ts'
import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

/** Emails enqueued for the same second, so that those of a large batch do not delay other emails. */
const MAILS_PER_SECOND = 20

/**
 * Enqueues an email to each seller of an exported batch. None for a worksheet: its payouts are sent one by one later, and the
 * email about the completed submission says so.
 */
export async function enqueuePayoutMails(tx: Transaction, batchId: string): Promise<void> {
  await tx.execute(sql`
    insert into jobs (id, kind, key, payload, run_at)
    select gen_random_uuid(), 'payoutMail', payouts.id || ':sent',
      jsonb_build_object('payoutId', payouts.id, 'kind', 'sent'),
      now() + (row_number() over (order by batch_position) - 1) / ${MAILS_PER_SECOND} * interval '1 second'
    from payouts join payout_batches on payout_batches.id = batch_id
    where batch_id = ${batchId} and payouts.state = 'exported' and file_kind <> 'worksheet'
    on conflict do nothing`)
  await enqueueBatchPushes(tx, batchId)
  await notify(tx, JOBS_CHANNEL)
}

/** Mails the seller about a payout: it was sent, it came back, or the bank has other account details. */
export async function sendPayoutMail(
  context: Context,
  mailer: Mailer,
  { payoutId, kind }: JobPayloads['payoutMail'],
  id: string,
): Promise<void> {
  const found = await findPayout(context.db, payoutId)
  if (!found || (await isOutdated(context.db, kind, found))) return
  const compose = (t: Translate, userText: UserText): EmailContent => {
    const { path, label, ...content } = emails[kind](t, found, userText)
    return { ...content, button: { label, url: linkTo(context.site, t.locale, path) } }
  }
  await sendEmail(context, mailer, { to: found.to, compose, id })
}

async function findPayout(db: Executor, id: string) {
  const [row] = await db
    .select({
      payout: payouts,
      card: {
        brandName: giftCards.brandName,
        unlistedBrand: giftCards.unlistedBrand,
        secretsErasedAt: giftCards.secretsErasedAt,
      },
      expectedOn: payoutBatches.expectedOn,
      to: { email: users.email, firstName: users.firstName, verified: users.verified, locale: users.locale },
    })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(eq(payouts.id, id))
  return row
}

type Found = NonNullable<Awaited<ReturnType<typeof findPayout>>>
type MailKind = JobPayloads['payoutMail']['kind']

/** Whether the news is old: the money came back before the email said that it was sent, or the seller has answered already. */
async function isOutdated(db: Executor, kind: MailKind, { payout }: Found): Promise<boolean> {
  if (kind === 'sent') return payout.state === 'returned'
  return kind === 'returned' && (await findLatestPayout(db, payout.giftCardId))?.id !== payout.id
}

interface Content extends EmailContent {
  /** The label of the button, and the screen that it opens. */
  readonly label: string
  readonly path: string
}

const emails: Readonly<Record<MailKind, (t: Translate, found: Found, userText: UserText) => Content>> = {
  sent: (t, found, userText) => {
    const { payout, expectedOn } = found
    const values = {
      date: dayIn(t, payout.sentAt ?? new Date()),
      method: t(`payments.type.${payout.paymentType}`),
    }
    return {
      subject: t('mail.payoutSent.subject', values),
      heading: t('mail.payoutSent.heading'),
      paragraphs: [userText.greeting, `${t('mail.payoutSent.text', values)} ${arrival(t, found)}`],
      facts: [
        ...facts(t, found, userText),
        ...(expectedOn ? [{ label: t('mail.fact.expected'), value: dayIn(t, expectedOn) }] : []),
      ],
      label: t('mail.status.button'),
      path: '/processing',
    }
  },
  returned: (t, found, userText) => {
    const { payout, card } = found
    const canAnswer = card.secretsErasedAt === null
    return {
      subject: t('mail.payoutReturned.subject'),
      heading: t('mail.payoutReturned.heading'),
      paragraphs: [
        userText.greeting,
        t('mail.payoutReturned.text', { amount: toDollars(payout.amount) }),
        returnReasonOf(t, payout) ?? '',
        canAnswer
          ? t('mail.payoutReturned.account', { hours: CHANGED_ACCOUNT_HOURS })
          : t('mail.payoutReturned.support'),
      ],
      facts: facts(t, found, userText),
      label: t(canAnswer ? 'mail.payoutReturned.button' : 'mail.status.button'),
      path: '/processing',
    }
  },
  account_differs: (t, found, userText) => ({
    subject: t('mail.accountDiffers.subject'),
    heading: t('mail.accountDiffers.heading'),
    paragraphs: [
      userText.greeting,
      t('mail.accountDiffers.text'),
      t('mail.accountDiffers.update'),
      t('mail.accountDiffers.never'),
    ],
    facts: facts(t, found, userText),
    label: t('mail.methods.button'),
    path: '/profile',
  }),
}

function arrival(t: Translate, { payout, expectedOn }: Found): string {
  if (expectedOn) return t('mail.payoutSent.by', { date: dayIn(t, expectedOn) })
  return arrivalOf(payout.paymentType) === 'same_day' ? t('mail.payoutSent.sameDay') : ''
}

/** Strangers can register any address, so an unconfirmed one gets neither brand nor account as they were typed. */
function facts(t: Translate, { payout, card }: Found, userText: UserText): EmailContent['facts'] & {} {
  const method = t(`payments.type.${payout.paymentType}`)
  const account = userText.typed(payout.accountHint, '')
  const brand = card.unlistedBrand ? userText.typed(card.brandName, '') : card.brandName
  return [
    ...(brand ? [{ label: t('mail.fact.card'), value: brand }] : []),
    { label: t('mail.fact.amount'), value: toDollars(payout.amount) },
    { label: t('mail.fact.method'), value: account ? `${method}, ${account}` : method },
    { label: t('mail.fact.reference'), value: payout.reference ?? shortReferenceOf(payout.id) },
  ]
}

/** The day in the east of the USA, where banks count. A day like 2026-11-24 stays that day. */
function dayIn(t: Translate, at: Date | string): string {
  const timeZone = typeof at === 'string' ? 'UTC' : 'America/New_York'
  const format = new Intl.DateTimeFormat(intlLocales[t.locale], { month: 'short', day: 'numeric', timeZone })
  return format.format(typeof at === 'string' ? new Date(at) : at)
}
