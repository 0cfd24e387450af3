import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { openingAt } from '#domain/opening-hours.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { arrivalOf, REVIEW_HOURS } from '#domain/payout.ts'
import { sellerStateRules } from '#domain/seller-state.ts'
import { dayIn } from '#domain/shop-time.ts'
import type { Context } from '#server/context.ts'
import { findReturns, isAccountDead } from '#server/features/books/dead-accounts.ts'
import type { Seller } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import { giftCards, payouts, users } from '#server/platform/database/schema.ts'
import { bankDayAfter, settlementDay } from './files/bank-days.ts'
import { findPayoutStop } from './payout-stop.ts'
import { WAITING_DAYS } from './prenotes.ts'

/**
 * The same for one card of a seller. Empty if it is neither in review nor approved, or if its account has sent money back. A day
 * that is over is named only for an approved card, also while payouts are stopped.
 */
export async function listExpectedDaysOf(context: Context, seller: Seller, giftCardId: string, now: Date) {
  const days = (await findDays(context, seller.id, [giftCardId], now)).get(giftCardId)
  if (!days) throw notFound()
  return days
}

/** The day by which the money for a card should arrive, for an email. Undefined if it is over or unknown. */
export async function findExpectedDay(
  context: Context,
  card: { id: string; sellerId: string },
): Promise<string | undefined> {
  return (await findExpectedDays(context, card.sellerId, [card.id])).get(card.id)
}

/** The same for several cards of a seller, by their ids. */
export async function findExpectedDays(
  context: Context,
  sellerId: string,
  giftCardIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await findDays(context, sellerId, giftCardIds, new Date())
  return new Map(
    [...found].flatMap(([id, [day]]) => (day && !('isOver' in day) ? [[id, day.expectedOn] as const] : [])),
  )
}

async function findDays(context: Context, sellerId: string, giftCardIds: readonly string[], now: Date) {
  const cards = await context.db
    .select({
      id: giftCards.id,
      status: giftCards.status,
      version: giftCards.version,
      type: giftCards.paymentType,
      hint: giftCards.paymentAccountHint,
      isDead: isAccountDead,
      sellerState: users.state,
      updatedAt: giftCards.updatedAt,
      waitsUntil,
    })
    .from(giftCards)
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(
      and(
        inArray(giftCards.id, [...giftCardIds]),
        eq(giftCards.sellerId, sellerId),
        isNull(giftCards.clearedAt),
      ),
    )
  if (cards.length === 0) return new Map<string, never>()
  const isStopped = Boolean(await findPayoutStop(context.db))
  const cameBackAt = await findReturns(context, sellerId)
  const { openingHours, timeZone } = context.site
  const today = dayIn(openingHours?.zone ?? timeZone, now)
  return new Map(cards.map((card) => [card.id, daysOf(card)]))

  function daysOf({
    status,
    version,
    type,
    hint,
    isDead,
    sellerState,
    updatedAt,
    waitsUntil: until,
  }: (typeof cards)[number]) {
    if (status !== 'pending' && status !== 'processing') return []
    const isApproved = status === 'processing'
    const days = expectedDays(context.site, until && until > updatedAt ? until : updatedAt, isApproved)
    const day = days.find(({ paymentType }) => paymentType === type)
    if (!day) return []
    if (day.expectedOn < today) return isApproved ? [{ ...day, isOver: true as const }] : []
    const isHeld = !sellerStateRules[sellerState].isPaid
    if (isDead || isHeld || isStopped || cameBackAt(type as PaymentType, hint)) return []
    return [{ ...day, ...(!isApproved && version > 1 && { isReviewedAgain: true as const }) }]
  }
}

/** An account that was changed waits. */
const waitsUntil = sql<Date | null>`(
  select max(batchable_at) from payouts where payouts.gift_card_id = gift_cards.id and payouts.state = 'due'
)`.mapWith(payouts.batchableAt)

/**
 * When the money for a card that is submitted at a time should arrive: the longest review, counted from opening, and the arrival
 * of the payment type. Leaves out types whose arrival varies, and all types if the shop has no opening hours or sends no payouts
 * now.
 */
export async function listExpectedDays({ db, site }: Context, since: Date) {
  return (await findPayoutStop(db)) ? [] : expectedDays(site, since)
}

/** @param isApproved counts from the approval instead */
function expectedDays(site: Context['site'], since: Date, isApproved = false) {
  const { openingHours: hours, payoutMethods } = site
  if (!hours) return []
  const whenOpen = (time: Date): Date => {
    const { isOpen, changesAt } = openingAt(hours, time)
    return isOpen ? time : (changesAt ?? time)
  }
  const reviewMs = isApproved ? 0 : REVIEW_HOURS * 3_600_000
  const approved = whenOpen(new Date(whenOpen(since).getTime() + reviewMs))
  return payoutMethods.flatMap((paymentType) => {
    const expectedOn = arrivalDay(paymentType)
    return expectedOn === undefined ? [] : [{ paymentType, expectedOn }]
  })

  function arrivalDay(type: PaymentType): string | undefined {
    const { nacha, prenotes } = site.payouts
    const arrival = arrivalOf(type)
    if (arrival === 'same_day') return dayIn(hours?.zone ?? site.timeZone, approved)
    if (arrival === undefined || nacha.destination === undefined) return undefined
    // The account may be new to the shop.
    return bankDayAfter(settlementDay(approved, nacha), prenotes ? WAITING_DAYS + 1 : 0)
  }
}
