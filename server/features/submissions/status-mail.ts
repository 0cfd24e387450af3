import { and, eq } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { fileKindOf } from '#domain/payout.ts'
import { shortReferenceOf } from '#domain/reference.ts'
import { APPEAL_DAYS, endedUnpaid, OFFER_HOURS, statusRules } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { findLatestPayout, type Payout } from '#server/features/books/payouts.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, statusHistory, users } from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { linkTo, sendEmail, type UserText } from '#server/platform/mail/send-email.ts'
import type { EmailContent } from '#server/platform/mail/template.ts'
import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import { moveNameOf } from './history.ts'
import { openReason } from './reasons.ts'

/** Mails the seller about a move. A new submission gets a receipt. */
export async function sendStatusMail(
  context: Context,
  mailer: Mailer,
  job: JobPayloads['statusMail'],
  id: string,
): Promise<void> {
  const found = await findMove(context.db, job.giftCardId, job.version)
  if (!found) return
  const isPaid = found.entry.toStatus === 'completed'
  const payout = isPaid ? await findLatestPayout(context.db, job.giftCardId) : undefined
  const write = found.entry.fromStatus === null ? receipt : statusEmail
  const compose = (t: Translate, userText: UserText): EmailContent => {
    const reason = openReason(context, t, found.card, job.version, found.entry)
    return {
      ...write(t, { ...found, reason, payout }, userText),
      button: { label: t('mail.status.button'), url: linkTo(context.site, t.locale, '/processing') },
    }
  }
  await sendEmail(context, mailer, { to: found.to, compose, id })
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
  reason: string | null
  /** How a completed submission was paid. */
  payout: Payout | undefined
}
type Entry = Found['entry']

function receipt(t: Translate, { card }: Move, userText: UserText): EmailContent {
  const brand = brandFor(card, userText)
  return {
    subject: brand ? t('mail.receipt.subject', { brand }) : t('mail.receipt.subjectUnnamed'),
    heading: t('mail.receipt.heading'),
    paragraphs: [userText.greeting, t('mail.receipt.review'), t('mail.receipt.payment')],
    facts: [
      ...(brand ? [{ label: t('mail.fact.card'), value: brand }] : []),
      { label: t('mail.fact.faceValue'), value: toDollars(card.denomination) },
      { label: t('mail.fact.youReceive'), value: toDollars(card.sellingPrice) },
      { label: t('mail.fact.status'), value: t('statuses.label.pending') },
    ],
  }
}

/** Describes the move by its entry in the history, not by the submission's current status. */
function statusEmail(t: Translate, move: Move, userText: UserText): EmailContent {
  const { entry, card } = move
  const { sellerStatus } = statusRules[entry.toStatus]
  const status = t(`statuses.label.${sellerStatus}`)
  const named = namedMoves.find((name) => name === moveNameOf(entry))
  const brand = brandFor(card, userText)
  const value = toDollars(card.denomination)
  const news = named ? t(`mail.moved.${named}`) : status
  return {
    subject: brand
      ? t('mail.status.subject', { brand, status: news })
      : t('mail.status.subjectUnnamed', { status: news }),
    heading: named ? t(`mail.moved.${named}.heading`) : headingOf(t, entry),
    paragraphs: [userText.greeting, ...explain(t, move)],
    facts: [
      { label: t('mail.fact.card'), value: brand ? `${brand}, ${value}` : value },
      ...prices(t, move),
      ...paymentFacts(t, move, userText),
      { label: t('mail.fact.status'), value: status },
    ],
  }
}

/** Moves whose new status does not say what happened. */
const namedMoves = ['accept', 'decline', 'expire', 'rescind', 'appeal'] as const

function headingOf(t: Translate, { toStatus, amount }: Entry): string {
  if (toStatus === 'offered') return t('statuses.text.offer', { amount: toDollars(amount ?? 0) })
  return t(`statuses.text.${statusRules[toStatus].sellerStatus}`)
}

