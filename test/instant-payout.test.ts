import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WirePayout } from '#contract/payouts.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { afterwards } from './afterwards.ts'
import { newSeller, newStaff } from './faults/load.ts'
import { PaypalEmulator } from './paypal.ts'
import { ADMIN_PASSWORD } from './people.ts'
import { accepted, type Person } from './person.ts'
import { policyIn, trustedSeller } from './policies.ts'
import { newDataDir, ServerProcess } from './server-process.ts'

/** A whole sale in a server process of its own, which nobody touches after the seller has sent the card. */

let dataDir: string
let server: ServerProcess
let url: string
let staff: Person
let pool: Pool
let emulator: PaypalEmulator
/** What the balance service says when it is asked about a card again. The first time it finds $100. */
let second = '100.00'
const asked = new Map<string, number>()

beforeAll(async () => {
  dataDir = await newDataDir()
  emulator = await PaypalEmulator.start()
  server = ServerProcess.start({
    ...{ DATA_DIR: dataDir, ADMIN_PASSWORD, RATE_LIMITS: 'off', WEBHOOKS_ALLOW_PRIVATE: 'on' },
    ...{ PAYOUT_PROVIDER: 'paypal', PAYPAL_ENVIRONMENT: 'sandbox' },
    ...{ PAYPAL_CLIENT_ID: 'test-client', PAYPAL_CLIENT_SECRET: 'test-secret-of-paypal' },
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'redirect-paypal.ts')}`,
    PAYPAL_EMULATOR: emulator.url,
  })
  url = await server.ready()
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('No PostgreSQL runs on the folder')
  pool = createPool({ connection, max: 2, onError: () => undefined })
  staff = await newStaff(url)
  await accepted(staff.put('/api/admin/balance-connectors/amazon', { url: await balanceService() }))
  await turnOn()
})
afterAll(async () => {
  await pool.end()
  await server.end()
  await rm(dataDir, { recursive: true, force: true })
})

async function balanceService(): Promise<string> {
  const service = createServer(async (request, response) => {
    const { data } = (await json(request)) as { data: { id: string } }
    const times = (asked.get(data.id) ?? 0) + 1
    asked.set(data.id, times)
    response.end(JSON.stringify({ status: 'ok', amount: times === 1 ? '100.00' : second }))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  afterwards(async () => {
    service.closeAllConnections()
    service.close()
  })
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
}

/** A policy that pays at once, written and turned on by two people. No card is a sample. */
async function turnOn(): Promise<void> {
  await policyIn('on', { author: staff, approver: staff }, { paysAtOnce: true })
  await pool.query('alter table policies drop constraint policies_sample_percent_check')
  await pool.query('alter table policies disable trigger policies_append_only')
  await pool.query('update policies set sample_percent = 0')
}

const seller = () => trustedSeller({ seller: () => newSeller(url, `seller${Date.now()}`), pool })

it('pays a card from the quote to PayPal within seconds, and everybody can read each step', async () => {
  const { seller: sally, submit } = await seller()
  const { json: brands } = await sally.get('/api/brands')
  expect(brands).toContainEqual(expect.objectContaining({ value: 'amazon', rate: '93.00' }))
  const started = performance.now()
  const id = await submit()
  const own = async () => (await sally.get(`/api/user/gift-cards/${id}`)).json
  await expect.poll(async () => (await own()).status, { timeout: 60_000 }).toBe('completed')
  process.stdout.write(`paid after ${((performance.now() - started) / 1000).toFixed(1)} s\n`)

  expect(emulator.paidTo(sally.email)).toBe(9300)
  expect(asked.get(id)).toBe(2)
  const moves = ({ move, by }: HistoryEntry) => [move, by]
  const { json: history } = await sally.get(`/api/user/gift-cards/${id}/history`)
  expect(history.map(moves)).toEqual([
    ['submit', 'seller'],
    ['start', 'system'],
    ['complete', 'system'],
  ])
  const [payout]: WirePayout[] = (await staff.get(`/api/admin/payouts?q=${id}`)).json
  expect(payout).toMatchObject({ state: 'paid', automatic: 'batched' })
  expect(await actionsOn(id)).toEqual([
    ...['submission.balance_asked', 'submission.balance_checked', 'submission.moved'],
    ...['submission.balance_asked', 'submission.balance_checked', 'submission.moved'],
  ])
  expect(await actionsOn(payout?.batchId ?? '')).toEqual([
    ...['payout_batch.created', 'payout_batch.frozen', 'payout_batch.released', 'payout_batch.sent'],
    ...['payout_batch.marked_exported', 'payout_batch.settled'],
  ])
  expect((await verifyLedger(createDatabase(pool))).problems).toEqual([])
})

it('puts a card back in the queue that was drained after its approval', async () => {
  second = '4.50'
  const { seller: sam, submit } = await seller()
  const id = await submit()
  const own = async () => (await sam.get(`/api/user/gift-cards/${id}`)).json
  const moves = async () => {
    const { json: history } = await sam.get(`/api/user/gift-cards/${id}/history`)
    return history.map(({ move, by }: HistoryEntry) => [move, by])
  }
  await expect.poll(moves, { timeout: 60_000 }).toEqual([
    ['submit', 'seller'],
    ['start', 'system'],
    ['recheck', 'system'],
  ])
  expect(await own()).toMatchObject({ status: 'pending', balanceCheck: { state: 'found', amount: '4.50' } })
  expect((await staff.get('/api/admin/submissions?view=review')).json).toContainEqual(
    expect.objectContaining({ id, status: 'pending' }),
  )
  expect(emulator.paidTo(sam.email)).toBe(0)
  expect((await verifyLedger(createDatabase(pool))).problems).toEqual([])
})

/** What the audit log says about a subject, all of it by the system, oldest first. */
async function actionsOn(subject: string): Promise<string[]> {
  const { json: entries } = await staff.get(`/api/admin/audit?subject=${subject}`)
  for (const { actorKind } of entries) expect(actorKind).toBe('system')
  return entries.map(({ action }: { action: string }) => action).reverse()
}
