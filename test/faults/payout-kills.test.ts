import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WireBatch, WirePayout } from '#contract/payouts.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { referenceOf } from '#domain/reference.ts'
import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import { createAdministrator } from '#server/features/accounts/staff/administrators.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { traceNumberOf } from '#server/features/payouts/files/nacha.ts'
import { paypalIdOf } from '#server/features/payouts/files/paypal.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { bankSettings, testBank } from '#test/nacha/bank.ts'
import { nachaReturns } from '#test/nacha/returns.ts'
import { batchOf, downloadFile, pathOf } from '#test/payouts.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { Person, type TestAnswer } from '#test/person.ts'
import { Random } from '#test/random.ts'
import { remote } from '#test/remote.ts'
import { newDataDir } from '#test/server-process.ts'
import { signedInStaff } from '#test/signed-in.ts'
import { type CardFields, submittedIn } from '#test/submissions.ts'
import { newSeller, newStaff } from './load.ts'
import { makeJobsDue, Shop, until } from './shop.ts'
import { oneOf, report, seed, sizes, timeoutFor } from './sizes.ts'

/** The server is killed at most this many ms after the requests. */
const WITHIN_MS = 60

let accounts = 0
/** An account that no other payout has, because one that is refused keeps all its payouts out of batches. */
function newAccount(paymentType: PaymentType): CardFields {
  accounts += 1
  if (paymentType === 'paypal') return { paymentAccountInfo: `payee${accounts}@example.com` }
  return { paymentType, paymentRoutingNumber: '021000021', paymentAccountNumber: `98765432${accounts}` }
}

let dataDir: string
let shop: Shop
let seller: Person
let staff: Person
let colleague: Person
beforeAll(async () => {
  dataDir = await newDataDir()
  shop = await Shop.open({ DATA_DIR: dataDir, ...bankSettings })
  await onDatabase((pool) => {
    const tools = { db: createDatabase(pool), passwords: new Passwords() }
    return createAdministrator(tools, 'pat', { password: ADMIN_PASSWORD, role: 'payer' })
  })
  staff = await newStaff(shop.url)
  colleague = await signedInStaff(new Person(remote(shop.url)), 'pat')
  seller = await newSeller(shop.url, 'payee')
  await onDatabase((pool) => pool.query('UPDATE users SET verified = true'))
}, 120_000)
afterAll(async () => {
  await shop.close()
  await rm(dataDir, { recursive: true, force: true })
})

it(
  `batches survive kills while they are frozen, released, voided, exported, confirmed and reported on, ${sizes.payoutKills} times`,
  async () => {
    report(`kills of payouts: FAULTS_SEED=${seed}`)
    const chance = new Random(seed)
    const outcomes: Record<string, number> = {}
    for (let round = 0; round < sizes.payoutKills; round++) {
      const wallets = await newBatch('paypal', 3)
      const transfers = await newBatch('bank_transfer', 3)
      /** One is voided while it is released, the other while it is exported. */
      const [early, late] = [await newBatch('paypal', 2), await newBatch('paypal', 2)]
      const all = [wallets, transfers, early, late]

      await killedDuring(chance, all.map(freeze))

      await killedDuring(chance, [wallets, transfers, late].map(release), {
        contest: [release(early), voidOne(early)],
      })
      const states = await Promise.all(all.map(async (batch) => (await read(batch)).state))
      expect(states).toEqual(['released', 'released', expect.stringMatching(/^(released|void)$/), 'released'])

      const released = await Promise.all([wallets, transfers].map(read))
      await killedDuring(chance, [wallets, transfers].map(download), {
        contest: [download(late), voidOne(late)],
      })
      for (const batch of released) await expectSameFile(batch)
      for (const batch of [early, late]) {
        const { state } = await read(batch)
        outcomes[state] = (outcomes[state] ?? 0) + 1
        expect(await statesOf(batch)).toEqual(expectedStates[state as keyof typeof expectedStates])
      }

      const [paid, refused] = [await payoutsOf(wallets), await payoutsOf(transfers)]
      const results = { wallets: paypalResults(paid), transfers: bankReturns(refused) }
      await killedDuring(chance, [
        upload(results.wallets),
        upload(results.transfers),
        () => staff.post(`${pathOf(transfers)}/paid`),
      ])
      await onDatabase((pool) =>
        until(async () => {
          await makeJobsDue(pool)
          return (await read(transfers)).paidCount === 2
        }),
      )
      for (const [file, lines] of [
        [results.wallets, 3],
        [results.transfers, 2],
      ] as const) {
        expect((await upload(file)()).json).toEqual({ matched: 0, already: lines, unmatched: [] })
      }
      expect(await statesOf(wallets)).toEqual(['paid', 'paid', 'returned'])
      expect(await statesOf(transfers)).toEqual(['paid', 'paid', 'returned'])
      for (const batch of released) await expectSameFile(batch)
      await onDatabase(async (pool) => {
        await expectAppliedOnce(pool, [...paid, ...refused])
        expect((await verifyLedger(createDatabase(pool))).problems).toEqual([])
      })
      if (round % 5 === 4) report(`${(round + 1) * 4} kills of payouts`)
    }
    report(
      `${sizes.payoutKills * 4} kills of payouts: each line applied once, nothing paid twice, the same files; ` +
        `contested batches: ${JSON.stringify(outcomes)}`,
    )
  },
  timeoutFor(sizes.payoutKills * 4),
)

