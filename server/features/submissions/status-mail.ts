import { and, eq } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { noticeOfMove } from '#domain/notifications.ts'
import { fileKindOf } from '#domain/payout.ts'
import { shortReferenceOf } from '#domain/reference.ts'
import { adviceFor } from '#domain/resubmission.ts'
import { APPEAL_DAYS, endedUnpaid, OFFER_HOURS, type Status, statusRules } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { findLatestPayout, type Payout, togetherWith } from '#server/features/books/payouts.ts'
import { sendNotice } from '#server/features/notifications/actions.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, statusHistory, users } from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import { momentIn } from '#server/platform/mail/dates.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { brandOf, cardName, linkToCard, type UserText } from '#server/platform/mail/send-email.ts'
import type { EmailContent, Fact, Paragraph } from '#server/platform/mail/template.ts'
import type { Key } from '#words/keys.ts'
import type { Translate } from '#words/translate.ts'
import { moveNameOf } from './history.ts'
import { listedCode, openReason } from './reasons.ts'

/** Mails the seller about a move, if they want such mails. A new submission gets a receipt. */
export async function sendStatusMail(
  context: Context,
  mailer: Mailer,
  job: JobPayloads['statusMail'],
  id: string,
): Promise<void> {
  const found = await findMove(context.db, job.giftCardId, job.version)
  if (!found) return
  const { entry, card, to } = found
  const payout = await findLatestPayout(context.db, card.id)
  const compose = (t: Translate, userText: UserText): EmailContent => {
    const reason = openReason(context, t, 'seller', card, job.version, entry)
    const move = { entry, card, said: reason && entry.byKind === 'staff' ? [{ said: reason }] : [], payout }
    const { title, paragraphs } = newsOf(t, move, userText)
    const label = t(actions[entry.toStatus] ?? 'mail.status.button')
    return {
      subject: title,
      heading: title,
      greeting: userText.greeting,
      paragraphs,
      facts: factsOf(t, move, userText),
      button: { label, url: linkToCard(context.site, t.locale, card.id) },
    }
  }
  const notice = noticeOfMove(moveNameOf(entry))
  await sendNotice(context, mailer, { notice, userId: card.sellerId, to, compose, id })
}

/** What the button asks of the seller, if anything. */
const actions: Partial<Readonly<Record<Status, Key>>> = {
  under_review: 'mail.ask.button',
  offered: 'mail.offer.button',
}

async function findMove(db: Executor, giftCardId: string, version: number) {
  const [row] = await db
    .select({
      entry: statusHistory,
      card: giftCards,
      to: { email: users.email, firstName: users.firstName, verified: users.verified, locale: users.locale },
    })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(and(eq(statusHistory.giftCardId, giftCardId), eq(statusHistory.version, version)))
    .prepare('move_for_mail')
    .execute()
  return row
}

type Found = NonNullable<Awaited<ReturnType<typeof findMove>>>
type Move = Pick<Found, 'entry' | 'card'> & {
  /** The reason or question of staff. */
  readonly said: readonly Paragraph[]
  /** How an approved submission is or was paid. */
  readonly payout: Payout | undefined
}

interface News {
  readonly title: string
  /** The first one is shown in lists of mails, so it says what the title does not. */
  readonly paragraphs: readonly Paragraph[]
}

