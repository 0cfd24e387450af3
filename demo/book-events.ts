import type { StockItem } from '#contract/inventory.ts'
import type { DueTotal, WirePayout } from '#contract/payouts.ts'
import { parseDollars, toDecimal } from '#domain/money.ts'
import { fileKindOf } from '#domain/payout.ts'
import { monthBefore } from '#domain/reports.ts'
import { accepted } from '#test/person.ts'
import { type Browsers, DAY_MS, type DemoEvent } from './browsers.ts'
import { type StaffName, sellers } from './people.ts'

/**
 * Pays the first approved cards in a batch. Two people send it, it is settled, one of the cards turns out to be bad, and one
 * payout comes back. Later bank transfers leave, which are not settled yet. At the end the month before is closed.
 */
export function bookEvents(now: number): DemoEvent[] {
  const batch = { id: '' }
  const steps: [daysAgo: number, run: (browsers: Browsers) => Promise<unknown>][] = [
    [6.3, (browsers) => freeze(browsers, batch)],
    [6.25, (browsers) => release(browsers, batch)],
    [5.2, (browsers) => recordPaid(browsers, batch)],
    [5.1, sellCards],
    [5.05, findBadCard],
    // The service's statement shows the batch, and what it took for it.
    [4.2, (browsers) => act(browsers, 'petra', batch, 'settle', { reference: '8F2K', fee: '0.75' })],
    [2.5, sendBankTransfers],
    [0.95, (browsers) => closeLastMonth(browsers, now - 0.95 * DAY_MS)],
    [0.6, (browsers) => freezeOnePerSeller(browsers)],
    [0.15, (browsers) => wire(browsers)],
    [0.05, (browsers) => findDeadAccount(browsers)],
    [0, (browsers) => giveBack(browsers, batch)],
  ]
  return steps.map(([daysAgo, run]) => ({ at: now - daysAgo * DAY_MS, run }))
}

interface Ids {
  id: string
}

/** Which payment types there are depends on the brand, so this batches all due payouts of one file kind. */
async function freeze(browsers: Browsers, batch: Ids): Promise<void> {
  const petra = await browsers.staff('petra')
  const due: DueTotal[] = (await accepted(petra.get('/api/admin/payouts/due'))).json
  const paymentType = due
    .filter(({ file, readyCount }) => file === due[0]?.file && readyCount > 0)
    .map((total) => total.paymentType)
  const created = await accepted(petra.post('/api/admin/payout-batches', { paymentType }))
  batch.id = created.json.id
  await act(browsers, 'petra', batch, 'freeze')
}

async function release(browsers: Browsers, batch: Ids): Promise<void> {
  await act(browsers, 'maya', batch, 'release')
  await act(browsers, 'petra', batch, 'file')
  await accepted((await browsers.staff('petra')).get(`/api/admin/payout-batches/${batch.id}/file`))
}

/** The payouts of a worksheet are recorded one by one. */
async function recordPaid(browsers: Browsers, batch: Ids): Promise<void> {
  const petra = await browsers.staff('petra')
  const { json } = await accepted(petra.get('/api/admin/payout-batches?state=exported'))
  if (json.find(({ id }: Ids) => id === batch.id)?.file !== 'worksheet')
    return void (await act(browsers, 'petra', batch, 'paid', { reference: '8F2K' }))
  const payouts: WirePayout[] = (await accepted(petra.get(`/api/admin/payouts?batchId=${batch.id}`))).json
  for (const [index, { id }] of payouts.entries())
    await accepted(petra.post(`/api/admin/payouts/${id}/paid`, { reference: `ZL-${20_931 + index}` }))
}

function act(browsers: Browsers, name: StaffName, { id }: Ids, action: string, body?: object) {
  const path = `/api/admin/payout-batches/${id}/${action}`
  return accepted(browsers.staff(name).then((person) => person.post(path, body)))
}

/** Priya's cards leave by bank transfer. The statement that the demo comes with shows them. */
async function sendBankTransfers(browsers: Browsers): Promise<void> {
  const petra = await browsers.staff('petra')
  const url = '/api/admin/payouts?state=due&paymentType=bank_transfer&limit=200'
  const due: WirePayout[] = (await accepted(petra.get(url))).json
  const chosen = due.filter(
    ({ username, problem }) => username === sellers.priya.username && problem === null,
  )
  if (chosen.length === 0) return
  const body = { paymentType: 'bank_transfer', payoutIds: chosen.map(({ id }) => id) }
  const { json } = await accepted(petra.post('/api/admin/payout-batches', body))
  await act(browsers, 'petra', json, 'freeze')
  for (const name of json.needsTwoApprovals ? (['maya', 'admin'] as const) : (['maya'] as const)) {
    await act(browsers, name, json, 'release')
  }
  await act(browsers, 'petra', json, 'file')
}

