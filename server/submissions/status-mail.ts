import { toDollars } from '#domain/money.ts'
import { statusRules } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import type { JobPayloads } from '#server/jobs/jobs.ts'
import type { Letter } from '#server/mail/letter.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { sendLetter } from '#server/mail/send-letter.ts'
import { findMoveForMail } from './queries.ts'
import { openReason } from './reasons.ts'

/** Mails the seller about a move. */
export async function sendStatusMail(
  context: Context,
  mailer: Mailer,
  job: JobPayloads['statusMail'],
  id: string,
): Promise<void> {
  const found = await statusLetter(context, job)
  if (found) await sendLetter(context, mailer, { ...found, id })
}

/** What the seller is told about a move, with the history's words: never with what it has become since. */
async function statusLetter(
  context: Context,
  { giftCardId, version }: JobPayloads['statusMail'],
): Promise<{ to: string; letter: Letter } | undefined> {
  const found = await findMoveForMail(context.db, giftCardId, version)
  if (!found) return undefined
  const { entry, card, email, firstName } = found
  const rule = statusRules[entry.toStatus]
  return {
    to: email,
    letter: {
      subject: `${card.brandName} gift card: ${rule.sellerLabel}`,
      heading: rule.sellerText,
      paragraphs: [
        `Hello ${firstName},`,
        ...explain(entry, openReason(context, card, version, entry.sealedReason)),
      ],
      facts: [
        { label: 'Gift card', value: `${card.brandName}, ${toDollars(card.denomination)}` },
        { label: 'You receive', value: toDollars(card.sellingPrice) },
        { label: 'Status', value: rule.sellerLabel },
      ],
      button: { label: 'See your submission', url: `${context.site.publicUrl}/processing` },
    },
  }
}

type Entry = NonNullable<Awaited<ReturnType<typeof findMoveForMail>>>['entry']

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
      return [
        'Your payment could not be made:',
        ...said,
        'Please contact support so that we can put it right.',
      ]
    case 'cancelled':
      return ['You have withdrawn this card. Nothing will be paid for it, and nothing is owed.']
  }
}
