import { eq, sql } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { noticeOfPayout } from '#domain/notifications.ts'
import { arrivalOf, CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import { shortReferenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { bankReason, deadAccount } from '#server/features/books/dead-accounts.ts'
import { leadsPayment } from '#server/features/books/entries.ts'
import { findLatestPayout, returnReasonOf, togetherWith } from '#server/features/books/payouts.ts'
import { sendNotice } from '#server/features/notifications/actions.ts'
import { enqueueBatchPushes } from '#server/features/push/actions.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { giftCards, payoutBatches, payouts, users } from '#server/platform/database/schema.ts'
import { JOBS_CHANNEL, type JobPayloads } from '#server/platform/jobs/jobs.ts'
import { dayIn } from '#server/platform/mail/dates.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { brandOf, cardName, linkTo, linkToCard, type UserText } from '#server/platform/mail/send-email.ts'
import type { EmailContent, Fact } from '#server/platform/mail/template.ts'
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
    where batch_id = ${batchId} and payouts.state = 'exported' and file_kind <> 'worksheet' and ${leadsPayment}
    on conflict do nothing`)
  await enqueueBatchPushes(tx, batchId)
  await notify(tx, JOBS_CHANNEL)
}

/** Mails the seller about a payout, if they want it: it was sent, it came back, or the bank has other account details. */
export async function sendPayoutMail(
  context: Context,
  mailer: Mailer,
  { payoutId, kind }: JobPayloads['payoutMail'],
  id: string,
): Promise<void> {
  const found = await findPayout(context.db, payoutId)
  if (!found || (await isOutdated(context.db, kind, found))) return
  const compose = (t: Translate, userText: UserText): EmailContent => {
    const { title, paragraphs, label, path } = emails[kind](t, found, userText)
    const url = path
      ? linkTo(context.site, t.locale, path)
      : linkToCard(context.site, t.locale, found.payout.giftCardId)
    return {
      subject: title,
      heading: title,
      greeting: userText.greeting,
      paragraphs,
      facts: factsOf(t, found, userText),
      button: { label, url },
    }
  }
  const { to, payout } = found
  await sendNotice(context, mailer, {
    notice: noticeOfPayout(kind),
    userId: payout.sellerId,
    to,
    compose,
    id,
  })
}

async function findPayout(db: Executor, id: string) {
  const [row] = await db
    .select({
      payout: payouts,
      card: {
        brandName: giftCards.brandName,
        denomination: giftCards.denomination,
        unlistedBrand: giftCards.unlistedBrand,
        secretsErasedAt: giftCards.secretsErasedAt,
        accountType: giftCards.paymentAccountType,
      },
      changeCode: sql<string | null>`(
        select code from payout_results
        where payout_results.payout_id = payouts.id and kind = 'changed' order by at desc limit 1
      )`,
      deadAccount: deadAccount(),
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

/** Whether the news is old: the money came back, or the bank refused the file, before the email said that it was sent, or the seller has answered already. */
async function isOutdated(db: Executor, kind: MailKind, { payout, deadAccount }: Found): Promise<boolean> {
  if (kind === 'sent') return payout.state === 'returned' || payout.state === 'void'
  if (kind === 'account_differs') return payout.sentAt === null && deadAccount === null
  return kind === 'returned' && (await findLatestPayout(db, payout.giftCardId))?.id !== payout.id
}

interface News {
  readonly title: string
  readonly paragraphs: readonly string[]
  /** The label of the button, and the screen that it opens instead of the submission's. */
  readonly label: string
  readonly path?: string
}

const emails: Readonly<Record<MailKind, (t: Translate, found: Found, userText: UserText) => News>> = {
  sent: (t, found, userText) => {
    const { payout } = found
    const date = dayIn(t, payout.sentAt ?? new Date())
    const sent = t('mail.payoutSent.text', { date, method: t(`payments.type.${payout.paymentType}`) })
    return {
      title: t('mail.payoutSent.title', valuesOf(t, found, userText)),
      paragraphs: [`${sent} ${arrival(t, found)}`, ...togetherWith(t, payout)],
      label: t('mail.status.button'),
    }
  },
  returned: (t, found, userText) => {
    const values = valuesOf(t, found, userText)
    const reason = returnReasonOf(t, found.payout)
    const canAnswer = found.card.secretsErasedAt === null
    return {
      title: t('mail.payoutReturned.title', values),
      paragraphs: [
        t('mail.payoutReturned.text', values),
        ...(reason ? [t('mail.payoutReturned.reason', { reason })] : []),
        canAnswer
          ? t('mail.payoutReturned.account', { hours: CHANGED_ACCOUNT_HOURS })
          : t('mail.payoutReturned.support'),
      ],
      label: t(canAnswer ? 'mail.payoutReturned.button' : 'mail.status.button'),
    }
  },
  account_differs: (t, found) =>
    found.payout.sentAt === null ? accountRefused(t, found) : accountDiffers(t, found),
}

/** The bank answered a prenote, so nothing was sent yet. */
function accountRefused(t: Translate, { deadAccount }: Found): News {
  return {
    title: t('mail.accountRefused.title'),
    paragraphs: [
      t('mail.accountRefused.text'),
      ...(deadAccount ? [t('mail.payoutReturned.reason', { reason: bankReason(t, deadAccount) })] : []),
      t('mail.accountRefused.account', { hours: CHANGED_ACCOUNT_HOURS }),
    ],
    label: t('mail.payoutReturned.button'),
  }
}

function accountDiffers(t: Translate, { changeCode, card }: Found): News {
  return {
    title: t('mail.accountDiffers.title'),
    paragraphs: [
      changeCode === 'C05'
        ? t('mail.accountDiffers.type', { type: card.accountType === 'checking' ? 'savings' : 'checking' })
        : t('mail.accountDiffers.text'),
      t('mail.accountDiffers.update'),
      t('mail.accountDiffers.never'),
    ],
    label: t('mail.methods.button'),
    path: '/profile',
  }
}

/** Of an entry, the money and the number of all its cards. */
function valuesOf(t: Translate, { payout, card }: Found, userText: UserText) {
  const { entryCount: count, entryTotal } = payout
  return {
    amount: toDollars(entryTotal ?? payout.amount),
    card: count === null ? cardName(t, card, userText) : t('payoutStatus.cards', { count }),
  }
}

function arrival(t: Translate, { payout, expectedOn }: Found): string {
  if (expectedOn) return t('mail.payoutSent.by', { date: dayIn(t, expectedOn) })
  return arrivalOf(payout.paymentType) === 'same_day' ? t('mail.payoutSent.sameDay') : ''
}

/** An unconfirmed address gets no account, which a stranger may have typed. */
function factsOf(t: Translate, { payout, card, expectedOn }: Found, userText: UserText): Fact[] {
  const method = t(`payments.type.${payout.paymentType}`)
  const account = userText.typed(payout.accountHint)
  const isReturned = payout.state === 'returned'
  const { entryCount: count } = payout
  const amount = payout.entryTotal ?? payout.amount
  const isAlone = count === null
  return [
    isAlone
      ? { label: t('mail.fact.card'), value: faceValueOf(card, userText), isCard: true }
      : { label: t('mail.fact.card'), value: t('payoutStatus.cards', { count }) },
    {
      label: t(isReturned ? 'mail.fact.amount' : 'mail.fact.youReceive'),
      value: toDollars(amount),
      ...(!isReturned && isAlone && { share: (100 * amount) / card.denomination }),
    },
    { label: t('mail.fact.method'), value: account ? `${method}, ${account}` : method },
    { label: t('mail.fact.reference'), value: payout.reference ?? shortReferenceOf(payout.id) },
    ...(expectedOn && !isReturned ? [{ label: t('mail.fact.expected'), value: dayIn(t, expectedOn) }] : []),
  ]
}

function faceValueOf(card: Found['card'], userText: UserText): string {
  const brand = brandOf(card, userText)
  const faceValue = toDollars(card.denomination)
  return brand ? `${brand}, ${faceValue}` : faceValue
}
