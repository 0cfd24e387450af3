import { eq, sql } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { arrivalOf, CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import type { Context } from '#server/context.ts'
import { bankReason, deadAccount } from '#server/features/books/dead-accounts.ts'
import { leadsPayment, listEntryCards } from '#server/features/books/entries.ts'
import { findLatestPayout, type Payout, returnReasonOf } from '#server/features/books/payouts.ts'
import { enqueueBatchPushes } from '#server/features/notifications/actions.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { giftCards, payoutBatches, payouts, users } from '#server/platform/database/schema.ts'
import { JOBS_CHANNEL, type JobPayloads, type PushNews } from '#server/platform/jobs/jobs.ts'
import { dayIn } from '#server/platform/mail/dates.ts'
import {
  aboutCard,
  cardFacts,
  cardListFacts,
  cardName,
  type Letter,
  type PushLetter,
  pathOfCard,
  payoutFacts,
  pushedCard,
  recipient,
  worthOf,
} from '#server/platform/mail/letter.ts'
import type { Fact } from '#server/platform/mail/template.ts'
import type { Translate } from '#words/translate.ts'

/** Emails enqueued for the same second, so that those of a large batch do not delay other emails. */
const MAILS_PER_SECOND = 20

/**
 * Enqueues an email to each seller of an exported batch. Skips worksheets: their payouts are sent one by one later, and the
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

/** The mail about a payout: it was sent, it came back, or the bank has other account details. Undefined if that is outdated. */
export async function composePayoutMail(
  { db, words }: Context,
  { payoutId, kind }: JobPayloads['payoutMail'],
): Promise<Letter | undefined> {
  const found = await findPayout(db, payoutId)
  if (!found || (await isOutdated(db, kind, found))) return undefined
  const { to, payout } = found
  const t = words[to.locale]
  return {
    kind,
    to,
    sellerId: payout.sellerId,
    values: { ...valuesOf(t, found), hours: CHANGED_ACCOUNT_HOURS },
    facts: await factsOf(db, t, found),
    ...letters[kind](t, found, { label: 'mail.status.button', path: pathOfCard(payout.giftCardId) }),
  }
}

/** The push about a payout. Undefined if the money came back before the seller learned that it was sent. */
export async function composePayoutPush(
  { db }: Context,
  t: Translate,
  { payoutId, event }: Extract<PushNews, { about: 'payout' }>,
): Promise<PushLetter | undefined> {
  const { payout, card } = (await findPayout(db, payoutId)) ?? {}
  if (!payout || !card || (event === 'sent' && isBack(payout))) return undefined
  const { entryCount: count, entryTotal, amount } = payout
  return {
    kind: event,
    values: {
      card: count === null ? pushedCard(t, card) : t('payoutStatus.cards', { count }),
      amount: toDollars(entryTotal ?? amount),
    },
    ...aboutCard(payout.giftCardId),
  }
}

async function findPayout(db: Executor, id: string) {
  const [row] = await db
    .select({
      payout: payouts,
      card: {
        id: giftCards.id,
        cardNumberLastFour: giftCards.cardNumberLastFour,
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
      to: recipient,
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

/**
 * Whether the news is outdated: the money came back or the bank refused the file before the email said that it was sent, or
 * the seller has already answered.
 */
async function isOutdated(db: Executor, kind: MailKind, { payout, deadAccount }: Found): Promise<boolean> {
  if (kind === 'sent') return isBack(payout)
  if (kind === 'account_differs') return payout.sentAt === null && deadAccount === null
  return kind === 'returned' && (await findLatestPayout(db, payout.giftCardId))?.id !== payout.id
}

const isBack = ({ state }: Payout): boolean => state === 'returned' || state === 'void'

type Texts = Pick<Letter, 'title' | 'paragraphs' | 'button'>
type Button = NonNullable<Letter['button']>

/** @param button leads to the submission */
const letters: Readonly<Record<MailKind, (t: Translate, found: Found, button: Button) => Texts>> = {
  sent: (t, found, button) => {
    const { payout } = found
    const method = t(`payments.type.${payout.paymentType}`)
    return {
      title: 'mail.payoutSent.title',
      paragraphs: [['mail.payoutSent.text', { method, arrival: arrival(t, found) }]],
      button: payout.entryCount ? { label: 'mail.saleReceipt.button', path: '/transactions' } : button,
    }
  },
  returned: (t, { payout, card }, button) => {
    const reason = returnReasonOf(t, payout)
    const canAnswer = card.secretsErasedAt === null
    return {
      title: 'mail.payoutReturned.title',
      paragraphs: [
        'mail.payoutReturned.text',
        reason && ['payoutStatus.returned.reason', { reason }],
        canAnswer ? 'mail.payoutReturned.account' : 'mail.payoutReturned.support',
      ],
      button: canAnswer ? { ...button, label: 'mail.payoutReturned.button' } : button,
    }
  },
  account_differs: (t, found, button) =>
    found.payout.sentAt === null ? accountRefused(t, found, button) : accountDiffers(found),
}

/** The bank answered a prenote, so nothing was sent yet. */
function accountRefused(t: Translate, { deadAccount }: Found, button: Button): Texts {
  return {
    title: 'mail.accountRefused.title',
    paragraphs: [
      'mail.accountRefused.text',
      deadAccount && ['payoutStatus.returned.reason', { reason: bankReason(t, deadAccount) }],
      'mail.accountRefused.account',
    ],
    button: { ...button, label: 'mail.payoutReturned.button' },
  }
}

function accountDiffers({ changeCode, card }: Found): Texts {
  const type = card.accountType === 'checking' ? 'savings' : 'checking'
  return {
    title: 'mail.accountDiffers.title',
    paragraphs: [
      changeCode === 'C05' ? ['mail.accountDiffers.type', { type }] : 'mail.accountDiffers.text',
      'mail.accountDiffers.update',
      'mail.accountDiffers.never',
    ],
    button: { label: 'mail.methods.button', path: '/profile' },
  }
}

/** The amount and the number of cards of a whole entry. */
function valuesOf(t: Translate, { payout, card, to }: Found) {
  const { entryCount: count, entryTotal, amount } = payout
  return {
    amount: toDollars(entryTotal ?? amount),
    card: count === null ? cardName(t, card, to) : t('payoutStatus.cards', { count }),
  }
}

function arrival(t: Translate, { payout, expectedOn }: Found): string {
  if (expectedOn) return t('mail.payoutSent.by', { date: dayIn(t, expectedOn) })
  return arrivalOf(payout.paymentType) === 'same_day' ? t('mail.payoutSent.sameDay') : ''
}

async function factsOf(db: Executor, t: Translate, { payout, card, expectedOn, to }: Found): Promise<Fact[]> {
  const isReturned = payout.state === 'returned'
  const amount = payout.entryTotal ?? payout.amount
  const together = payout.entryNumber === null ? undefined : await listEntryCards(db, payout.entryNumber)
  const [name, reference] = cardFacts(t, card, to)
  return [
    ...(together ? cardListFacts(t, together, to) : [name]),
    {
      label: t(isReturned ? 'mail.fact.amount' : 'mail.fact.youReceive'),
      value: toDollars(amount),
      ...(!isReturned && { share: (100 * amount) / worthOf(together ?? [card]) }),
    },
    ...payoutFacts(t, payout, to),
    ...(expectedOn && !isReturned ? [{ label: t('mail.fact.expected'), value: dayIn(t, expectedOn) }] : []),
    ...(together ? [] : [reference]),
  ]
}
