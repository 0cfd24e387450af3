import { and, asc, eq, gt, lte } from 'drizzle-orm'
import { screens } from '#contract/screens.ts'
import { toDollars } from '#domain/money.ts'
import type { Context } from '#server/context.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, users } from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import { weekdayIn } from '#server/platform/mail/dates.ts'
import {
  cardListFacts,
  type Letter,
  listedColumns,
  mustConfirm,
  recipient,
  worthOf,
} from '#server/platform/mail/letter.ts'
import type { Translate } from '#words/translate.ts'
import { lowerBalance } from './balance-requests.ts'
import { requestConfirmation } from './confirmation-request.ts'
import type { FindExpectedDay } from './status-mail.ts'

const accountLink = { label: 'mail.payoutReturned.button', path: screens.account.path } as const
const cardsLink = { label: 'mail.saleReceipt.button', path: '/processing' } as const

/** What we received: every card of a sale at the positions, with its price, and the total. */
export async function composeSaleReceipt(
  context: Context,
  positions: JobPayloads['saleReceiptMail'],
  findExpectedDay: FindExpectedDay,
): Promise<Letter | undefined> {
  const cards = await listReceived(context.db, positions)
  const [first] = cards
  if (!first) return undefined
  const { to, userId } = first
  const t = context.words[to.locale]
  const count = cards.length
  const total = cards.reduce((sum, { price }) => sum + price, 0)
  const lower = cards.filter((card) => card.lowerBalance !== null).length
  const confirmation = first.mustConfirm
    ? await requestConfirmation(context, userId, to, screens.account.path)
    : undefined
  const link = first.routingNumberSuspect ? accountLink : cardsLink
  const isAwaited = lower === 0 && !first.mustConfirm && !first.routingNumberSuspect
  const expectedOn = isAwaited ? await findExpectedDay(context, { ...first, sellerId: userId }) : undefined
  return {
    kind: 'saleReceipt',
    to,
    sellerId: userId,
    title: 'mail.saleReceipt.title',
    paragraphs: [
      lower > 0
        ? ['mail.saleReceipt.lower', { count: lower, amount: toDollars(total) }]
        : 'mail.saleReceipt.review',
      first.mustConfirm ? 'mail.saleReceipt.payment.unconfirmed' : 'mail.saleReceipt.payment',
      first.routingNumberSuspect && 'payoutStatus.routingNumber.now',
      confirmation?.text,
    ],
    values: {
      count,
      amount: toDollars(total),
      arrival: expectedOn ? t('mail.submit.by', { date: weekdayIn(t, expectedOn) }) : '',
    },
    facts: [
      ...cardListFacts(
        t,
        cards.map((card) => ({ ...card, amount: quoteOf(t, card) })),
        to,
      ),
      {
        label: t('mail.fact.quote'),
        value: toDollars(total),
        ...(lower === 0 && { share: (100 * total) / worthOf(cards), inReview: true }),
      },
    ],
    button: confirmation?.button ?? link,
    otherLink: confirmation && link,
  }
}

function quoteOf(t: Translate, { price, lowerBalance }: { price: number; lowerBalance: number | null }) {
  if (lowerBalance === null) return price
  return t('mail.saleReceipt.found', { quote: toDollars(price), balance: toDollars(lowerBalance) })
}

async function listReceived(db: Executor, { saleId, after, upTo }: JobPayloads['saleReceiptMail']) {
  const { salePosition } = giftCards
  return await db
    .select({
      ...listedColumns,
      price: giftCards.sellingPrice,
      routingNumberSuspect: giftCards.routingNumberSuspect,
      lowerBalance,
      userId: users.id,
      to: recipient,
      mustConfirm,
    })
    .from(giftCards)
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(and(eq(giftCards.saleId, saleId), gt(salePosition, after), lte(salePosition, upTo)))
    .orderBy(asc(salePosition))
}
