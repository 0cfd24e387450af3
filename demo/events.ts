import type { z } from 'zod'
import type { policyForm } from '#contract/policies.ts'
import { accepted } from '#test/person.ts'
import { balanceServiceUrl } from './balance-service.ts'
import { bookEvents } from './book-events.ts'
import { type Browsers, DAY_MS, type DemoEvent, MINUTE_MS } from './browsers.ts'
import { chatEvents } from './chat-events.ts'
import { conversations, savedReplies } from './conversations.ts'
import { paymentOf, type SellerName, type StaffName, sellers } from './people.ts'
import { saleEvents } from './sale-events.ts'
import { sales } from './sales/all.ts'
import { salesPaidInBatch } from './sales/paid-in-batch.ts'

/**
 * Everything that happens in the weeks before `now`, in order.
 * @param cards only the last sales, with their sellers; all of them by default
 */
export function demoEvents(now: number, cards = sales.length): DemoEvent[] {
  const chosenSales = sales.slice(-cards)
  const chosenChats = cards < sales.length ? conversations.slice(-2) : conversations
  const names = [...chosenSales, ...chosenChats].flatMap((part) => ('seller' in part ? [part.seller] : []))
  const events = [
    ...[...new Set<SellerName>(['grace', ...names])].flatMap((name) => registration(name, now)),
    ...chosenSales.flatMap((sale) => saleEvents(sale, now)),
    ...chosenChats.flatMap((conversation) => chatEvents(conversation, now)),
    ...(salesPaidInBatch.every((sale) => chosenSales.includes(sale)) ? bookEvents(now) : []),
    ...staffEvents(now),
  ]
  return events.sort((one, other) => one.at - other.at)
}

/** A seller registers, confirms the email address and saves a payment method. */
function registration(name: SellerName, now: number): DemoEvent[] {
  const at = now - sellers[name].registeredDaysAgo * DAY_MS
  return [
    { at, run: (browsers) => browsers.register(name) },
    ...(name === 'oscar'
      ? []
      : [{ at: at + 2 * MINUTE_MS, run: (browsers: Browsers) => browsers.confirmEmail(name) }]),
    { at: at + 4 * MINUTE_MS, run: (browsers) => savePaymentMethod(browsers, name) },
  ]
}

async function savePaymentMethod(browsers: Browsers, name: SellerName): Promise<void> {
  const { firstName, lastName } = sellers[name]
  const { type, account, number, accountType } = paymentOf(name, browsers.payoutMethods)
  if (type === 'apple_pay' || type === 'google_pay') return
  const details = number
    ? { routingNumber: account, accountNumber: number, accountType }
    : { accountInfo: account }
  const method = { type, accountName: `${firstName} ${lastName}`, ...details }
  await accepted((await browsers.seller(name)).post('/api/payment-methods', method))
}

/** Approves cards of Diego, but none of the others in the demo. With a payout provider, the money leaves too. */
const policy: z.input<typeof policyForm> = {
  name: 'Starbucks up to $100',
  brands: ['starbucks'],
  maxFaceValue: '100.00',
  minAccountDays: 14,
  minCompletedSales: 1,
  waitMinutes: 0,
  sellerLimit: '500.00',
  shopLimit: '1000.00',
  samplePercent: 5,
  paysAtOnce: true,
  mode: 'shadow',
}

/** What else staff do, so that the audit log has more than moves. */
function staffEvents(now: number): DemoEvent[] {
  const by = (
    name: StaffName,
    daysAgo: number,
    work: (reviewer: Awaited<ReturnType<Browsers['staff']>>) => Promise<unknown>,
  ): DemoEvent => ({
    at: now - daysAgo * DAY_MS,
    run: async (browsers) => void (await work(await browsers.staff(name))),
  })
  return [
    ...savedReplies.map((saved, index) =>
      by(index % 2 === 0 ? 'maya' : 'jonas', 35 - index * 6, (reviewer) =>
        accepted(reviewer.post('/api/admin/saved-replies', saved)),
      ),
    ),
    by('admin', 24, (reviewer) => accepted(reviewer.patch('/api/admin/brands/etsy', { rate: '87.00' }))),
    by('admin', 10, (reviewer) =>
      accepted(
        reviewer.post('/api/admin/brands', {
          value: 'trader_joes',
          name: "Trader Joe's",
          category: 'Grocery',
          rate: '86.00',
          minAmount: '25.00',
          maxAmount: '300.00',
        }),
      ),
    ),
    by('admin', 3, (owner) =>
      accepted(owner.put('/api/admin/balance-connectors/starbucks', { url: balanceServiceUrl })),
    ),
    by('maya', 2, (manager) => accepted(manager.post('/api/admin/policies', policy))),
    by('admin', 1.9, async (owner) => {
      const [{ id, version }] = (await accepted(owner.get('/api/admin/policies'))).json.policies
      await accepted(owner.post(`/api/admin/policies/${id}/mode`, { mode: 'on', version }))
    }),
    // The newest review still waits.
    by('maya', 8.5, async (manager) => {
      const { json } = await accepted(manager.get('/api/admin/reviews?state=waiting'))
      for (const { id } of json) {
        await accepted(manager.patch(`/api/admin/reviews/${id}`, { state: 'approved' }))
      }
    }),
    by('maya', 7, (reviewer) => accepted(reviewer.get('/api/admin/transactions.csv'))),
    // A failed sign-in, which the audit log records too.
    {
      at: now - 6 * DAY_MS,
      run: async (browsers) => {
        await browsers
          .visitor()
          .post('/api/admin/login', { username: 'jonas', password: 'not the one today' })
      },
    },
  ]
}
