import { and, eq } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { endedUnpaid, statusRules } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, statusHistory, users } from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { sendEmail, type UserText } from '#server/platform/mail/send-email.ts'
import type { EmailContent } from '#server/platform/mail/template.ts'
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
  const write = found.entry.fromStatus === null ? receipt : statusEmail
  const reason = openReason(context, found.card, job.version, found.entry.sealedReason)
  const url = `${context.site.publicUrl}/processing`
  const compose = (userText: UserText): EmailContent => ({
    ...write({ ...found, reason }, userText),
    button: { label: 'See your submission', url },
  })
  await sendEmail(context, mailer, { to: found.to, compose, id })
}

async function findMove(db: Executor, giftCardId: string, version: number) {
  const [row] = await db
    .select({
      entry: statusHistory,
      card: giftCards,
      to: { email: users.email, firstName: users.firstName, verified: users.verified },
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
type Move = Pick<Found, 'entry' | 'card'> & { reason: string | null }
type Entry = Found['entry']

function receipt({ card }: Move, userText: UserText): EmailContent {
  const { inSubject, inFacts } = cardNames(card, userText)
  return {
    subject: `We received your submission: ${inSubject}`,
    heading: 'We received your gift card',
    paragraphs: [
      userText.greeting,
      'Thank you. Our team now compares your photos with what you entered. If something is unclear, we ask you.',
      'We send your payment once your card is approved, and we email you at each step.',
    ],
    facts: [
      ...inFacts.map((value) => ({ label: 'Gift card', value })),
      { label: 'Face value', value: toDollars(card.denomination) },
      { label: 'You receive', value: toDollars(card.sellingPrice) },
      { label: 'Status', value: statusRules.pending.sellerLabel },
    ],
  }
}

/** Describes the move by its entry in the history, not by the submission's current status. */
function statusEmail({ entry, card, reason }: Move, userText: UserText): EmailContent {
  const rule = statusRules[entry.toStatus]
  const { inSubject, inFacts } = cardNames(card, userText)
  return {
    subject: `${inSubject}: ${rule.sellerLabel}`,
    heading: rule.sellerText,
    paragraphs: [userText.greeting, ...explain(entry, reason)],
    facts: [
      { label: 'Gift card', value: [...inFacts, toDollars(card.denomination)].join(', ') },
      ...(endedUnpaid(entry.toStatus) ? [] : [{ label: 'You receive', value: toDollars(card.sellingPrice) }]),
      { label: 'Status', value: rule.sellerLabel },
    ],
  }
}

/** The seller typed the name of an unlisted brand, so an unconfirmed address does not get it. */
function cardNames({ brandName, unlistedBrand }: Move['card'], userText: UserText) {
  const name = unlistedBrand ? userText.typed(brandName, '') : brandName
  return name
    ? { inSubject: `${name} gift card`, inFacts: [name] }
    : { inSubject: 'Your gift card', inFacts: [] }
}

function explain({ toStatus, byKind }: Entry, reason: string | null): string[] {
  const said = reason && byKind === 'staff' ? [reason] : []
  switch (toStatus) {
    case 'pending':
      return byKind === 'seller'
        ? ['Thank you for your answer. Your card is back in review.']
        : ['Your card is back in review.', ...said]
    case 'under_review':
      return ['We have a question before we can go on:', ...said, 'Please answer it on the page below.']
    case 'processing':
      return ['Your card was approved. We are making your payment now.']
    case 'completed':
      return ['Your payment was sent. Thank you for selling with us.']
    case 'rejected':
      return ['We could not accept your card:', ...said, 'If you have questions, please contact support.']
    case 'failed':
      return ['Your payment could not be made:', ...said, 'Please contact support so that we can fix it.']
    case 'cancelled':
      return ['You have withdrawn this card. Nothing will be paid for it, and you owe nothing.']
  }
}
