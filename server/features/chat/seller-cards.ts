import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { ChatCardAnswer } from '#contract/staff-chat.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { fileKindOf, type PayoutState } from '#domain/payout.ts'
import type { Context } from '#server/context.ts'
import { findExpectedDays } from '#server/features/payouts/expected-days.ts'
import { needsAccount } from '#server/features/submissions/payout-effects.ts'
import { notFound } from '#server/http/refusal.ts'
import { jsonObject } from '#server/platform/database/queries.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import { userExists } from './queries.ts'

const MAX_CARDS = 20

/** A seller's newest submissions, for the staff who write with them. Throws 404 for an unknown seller. */
export async function listSellerCards(context: Context, sellerId: string): Promise<ChatCardAnswer[]> {
  const { db } = context
  const { id, brandName, denomination, offerAmount, sellingPrice, status, createdAt } = giftCards
  const rows = await db
    .select({
      id,
      brandName,
      denomination,
      quote: sql<number>`coalesce(${offerAmount}, ${sellingPrice})`.mapWith(sellingPrice),
      status,
      needsAccount,
      payout: awaitedPayout,
      createdAt,
    })
    .from(giftCards)
    .where(and(eq(giftCards.sellerId, sellerId), isNull(giftCards.clearedAt)))
    .orderBy(desc(id))
    .limit(MAX_CARDS)
  if (rows.length === 0 && !(await userExists(db, sellerId))) throw notFound()
  const unsent = rows.filter(({ payout }) => payout && !isSent(payout) && !payout.waitsForEmail)
  const days = await findExpectedDays(
    context,
    sellerId,
    unsent.map((card) => card.id),
  )
  return rows.map(({ payout, ...card }) => ({
    ...card,
    payout: payout && toPayout(payout, days.get(card.id)),
  }))
}

interface AwaitedPayout {
  readonly state: PayoutState
  readonly type: PaymentType
  readonly waitsUntil: Date | null
  readonly waitsForEmail: boolean
  readonly sentAt: Date | null
  readonly expectedOn: string | null
}

/** The payout of an approved card whose money has not arrived. Null if the seller has to enter another account first. */
const awaitedPayout = jsonObject<AwaitedPayout>(
  sql`(
    select json_build_object('state', payouts.state, 'type', payouts.payment_type, 'sentAt', sent_at, 'expectedOn', expected_on,
      'waitsUntil', case when payouts.state = 'due' and batchable_at > now() then batchable_at end,
      'waitsForEmail', payouts.state = 'due' and not (verified or confirmation_waived))
    from payouts join users on users.id = payouts.seller_id left join payout_batches on payout_batches.id = batch_id
    where payouts.gift_card_id = gift_cards.id and gift_cards.status = 'processing' and not ${needsAccount}
      and payouts.state in ('due', 'batched', 'released', 'exported')
    order by payouts.number desc limit 1
  )`,
  'sentAt',
  'waitsUntil',
)

/** The payouts of a worksheet are sent one by one after its download. */
const isSent = ({ state, type }: AwaitedPayout) => state === 'exported' && fileKindOf(type) !== 'worksheet'

function toPayout(payout: AwaitedPayout, day: string | undefined): ChatCardAnswer['payout'] {
  const { state, sentAt, ...rest } = payout
  if (isSent(payout)) return { ...rest, state: 'sent', sentAt }
  return { ...rest, state: state === 'due' ? 'due' : 'batched', sentAt: null, expectedOn: day ?? null }
}
