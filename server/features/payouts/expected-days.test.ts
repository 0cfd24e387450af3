import { expect, it } from 'vitest'
import type { Seller } from '#server/http/actor.ts'
import { ensureInstallation } from '#server/operator/installation.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp } from '#test/app.ts'
import { payoutReturned } from '#test/payouts.ts'
import { moveAnyway, submitted, submittedIn } from '#test/submissions.ts'
import { listExpectedDays, listExpectedDaysOf } from './expected-days.ts'
import { stopPayouts } from './payout-stop.ts'

// The default brand is open Mon-Fri from 9 to 18 in New York. December 25, 2026 is a Friday, and a holiday of banks.
it.each([
  ['at noon', '2026-11-30T17:00:00Z', '2026-12-01', '2026-12-02'],
  ['at night', '2026-11-30T04:00:00Z', '2026-12-01', '2026-12-02'],
  ['on a Friday evening', '2026-11-27T23:30:00Z', '2026-12-01', '2026-12-02'],
  ['on a Friday at noon', '2026-11-27T17:00:00Z', '2026-11-30', '2026-12-01'],
  ['before Christmas', '2026-12-23T17:00:00Z', '2026-12-24', '2026-12-28'],
])('counts the longest review from opening, and banking days: %s', async (_, now, wallet, bank) => {
  const { context } = await createTestApp()
  const { site } = context
  const withBank = { ...site.payouts, nacha: { cutoff: 17 * 60, destination: '021000021' } }
  const days = async (more: object = {}) => {
    const shop = { ...context, site: { ...site, payouts: withBank, ...more } }
    const listed = await listExpectedDays(shop, new Date(now))
    return Object.fromEntries(listed.map(({ paymentType, expectedOn }) => [paymentType, expectedOn]))
  }
  const wallets = ['paypal', 'venmo', 'zelle', 'chime', 'cash_app'].map((type) => [type, wallet])
  expect(await days()).toEqual({ ...Object.fromEntries(wallets), bank_transfer: bank })
  const { bank_transfer: afterPrenote = '' } = await days({ payouts: { ...withBank, prenotes: true } })
  expect(afterPrenote > bank).toBe(true)
  expect(await days({ payouts: { ...site.payouts, nacha: { cutoff: 17 * 60 } } })).toEqual(
    Object.fromEntries(wallets),
  )
  expect(await days({ openingHours: undefined })).toEqual({})
})

it('names no day while payouts are stopped', async () => {
  const { context, db } = await createTestApp()
  await ensureInstallation(db)
  const now = new Date('2026-11-30T17:00:00Z')
  expect(await listExpectedDays(context, now)).not.toEqual([])
  await transaction(db, (tx) => stopPayouts(tx))
  expect(await listExpectedDays(context, now)).toEqual([])
})

it('names the day for a card while it is in review or approved, to its seller only', async () => {
  const server = await createTestApp()
  const [seller, other, staff] = [await server.seller(), await server.seller(), await server.staff()]
  const id = await submitted(seller)
  const at = (now: string) =>
    listExpectedDaysOf(server.context, { id: seller.id } as Seller, id, new Date(now))
  const since = (time: string) =>
    server.pool.query('update gift_cards set updated_at = $1 where id = $2', [time, id])
  const waitsUntil = (time: string) =>
    server.pool.query('update payouts set batchable_at = $1 where gift_card_id = $2', [time, id])
  await since('2026-11-30T17:00:00Z')
  expect(await at('2026-11-30T20:00:00Z')).toEqual([{ paymentType: 'paypal', expectedOn: '2026-12-01' }])
  expect(await at('2026-12-02T17:00:00Z')).toEqual([])
  const allow = (state: string) =>
    server.pool.query('update users set state = $1 where id = $2', [state, seller.id])
  await allow('held')
  expect(await at('2026-11-30T20:00:00Z')).toEqual([])
  await allow('active')
  await moveAnyway(staff, id, { status: 'under_review', reason: 'Which shop?' })
  await since('2026-11-30T17:00:00Z')
  expect(await at('2026-11-30T20:00:00Z')).toEqual([])
  await moveAnyway(staff, id, { status: 'pending' })
  await since('2026-11-30T17:00:00Z')
  const again = { paymentType: 'paypal', expectedOn: '2026-12-01', isReviewedAgain: true }
  expect(await at('2026-11-30T20:00:00Z')).toEqual([again])
  await moveAnyway(staff, id, { status: 'processing' })
  await since('2026-11-30T17:00:00Z')
  await waitsUntil('2026-11-30T17:00:00Z')
  expect(await at('2026-11-30T20:00:00Z')).toEqual([{ paymentType: 'paypal', expectedOn: '2026-11-30' }])
  const late = { paymentType: 'paypal', expectedOn: '2026-11-30', isOver: true }
  expect(await at('2026-12-01T17:00:00Z')).toEqual([late])
  await ensureInstallation(server.db)
  await transaction(server.db, (tx) => stopPayouts(tx))
  expect(await at('2026-11-30T20:00:00Z')).toEqual([])
  expect(await at('2026-12-01T17:00:00Z')).toEqual([late])
  await server.pool.query('update installation set payouts_stopped_at = null')
  // The account was changed, so the payout waits a day.
  await waitsUntil('2026-12-01T17:00:00Z')
  expect(await at('2026-12-01T20:00:00Z')).toEqual([{ paymentType: 'paypal', expectedOn: '2026-12-01' }])
  const { status } = await other.get(`/api/user/expected-payout-days?giftCardId=${id}`)
  expect(status).toBe(404)
})

it('names no day for an account that sent money back, unless it only reached a limit', async () => {
  const server = await createTestApp()
  const [seller, staff] = [await server.seller(), await server.staff()]
  const id = await submittedIn('completed', { seller, staff })
  const waiting = await submitted(seller)
  const days = async () => (await seller.get(`/api/user/expected-payout-days?giftCardId=${waiting}`)).json
  const reason = server.context.words.en('reasons.text.payout_limit_reached')
  await payoutReturned(server, id, { code: 'R23', reason })
  expect(await days()).toHaveLength(1)
  await server.pool.query('update payouts set return_reason = null')
  expect(await days()).toEqual([])
})