/** Describes the move by its entry in the history, not by the submission's current status. */
function newsOf(t: Translate, move: Move, userText: UserText): News {
  const { entry, card, said, payout } = move
  const values = {
    card: cardName(t, card, userText),
    amount: toDollars(priceOf(move)),
    quote: toDollars(card.quotedPrice),
  }
  const title = (key: Key) => t(key, values)
  const deducted = deduction(t, payout)
  const name = moveNameOf(entry)
  switch (name) {
    case 'submit':
      return {
        title: title('mail.submit.title'),
        paragraphs: [title('mail.submit.text'), t('mail.submit.next')],
      }
    case 'start':
      return { title: title('mail.start.title'), paragraphs: [t('mail.start.text'), ...deducted] }
    case 'ask':
      return {
        title: title('mail.ask.title'),
        paragraphs: [...said, t('mail.ask.text')],
      }
    case 'answer':
    case 'resume':
    case 'appeal':
    case 'rescind':
    case 'decline':
    case 'expire':
    case 'withdraw':
      return { title: title(`mail.${name}.title`), paragraphs: [title(`mail.${name}.text`), ...said] }
    case 'offer':
      return {
        title: title('mail.offer.title'),
        paragraphs: [
          title('mail.offer.text'),
          ...said,
          t('mail.offer.next', { end: momentIn(t, offerEnd(entry)) }),
        ],
      }
    case 'accept':
      return { title: title('mail.accept.title'), paragraphs: [t('mail.accept.text'), ...deducted] }
    case 'reject':
      return {
        title: title('mail.reject.title'),
        paragraphs: [
          ...said,
          t('mail.reject.text'),
          ...(card.appealedAt ? [] : [t('mail.reject.appeal', { days: APPEAL_DAYS })]),
          ...(adviceFor(listedCode(entry)).canHelp ? [t('mail.reject.again')] : []),
          t('mail.reject.help'),
        ],
      }
    case 'approve':
    case 'complete':
      return {
        title: title('mail.complete.title'),
        // The seller of a batch was told when its file was sent. A worksheet is paid one by one.
        paragraphs: [t(sentKey(payout)), ...(payout ? togetherWith(t, payout) : []), ...deducted],
      }
    case 'fail':
      return { title: title('mail.fail.title'), paragraphs: [...said, t('mail.fail.text')] }
    case 'revert': {
      const from =
        entry.fromStatus === 'completed' || entry.fromStatus === 'failed' ? entry.fromStatus : 'rejected'
      return {
        title: title(`mail.revert.${from}.title`),
        paragraphs: [t(`mail.revert.${from}.text`), ...deducted],
      }
    }
    default: {
      const status = t(`statuses.label.${statusRules[entry.toStatus].sellerStatus}`)
      return { title: t('mail.status.title', { ...values, status }), paragraphs: said }
    }
  }
}

/** What the seller is offered, was paid or will be paid, in cents. */
function priceOf({ entry, card, payout }: Move): number {
  const isPaid = entry.toStatus === 'completed'
  return (isPaid ? payout?.amount : undefined) ?? entry.amount ?? card.sellingPrice
}

function deduction(t: Translate, payout: Payout | undefined): string[] {
  if (!payout || payout.deducted <= 0) return []
  const values = { sent: toDollars(payout.amount), amount: toDollars(payout.deducted) }
  return [t('payoutStatus.deducted', values)]
}

function sentKey(payout: Payout | undefined): Key {
  if (payout?.amount === 0) return 'mail.complete.nothing'
  const isFromFile = payout !== undefined && !payout.byHand && fileKindOf(payout.paymentType) !== 'worksheet'
  return isFromFile ? 'mail.complete.arrived' : 'mail.complete.sent'
}

function offerEnd({ at }: Found['entry']): Date {
  return new Date(at.getTime() + OFFER_HOURS * 3_600_000)
}

function factsOf(t: Translate, move: Move, userText: UserText): Fact[] {
  const { entry, card } = move
  const value = toDollars(card.denomination)
  const brand = brandOf(card, userText)
  return [
    { label: t('mail.fact.card'), value: brand ? `${brand}, ${value}` : value, isCard: true },
    ...prices(t, move),
    ...paymentFacts(t, move, userText),
    { label: t('mail.fact.status'), value: t(`statuses.label.${statusRules[entry.toStatus].sellerStatus}`) },
  ]
}

/** What was quoted, what is offered, and what the seller receives. Nothing if nothing will be paid. */
function prices(t: Translate, move: Move): Fact[] {
  const { entry, card } = move
  if (endedUnpaid(entry.toStatus)) return []
  const quote = { label: t('mail.fact.quote'), value: toDollars(card.quotedPrice) }
  const price = { value: toDollars(priceOf(move)), share: (100 * priceOf(move)) / card.denomination }
  if (entry.toStatus === 'offered') {
    return [
      quote,
      { label: t('mail.fact.offer'), ...price },
      { label: t('mail.fact.offerEnds'), value: momentIn(t, offerEnd(entry)) },
    ]
  }
  const label = t(entry.toStatus === 'completed' ? 'mail.fact.youReceived' : 'mail.fact.youReceive')
  const receive = { label, ...price }
  return moveNameOf(entry) === 'accept' ? [quote, receive] : [receive]
}

function paymentFacts(t: Translate, { entry, payout }: Move, userText: UserText): Fact[] {
  if (!payout || !['processing', 'completed'].includes(entry.toStatus)) return []
  const method = t(`payments.type.${payout.paymentType}`)
  const account = userText.typed(payout.accountHint)
  const facts = [{ label: t('mail.fact.method'), value: account ? `${method}, ${account}` : method }]
  if (entry.toStatus !== 'completed') return facts
  return [
    ...facts,
    { label: t('mail.fact.reference'), value: payout.reference ?? shortReferenceOf(payout.id) },
  ]
}
