import { openingAt } from '#domain/opening-hours.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { arrivalOf, REVIEW_HOURS } from '#domain/payout.ts'
import { dayIn } from '#domain/shop-time.ts'
import type { Context } from '#server/context.ts'
import { bankDayAfter, settlementDay } from './files/bank-days.ts'
import { findPayoutStop } from './payout-stop.ts'
import { WAITING_DAYS } from './prenotes.ts'

/**
 * When the money for a card that is submitted now should arrive: the longest review, counted from opening, and the arrival of the
 * payment type. Leaves out types whose arrival varies, and all types if the shop has no opening hours or sends no payouts now.
 */
export async function listExpectedDays({ db, site }: Context, now: Date) {
  const { openingHours: hours, payoutMethods } = site
  if (!hours || (await findPayoutStop(db))) return []
  const whenOpen = (time: Date): Date => {
    const { isOpen, changesAt } = openingAt(hours, time)
    return isOpen ? time : (changesAt ?? time)
  }
  const approved = whenOpen(new Date(whenOpen(now).getTime() + REVIEW_HOURS * 3_600_000))
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