/**
 * Sells some of the oldest cards and offers others for sale. Marcus's cards stay in stock, because one of them turns out to be
 * bad.
 */
async function sellCards(browsers: Browsers): Promise<void> {
  const maya = await browsers.staff('maya')
  const newestFirst: StockItem[] = (await accepted(maya.get('/api/admin/inventory?state=in_stock'))).json
  const oldest = newestFirst
    .filter(({ username }) => username !== sellers.marcus.username)
    .toReversed()
    .slice(0, 7)
  for (const [index, { id, denomination }] of oldest.entries()) {
    const proceeds = toDecimal(Math.round((parseDollars(denomination) ?? 0) * 0.96))
    const change =
      index < 4
        ? { state: 'sold', channel: 'Bulk buyer', proceeds }
        : { state: 'listed', channel: 'Online market' }
    await accepted(maya.patch(`/api/admin/inventory/${id}`, change))
  }
}

/** A card that did not work: its seller owes what we paid, which is deducted from the next payout. */
async function findBadCard(browsers: Browsers): Promise<void> {
  const maya = await browsers.staff('maya')
  const stock: StockItem[] = (await accepted(maya.get('/api/admin/inventory?state=in_stock'))).json
  const bad = stock.find(({ username }) => username === sellers.marcus.username)
  await accepted(maya.patch(`/api/admin/inventory/${bad?.id}`, { state: 'bad' }))
}

/** The money for Grace's card comes back, after her last sale: she could not use the account for another one. */
async function giveBack(browsers: Browsers, { id }: Ids): Promise<void> {
  const petra = await browsers.staff('petra')
  const payouts: WirePayout[] = (await accepted(petra.get(`/api/admin/payouts?batchId=${id}`))).json
  const grace = payouts.find(({ username }) => username === sellers.grace.username)
  const reason = 'PayPal says that this account cannot receive payments'
  await accepted(petra.post(`/api/admin/payouts/${grace?.id}/return`, { reason }))
}

/**
 * The cards of Diego and of Marcus leave with one payment each. Their batch is above `SECOND_APPROVAL_ABOVE`: Maya approves it, and it
 * waits for another person.
 */
async function freezeOnePerSeller(browsers: Browsers): Promise<void> {
  const petra = await browsers.staff('petra')
  const due: WirePayout[] = (await accepted(petra.get('/api/admin/payouts?state=due&limit=200'))).json
  const names: readonly string[] = [sellers.diego.username, sellers.marcus.username]
  const chosen = due.filter(
    ({ username, problem, paymentType }) =>
      names.includes(username) && problem === null && fileKindOf(paymentType) === 'paypal',
  )
  if (chosen.length === 0) return
  const paymentType = [...new Set(chosen.map((payout) => payout.paymentType))]
  const body = { paymentType, payoutIds: chosen.map(({ id }) => id), onePerSeller: true }
  const { json } = await accepted(petra.post('/api/admin/payout-batches', body))
  await act(browsers, 'petra', json, 'freeze')
  await act(browsers, 'maya', json, 'release')
}

/** Ruth's newest card is paid by a wire transfer. */
async function wire(browsers: Browsers): Promise<void> {
  const petra = await browsers.staff('petra')
  const newest = await payoutOfRuth(browsers, 'due')
  if (newest) await accepted(petra.post(`/api/admin/payouts/${newest.id}/paid`, { reference: 'WIRE-0131' }))
}

/** Her bank refuses it, so her other payouts wait for another account. */
async function findDeadAccount(browsers: Browsers): Promise<void> {
  const petra = await browsers.staff('petra')
  const paid = await payoutOfRuth(browsers, 'paid')
  const reason = 'The bank account is closed'
  if (paid) await accepted(petra.post(`/api/admin/payouts/${paid.id}/return`, { reason }))
}

async function payoutOfRuth(browsers: Browsers, state: 'due' | 'paid'): Promise<WirePayout | undefined> {
  const petra = await browsers.staff('petra')
  const url = `/api/admin/payouts?state=${state}&paymentType=bank_transfer&limit=200`
  const payouts: WirePayout[] = (await accepted(petra.get(url))).json
  const ofRuth = payouts.filter(({ username }) => username === sellers.ruth.username)
  // With a single card, nothing would wait.
  if (state === 'due') return ofRuth.length > 1 ? ofRuth.at(-1) : undefined
  return ofRuth.find(({ reference }) => reference === 'WIRE-0131')
}

async function closeLastMonth(browsers: Browsers, at: number): Promise<void> {
  const maya = await browsers.staff('maya')
  const month = monthBefore(new Date(at).toISOString(), 1)
  await accepted(maya.post('/api/admin/ledger/closed-months', { month }))
}
