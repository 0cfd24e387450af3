import { and, asc, eq, gt, lte } from 'drizzle-orm'
import { type Cents, toDollars } from '#domain/money.ts'
import { noticeOfMove } from '#domain/notifications.ts'
import type { Context } from '#server/context.ts'
import { sendNotice } from '#server/features/notifications/actions.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, users } from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { brandOf, linkTo, type UserText } from '#server/platform/mail/send-email.ts'
import type { EmailContent } from '#server/platform/mail/template.ts'
import type { Translate } from '#words/translate.ts'

/** Mails the seller what we received: every card of a sale at the positions, with its quote, and the total. */
export async function sendSaleReceipt(
  context: Context,
  mailer: Mailer,
  positions: JobPayloads['saleReceiptMail'],
  id: string,
): Promise<void> {
  const cards = await listReceived(context.db, positions)
  const [first] = cards
  if (!first) return
  const compose = (t: Translate, userText: UserText): EmailContent => ({
    ...saleReceipt(t, cards, userText),
    button: { label: t('mail.saleReceipt.button'), url: linkTo(context.site, t.locale, '/processing') },
  })
  const { to, userId } = first
  await sendNotice(context, mailer, { notice: noticeOfMove('submit'), userId, to, compose, id })
}

async function listReceived(db: Executor, { saleId, after, upTo }: JobPayloads['saleReceiptMail']) {
  const { salePosition } = giftCards
  return await db
    .select({
      brandName: giftCards.brandName,
      unlistedBrand: giftCards.unlistedBrand,
      faceValue: giftCards.denomination,
      quote: giftCards.quotedPrice,
      userId: users.id,
      to: { email: users.email, firstName: users.firstName, verified: users.verified, locale: users.locale },
    })
    .from(giftCards)
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(and(eq(giftCards.saleId, saleId), gt(salePosition, after), lte(salePosition, upTo)))
    .orderBy(asc(salePosition))
}

interface Received {
  readonly brandName: string
  readonly unlistedBrand: boolean
  readonly faceValue: Cents
  readonly quote: Cents
}

function saleReceipt(t: Translate, cards: readonly Received[], userText: UserText): EmailContent {
  const count = cards.length
  const total = cards.reduce((sum, { quote }) => sum + quote, 0)
  const worth = cards.reduce((sum, { faceValue }) => sum + faceValue, 0)
  const title = t('mail.saleReceipt.title', { count })
  return {
    subject: title,
    heading: title,
    greeting: userText.greeting,
    paragraphs: [t('mail.saleReceipt.review', { amount: toDollars(total) }), t('mail.saleReceipt.payment')],
    facts: [
      ...cards.map((card) => ({
        label: `${brandOf(card, userText) || t('mail.fact.card')}, ${toDollars(card.faceValue)}`,
        value: toDollars(card.quote),
      })),
      {
        label: t('mail.saleReceipt.cards'),
        value: t('mail.saleReceipt.worth', { count, amount: toDollars(worth) }),
        isCard: true,
      },
      { label: t('mail.fact.youReceive'), value: toDollars(total), share: (100 * total) / worth },
    ],
  }
}