/** What was quoted, what is offered, and what the seller receives. Nothing if nothing will be paid. */
function prices(t: Translate, { entry, card }: Move): NonNullable<EmailContent['facts']> {
  const { toStatus, amount } = entry
  if (endedUnpaid(toStatus)) return []
  const quote = { label: t('mail.fact.quote'), value: toDollars(card.quotedPrice) }
  if (toStatus === 'offered') {
    return [
      quote,
      { label: t('mail.fact.offer'), value: toDollars(amount ?? 0) },
      { label: t('mail.fact.offerEnds'), value: offerEnd(t, entry) },
    ]
  }
  const receive = { label: t('mail.fact.youReceive'), value: toDollars(amount ?? card.sellingPrice) }
  return moveNameOf(entry) === 'accept' ? [quote, receive] : [receive]
}

function paymentFacts(
  t: Translate,
  { payout }: Move,
  userText: UserText,
): NonNullable<EmailContent['facts']> {
  if (!payout) return []
  const method = t(`payments.type.${payout.paymentType}`)
  const account = userText.typed(payout.accountHint, '')
  return [
    { label: t('mail.fact.method'), value: account ? `${method}, ${account}` : method },
    { label: t('mail.fact.reference'), value: payout.reference ?? shortReferenceOf(payout.id) },
  ]
}

/** In UTC, because we do not know the seller's time zone. */
function offerEnd(t: Translate, { at }: Entry): string {
  const format = new Intl.DateTimeFormat(intlLocales[t.locale], {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  return format.format(at.getTime() + OFFER_HOURS * 3_600_000)
}

function isFromFile(payout: Payout | undefined): boolean {
  return payout !== undefined && !payout.byHand && fileKindOf(payout.paymentType) !== 'worksheet'
}

/** The seller typed the name of an unlisted brand, so an unconfirmed address does not get it. */
function brandFor({ brandName, unlistedBrand }: Move['card'], userText: UserText): string {
  return unlistedBrand ? userText.typed(brandName, '') : brandName
}

function explain(t: Translate, { entry, card, reason, payout }: Move): string[] {
  const { toStatus, byKind } = entry
  const amount = toDollars(entry.amount ?? 0)
  const said = reason && byKind === 'staff' ? [reason] : []
  switch (moveNameOf(entry)) {
    case 'answer':
      return [t('mail.status.answered')]
    case 'appeal':
      return [t('mail.status.appealed')]
    case 'rescind':
      return [t('mail.status.rescinded')]
    case 'accept':
      return [t('mail.status.accepted', { amount })]
    case 'decline':
      return [t('mail.status.declined')]
    case 'expire':
      return [t('mail.status.expired')]
  }
  switch (toStatus) {
    case 'pending':
      return [t('mail.status.resumed'), ...said]
    case 'offered':
      return [
        t('mail.status.offered', { amount, quote: toDollars(card.quotedPrice) }),
        ...said,
        t('mail.status.pleaseAccept', { hours: OFFER_HOURS }),
      ]
    case 'under_review':
      return [t('mail.status.question'), ...said, t('mail.status.pleaseAnswer')]
    case 'processing':
      return [t('mail.status.approved')]
    case 'completed':
      // The seller of a batch was told when its file was sent. A worksheet is paid one by one.
      return [t(isFromFile(payout) ? 'mail.status.arrived' : 'mail.status.paid')]
    case 'rejected':
      return [
        t('mail.status.rejected'),
        ...said,
        ...(card.appealedAt ? [] : [t('mail.status.appealHelp', { days: APPEAL_DAYS })]),
        t('mail.status.rejectedHelp'),
      ]
    case 'failed':
      return [t('mail.status.failed'), ...said, t('mail.status.failedHelp')]
    case 'cancelled':
      return [t('mail.status.withdrawn')]
  }
}