/** A contested batch leaves with everything or not at all. A voided payout dissolves its batch. */
const expectedStates = {
  released: ['released', 'released'],
  exported: ['exported', 'exported'],
  void: ['due', 'void'],
}

type Ask = () => Promise<TestAnswer>

/** Payouts of a batch keep their order. */
interface Batch {
  readonly id: string
  readonly payoutIds: readonly string[]
}

async function newBatch(paymentType: PaymentType, count: number): Promise<Batch> {
  const payoutIds: string[] = []
  for (let card = 0; card < count; card++) {
    const id = await submittedIn('processing', { seller, staff }, newAccount(paymentType))
    payoutIds.push((await staff.get(`/api/admin/payouts?q=${id}`)).json[0].id)
  }
  const { id } = await batchOf(staff, paymentType, payoutIds)
  return { id, payoutIds }
}

const freeze =
  (batch: Batch): Ask =>
  () =>
    staff.post(`${pathOf(batch)}/freeze`)
const release =
  (batch: Batch): Ask =>
  () =>
    colleague.post(`${pathOf(batch)}/release`)
const download =
  (batch: { id: string }): Ask =>
  () =>
    downloadFile(colleague, batch)
/** Voids the last payout, which dissolves the batch. */
const voidOne =
  ({ payoutIds }: Batch): Ask =>
  () =>
    staff.post(`/api/admin/payouts/${payoutIds.at(-1)}/void`, { reason: 'Stolen' })
const upload =
  (text: string): Ask =>
  () =>
    staff.upload('/api/admin/payout-returns', [
      { name: 'file', filename: 'results.txt', type: 'text/plain', bytes: Buffer.from(text) },
    ])

const read = async (batch: Batch): Promise<WireBatch> => (await staff.get(pathOf(batch))).json
const payoutsOf = ({ payoutIds }: Batch): Promise<WirePayout[]> =>
  Promise.all(payoutIds.map(async (id) => (await staff.get(`/api/admin/payouts/${id}`)).json))
const statesOf = async (batch: Batch) => (await payoutsOf(batch)).map(({ state }) => state)

/**
 * Sends each request twice at once, and the contested requests of both people once. Kills the server meanwhile. Then repeats
 * each request, and one of the contested ones, until it succeeds.
 */
async function killedDuring(
  chance: Random,
  asks: readonly Ask[],
  { contest = [] }: { contest?: readonly Ask[] } = {},
): Promise<void> {
  const asked = [...asks, ...contest, ...asks].map((ask) => ask().catch(() => undefined))
  await sleep(chance.number() * WITHIN_MS)
  await shop.kill()
  await Promise.all(asked)
  await shop.start()
  const winner = oneOf(contest, chance)
  for (const ask of winner ? [...asks, winner] : asks) {
    await until(async () => {
      const answer = await ask().catch(() => undefined)
      // 409: it was done before the kill.
      return answer?.status === 200 || answer?.status === 409
    })
  }
}

/** Two are paid and one comes back. */
function paypalResults(payouts: readonly WirePayout[]): string {
  const rows = payouts.map(({ number, amount }, index) =>
    [`T${number}`, amount, paypalIdOf(number), index < 2 ? 'Success' : 'Returned'].join(','),
  )
  return ['Transaction ID,Amount,Unique ID,Status', ...rows].join('\r\n')
}

/** One bank has another account number on file, and one sends the money back. */
function bankReturns(payouts: readonly WirePayout[]): string {
  const [, changed, returned] = payouts
  const entryOf = ({ number, submissionId }: WirePayout) => ({
    trace: traceNumberOf(number, testBank),
    reference: referenceOf(submissionId),
  })
  if (!changed || !returned) throw new Error('Too few payouts')
  return nachaReturns([
    { ...entryOf(changed), code: 'C01', correction: '1918171614' },
    { ...entryOf(returned), code: 'R03' },
  ])
}

async function expectSameFile(batch: WireBatch): Promise<void> {
  for (const { bytes } of [await download(batch)(), await download(batch)()]) {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(batch.fileSha256)
  }
}

/** The line of each report is stored once, and the outcome of each payout was recorded once. */
async function expectAppliedOnce(pool: Pool, payouts: readonly WirePayout[]): Promise<void> {
  const ids = payouts.map(({ id }) => id)
  const { rows: lines } = await pool.query(
    'SELECT kind, count(*)::int FROM payout_results WHERE payout_id = ANY($1) GROUP BY 1 ORDER BY 1',
    [ids],
  )
  expect(lines).toEqual([
    { kind: 'changed', count: 1 },
    { kind: 'paid', count: 2 },
    { kind: 'returned', count: 2 },
  ])
  const { rows: twice } = await pool.query(
    `SELECT subject_id, action FROM audit_log WHERE subject_id = ANY($1) AND action IN ('payout.paid', 'payout.returned')
     GROUP BY 1, 2 HAVING count(*) > 1`,
    [ids],
  )
  expect(twice).toEqual([])
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
