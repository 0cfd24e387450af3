import type { DueTotal, WirePayout } from '#contract/payouts.ts'
import { accepted, type Browsers, DAY_MS, type DemoEvent } from './browsers.ts'
import { sellers } from './people.ts'

/**
 * What becomes of the first cards that were approved to be paid in a batch: two people send it, it is paid, and one payout comes back.
 */
export function bookEvents(now: number): DemoEvent[] {
  const batch = { id: '' }
  const steps: [daysAgo: number, run: (browsers: Browsers) => Promise<void>][] = [
    [6.3, (browsers) => freeze(browsers, batch)],
    [6.25, (browsers) => release(browsers, batch)],
    [5.2, (browsers) => confirm(browsers, batch)],
    [1.05, (browsers) => giveBack(browsers, batch)],
  ]
  return steps.map(([daysAgo, run]) => ({ at: now - daysAgo * DAY_MS, run }))
}

interface Ids {
  id: string
}

/** What a shop pays by depends on its brand, so this takes everything that can leave in one kind of file. */
async function freeze(browsers: Browsers, batch: Ids): Promise<void> {
  const petra = await browsers.staff('petra')
  const due: DueTotal[] = (await accepted(petra.get('/api/admin/payouts/due'))).json
  const paymentType = due
    .filter(({ file, readyCount }) => file === due[0]?.file && readyCount > 0)
    .map((total) => total.paymentType)
  const created = await accepted(petra.post('/api/admin/payout-batches', { paymentType }))
  batch.id = created.json.id
  await accepted(petra.post(`/api/admin/payout-batches/${batch.id}/freeze`))
}

async function release(browsers: Browsers, { id }: Ids): Promise<void> {
  const maya = await browsers.staff('maya')
  await accepted(maya.post(`/api/admin/payout-batches/${id}/release`))
  await accepted((await browsers.staff('petra')).get(`/api/admin/payout-batches/${id}/file`))
}

async function confirm(browsers: Browsers, { id }: Ids): Promise<void> {
  const petra = await browsers.staff('petra')
  await accepted(petra.post(`/api/admin/payout-batches/${id}/paid`, { reference: '8F2K' }))
}

/** The money for Grace's card comes back. */
async function giveBack(browsers: Browsers, { id }: Ids): Promise<void> {
  const petra = await browsers.staff('petra')
  const payouts: WirePayout[] = (await accepted(petra.get(`/api/admin/payouts?batchId=${id}`))).json
  const grace = payouts.find(({ username }) => username === sellers.grace.username)
  const reason = 'This account cannot receive payments at the moment'
  await accepted(petra.post(`/api/admin/payouts/${grace?.id}/return`, { reason }))
}
