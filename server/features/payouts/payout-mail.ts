import { eq, sql } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import type { PayoutEvent } from '#domain/notifications.ts'
import { arrivalOf, CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import type { Context } from '#server/context.ts'
import { bankReason, deadAccount } from '#server/features/books/dead-accounts.ts'
import { firstToEachAccount, listEntryCards, listSentTogether } from '#server/features/books/entries.ts'
import { findLatestPayout, returnReasonOf } from '#server/features/books/payouts.ts'
import { enqueueBatchPushes } from '#server/features/notifications/actions.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { giftCards, payoutBatches, payouts, users } from '#server/platform/database/schema.ts'
import { JOBS_CHANNEL, type JobPayloads, type PushNews } from '#server/platform/jobs/jobs.ts'
import { weekdayIn } from '#server/platform/mail/dates.ts'
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
import { paymentMethodIn } from '#words/payment-method.ts'
import type { Translate } from '#words/translate.ts'

/** Emails enqueued for the same second, so that those of a large batch do not delay other emails. */
const MAILS_PER_SECOND = 20

/**
 * Enqueues an email for each account of an exported batch. Skips worksheets: their payouts are sent one by one later, and the
 * email about the completed submission says so.
 */
export async function enqueuePayoutMails(tx: Transaction, batchId: string): Promise<void> {
  await tx.execute(sql`
    insert into jobs (id, kind, key, payload, run_at)
    select gen_random_uuid(), 'payoutMail', payouts.id || ':sent',
      jsonb_build_object('payoutId', payouts.id, 'kind', 'sent'),
      now() + (row_number() over (order by batch_position) - 1) / ${MAILS_PER_SECOND} * interval '1 second'
    from ${firstToEachAccount(batchId)}
    on conflict do nothing`)
  await enqueueBatchPushes(tx, batchId)
  await notify(tx, JOBS_CHANNEL)
}

/** The mail about a payout: it was sent, it came back, or the bank has other account details. Undefined if that is outdated. */
export async function composePayoutMail(
  { db, words }: Context,
  { payoutId, kind }: JobPayloads['payoutMail'],
): Promise<Letter | undefined> {
  const found = await findNews(db, payoutId, kind)
  if (!found || (await isOutdated(db, kind, found))) return undefined
  const { to, payout } = found
  const t = words[to.locale]
  return {
    kind,
    to,
    sellerId: payout.sellerId,
    values: { ...valuesOf(t, found, cardName(t, found.card, to)), hours: CHANGED_ACCOUNT_HOURS },
    facts: factsOf(t, found),
    ...letters[kind](t, found, { label: 'mail.status.button', path: pathOfCard(payout.giftCardId) }),
  }
}

/** The push about a payout. Undefined if the money came back before the seller learned that it was sent. */
export async function composePayoutPush(
  { db }: Context,
  t: Translate,
  { payoutId, event }: Extract<PushNews, { about: 'payout' }>,
): Promise<PushLetter | undefined> {
  const found = await findNews(db, payoutId, event)
  if (!found) return undefined
  const { payout, card } = found
  return { kind: event, values: valuesOf(t, found, pushedCard(t, card)), ...aboutCard(payout.giftCardId) }
}

/**
 * A payout, and the cards that its email or push names: the cards of its entry, or all cards that its batch pays to the same account.
 * Undefined if all of them came back before the seller learned that they were sent.
 */
async function findNews(db: Executor, payoutId: string, kind: PayoutEvent) {
  const sent = kind === 'sent' ? await listSentTogether(db, payoutId) : undefined
  const found = await findPayout(db, sent ? sent[0]?.payoutId : payoutId)
  if (!found) return undefined
  const { payout, card } = found
  const cards =
    sent ?? (payout.entryNumber === null ? undefined : await listEntryCards(db, payout.entryNumber))
  return { ...found, cards: cards ?? [{ ...card, amount: payout.amount }] }
}

async function findPayout(db: Executor, id: string | undefined) {
  if (id === undefined) return undefined
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

type Found = NonNullable<Awaited<ReturnType<typeof findNews>>>

/** Whether the news is outdated: the seller has already answered. */
async function isOutdated(db: Executor, kind: PayoutEvent, { payout, deadAccount }: Found): Promise<boolean> {
  if (kind === 'account_differs') return payout.sentAt === null && deadAccount === null
  return kind === 'returned' && (await findLatestPayout(db, payout.giftCardId))?.id !== payout.id
}

type Texts = Pick<Letter, 'title' | 'paragraphs' | 'button'>
type Button = NonNullable<Letter['button']>

/** @param button leads to the submission */
const letters: Readonly<Record<PayoutEvent, (t: Translate, found: Found, button: Button) => Texts>> = {
  sent: (t, found, button) => {
    const { payout, cards } = found
    const count = cards.length
    const method = paymentMethodIn(t, payout.paymentType)
    return {
      title: 'mail.payoutSent.title',
      paragraphs: [
        ['mail.payoutSent.text', { method, arrival: arrival(t, found) }],
        count > 1 && payout.entryNumber === null && ['mail.payoutSent.payments', { count }],
      ],
      button: count > 1 ? { label: 'mail.saleReceipt.button', path: '/transactions' } : button,
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

const totalOf = ({ cards }: Found) => cards.reduce((sum, { amount }) => sum + amount, 0)

/** @param single the name of a single card */
function valuesOf(t: Translate, found: Found, single: string) {
  const count = found.cards.length
  return {
    amount: toDollars(totalOf(found)),
    card: count === 1 ? single : t('payoutStatus.cards', { count }),
  }
}

function arrival(t: Translate, { payout, expectedOn }: Found): string {
  if (expectedOn) return t('mail.payoutSent.by', { date: weekdayIn(t, expectedOn) })
  return arrivalOf(payout.paymentType) === 'same_day' ? t('mail.payoutSent.sameDay') : ''
}

function factsOf(t: Translate, found: Found): Fact[] {
  const { payout, card, cards, expectedOn, to } = found
  const isReturned = payout.state === 'returned'
  const isOne = cards.length === 1
  const amount = totalOf(found)
  const [name, reference] = cardFacts(t, card, to)
  const [method, ...references] = payoutFacts(t, payout, to)
  return [
    ...(isOne ? [name] : cardListFacts(t, cards, to)),
    {
      label: t(isReturned ? 'mail.fact.amount' : 'mail.fact.youReceive'),
      value: toDollars(amount),
      ...(!isReturned && { share: (100 * amount) / worthOf(cards) }),
    },
    method,
    // Each of several payments has its own.
    ...(isOne || payout.entryNumber !== null ? references : []),
    ...(expectedOn && !isReturned
      ? [{ label: t('mail.fact.expected'), value: weekdayIn(t, expectedOn) }]
      : []),
    ...(isOne ? [reference] : []),
  ]
}
