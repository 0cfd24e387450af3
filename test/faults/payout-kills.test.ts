import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyLedger } from '#server/features/books/verify.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { Random } from '#test/random.ts'
import { newDataDir } from '#test/server-process.ts'
import { submitted } from '#test/submissions.ts'
import { newSeller, newStaff } from './load.ts'
import { makeJobsDue, Shop, until } from './shop.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'

const CARDS = 3
/** The kill comes within these milliseconds after two people ask for the same thing. */
const WITHIN_MS = 60

let dataDir: string
let shop: Shop
let seller: Person
let staff: Person
beforeAll(async () => {
  dataDir = await newDataDir()
  shop = await Shop.open({ DATA_DIR: dataDir })
  seller = await newSeller(shop.url, 'payee')
  staff = await newStaff(shop.url)
}, 120_000)
afterAll(async () => {
  await shop.close()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

it(
  `a batch survives kills while it is frozen, released, exported and confirmed, ${sizes.payoutKills} times`,
  async () => {
    report(`kills of payouts: FAULTS_SEED=${seed}`)
    const chance = new Random(seed)
    await onDatabase((pool) => pool.query('UPDATE users SET verified = true'))
    for (let round = 1; round <= sizes.payoutKills; round++) {
      for (let card = 0; card < CARDS; card++) {
        const id = await submitted(seller)
        const moved = await staff.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
        expect(moved.status).toBe(200)
      }
      const { id } = (await staff.post('/api/admin/payout-batches', { paymentType: 'paypal' })).json
      const path = `/api/admin/payout-batches/${id}`
      await killedWhile(chance, () => staff.post(`${path}/freeze`))
      await killedWhile(chance, () => staff.post(`${path}/release`))
      const released = await staff.get(path)
      expect(released.json).toMatchObject({ state: 'released', count: CARDS })
      await killedWhile(chance, () => staff.get(`${path}/file`))
      const [first, second] = [await staff.get(`${path}/file`), await staff.get(`${path}/file`)]
      for (const { bytes } of [first, second]) {
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(released.json.fileSha256)
      }
      await killedWhile(chance, () => staff.post(`${path}/paid`))
      await onDatabase(async (pool) => {
        await until(async () => {
          await makeJobsDue(pool)
          return (await staff.get(path)).json.paidCount === CARDS
        })
        const { rows } = await pool.query(
          'SELECT count(*)::int AS payouts, count(DISTINCT gift_card_id)::int AS cards FROM payouts',
        )
        expect(rows).toEqual([{ payouts: round * CARDS, cards: round * CARDS }])
        expect((await verifyLedger(createDatabase(pool))).problems).toEqual([])
      })
    }
    report(`${sizes.payoutKills} batches, each killed four times: paid once, the same file`)
  },
  timeoutFor(sizes.payoutKills * 4),
)

/** Two people ask for the same thing, the server is killed, and one of them asks again until it was done. */
async function killedWhile(chance: Random, ask: () => Promise<TestAnswer>): Promise<void> {
  const asked = [ask(), ask()].map((answer) => answer.catch(() => undefined))
  await sleep(chance.number() * WITHIN_MS)
  await shop.kill()
  await Promise.all(asked)
  await shop.start()
  await until(async () => {
    const answer = await ask().catch(() => undefined)
    // 409: it was done before the kill.
    return answer?.status === 200 || answer?.status === 409
  })
}

async function onDatabase<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('No PostgreSQL runs on the folder')
  const pool = createPool({ connection, max: 2, onError: () => undefined })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
