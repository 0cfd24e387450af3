import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '#server/features/books/verify.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import { createTestApp } from '#test/app.ts'
import { bankSettings } from '#test/nacha/bank.ts'
import { parseAch } from '#test/nacha/parser.ts'
import { batchOf, pathOf } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { newDataDir } from '#test/server-process.ts'
import { LiveClient } from '#test/socket.ts'
import { submit, submittedIn } from '#test/submissions.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { check, photosIn } from './checker.ts'
import { type Load, newSeller, newStaff, startLoad } from './load.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { makeJobsDue, Shop, until } from './shop.ts'
import { fallSilent } from './silent-clients.ts'
import { report, seed, sizes } from './sizes.ts'
import { canMount, fill, smallDisk } from './small-disk.ts'

const LONG = 240_000

type Cleanup = () => unknown
const afterTest: Cleanup[] = []
const afterAllTests: Cleanup[] = []
async function run(cleanups: Cleanup[]): Promise<void> {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
}
afterEach(() => run(afterTest), 60_000)
afterAll(() => run(afterAllTests), 60_000)

/** A server on its own folder. */
interface Scene {
  readonly shop: Shop
  readonly dataDir: string
  readonly settings: Record<string, string>
  loads: number
}

async function newScene(
  settings: Record<string, string>,
  dataDir: string,
  cleanups: Cleanup[],
): Promise<Scene> {
  const shop = await Shop.open({ DATA_DIR: dataDir, ...settings })
  cleanups.push(() => shop.close())
  return { shop, dataDir, settings, loads: 0 }
}

interface Work {
  readonly load: Load
  readonly acknowledgements: Acknowledgements
  readonly pool: pg.Pool
  /** Waits for this many more acknowledgements. */
  readonly more: (count: number) => Promise<void>
  /** Stops the load and compares the data with the acknowledgements. */
  readonly expectNothingLost: () => Promise<void>
}

/** Starts a load on the server. */
async function startWork(scene: Scene): Promise<Work> {
  const { shop, dataDir, settings } = scene
  const aside = await mkdtemp(join(tmpdir(), 'unspent-acks-'))
  const acknowledgements = new Acknowledgements(join(aside, 'acknowledgements'))
  // Different people each time.
  scene.loads += 1
  const load = await startLoad({
    url: shop.url,
    acknowledgements,
    sellers: 3,
    staff: 2,
    seed: seed + scene.loads,
  })
  afterTest.push(() => load.stop())
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('No PostgreSQL runs on the folder')
  const pool = createPool({ connection, max: 3, onError: () => undefined })
  afterTest.push(() => pool.end())
  const more = async (count: number) => {
    const before = acknowledgements.all.length
    await until(() => acknowledgements.all.length >= before + count)
  }
  const expectNothingLost = async () => {
    await load.stop()
    const setting = readConfig({ DATA_DIR: dataDir, ...settings }).storage
    const storage = await openStorage(setting)
    const stored = () => photosIn(storeName(setting))
    expect(await check({ pool, storage, stored, acknowledgements, folders: [dataDir] })).toEqual([])
    expect(load.wrong, linesOf(shop.output, 'request failed')).toEqual([])
  }
  return { load, acknowledgements, pool, more, expectNothingLost }
}

/** The lines of a log with this text. */
const linesOf = (log: string, text: string) =>
  log
    .split('\n')
    .filter((line) => line.includes(text))
    .join('\n')

const mountable = canMount()

/** One server for all these tests. */
describe('a server at work', () => {
  let mail: MailServer
  let disk: string | undefined
  let scene: Scene
  beforeAll(async () => {
    report(`surroundings: FAULTS_SEED=${seed}`)
    mail = await startMailServer()
    afterAllTests.push(mail.stop)
    disk = mountable ? await smallDisk('8m', afterAllTests) : undefined
    const dataDir = await newDataDir()
    afterAllTests.push(() => rm(dataDir, { recursive: true, force: true }))
    const storage = disk === undefined ? undefined : { STORAGE_URL: `file:${disk}/uploads` }
    scene = await newScene({ SMTP_URL: mail.url, ...storage }, dataDir, afterAllTests)
  }, LONG)

  it(
    'eventually mails every move although the mail server is down, hangs, and hangs up after DATA',
    async () => {
      const { load, pool, more, expectNothingLost } = await startWork(scene)
      for (const mode of ['down', 'hanging', 'dropping'] as const) {
        mail.setMode(mode)
        await more(6)
      }
      mail.setMode('working')
      await load.stop()
      await until(async () => {
        await makeJobsDue(pool)
        const { rows } = await pool.query('SELECT 1 FROM jobs WHERE done_at IS NULL')
        return rows.length === 0
      })
      const { rows } = await pool.query<{ id: string }>("SELECT id FROM jobs WHERE kind = 'statusMail'")
      expect(rows.length).toBeGreaterThan(0)
      for (const { id } of rows) expect(mail.accepted.has(id)).toBe(true)
      await expectNothingLost()
    },
    LONG,
  )

  it.runIf(mountable)(
    'refuses photos with 503 while the disk is full, and accepts them when there is room again',
    async () => {
      const { load, more, expectNothingLost } = await startWork(scene)
      const ballast = await fill(disk ?? '')
      const seller = load.people.get('seller0')
      if (!seller) throw new Error('There is no seller')
      await until(async () => (await submit(seller)).status === 503)
      await rm(ballast)
      await more(5)
      await expectNothingLost()
    },
    LONG,
  )

  it(
    `shuts down cleanly with ${sizes.sockets} open sockets and ${sizes.sockets} clients that fell silent`,
    async () => {
      const { load, more } = await startWork(scene)
      const { shop } = scene
      // Not one of the load's sellers: these sign in again, which ends the session before.
      const { cookieHeader: cookie } = await newSeller(shop.url, 'sockets')
      const open = (count: number) =>
        Promise.all(Array.from({ length: count }, () => LiveClient.open(shop.addressOf(0), { cookie })))
      const silent = await fallSilent(shop.addressOf(0), cookie, sizes.sockets)
      const sockets = await open(sizes.sockets)
      await more(3)
      const [codes] = await Promise.all([Promise.all(sockets.map(({ closed }) => closed)), shop.stop()])
      expect(new Set(codes)).toEqual(new Set([1012]))
      await Promise.all(silent)
      await shop.start()
      for (const socket of await open(sizes.sockets)) socket.close()
      await more(3)
      await load.stop()
      expect(load.wrong).toEqual([])
      report(`${sizes.sockets} sockets and ${sizes.sockets} silent clients over a restart`)
    },
    LONG,
  )
})

describe.runIf(mountable)('the disk is full', () => {
  let dataDir: string
  let scene: Scene
  beforeAll(async () => {
    dataDir = await smallDisk('400m', afterAllTests)
    scene = await newScene(bankSettings, dataDir, afterAllTests)
  }, LONG)

  /** Everything that the server writes fails, until the file that fills the disk is removed. */
  async function makeRoom(ballast: string): Promise<void> {
    await rm(ballast)
    if (await ended(scene.shop)) await scene.shop.start()
  }

  it(
    'for the database too: the server recovers when there is room again',
    async () => {
      const { load, more, expectNothingLost } = await startWork(scene)
      await more(3)
      const ballast = await fill(dataDir)
      const seller = load.people.get('seller0')
      if (!seller) throw new Error('There is no seller')
      await until(async () => (await submit(seller).catch(() => ({ status: 503 }))).status === 503)
      await makeRoom(ballast)
      await more(5)
      await expectNothingLost()
    },
    LONG,
  )

  it(
    'a batch is neither released nor exported, until there is room again',
    async () => {
      const { load, pool } = await startWork(scene)
      await load.stop()
      const seller = await newSeller(scene.shop.url, 'payee')
      const staff = await newStaff(scene.shop.url)
      await pool.query('UPDATE users SET verified = true')
      const cards = { waiting: TOO_LARGE_FOR_A_ROW, released: 1 }
      const waiting = await frozenBatch(seller, staff, cards.waiting)
      const released = await frozenBatch(seller, staff, cards.released)
      expect((await staff.post(`${released}/release`)).status).toBe(200)
      const stateOf = async (path: string) => (await staff.get(path)).json.state

      await until(async () => (await pool.query(DUE_JOBS)).rows.length === 0)
      await pool.query('VACUUM FULL jobs')
      const ballast = await fill(dataDir)
      await fillLastPage(pool)
      const refused = [await staff.post(`${waiting}/release`), await staff.post(`${released}/file`)]
      for (const answer of refused) {
        expect([answer.status, answer.json.code]).toEqual([503, 'busy'])
      }
      await makeRoom(ballast)
      expect([await stateOf(waiting), await stateOf(released)]).toEqual(['frozen', 'released'])

      expect((await staff.post(`${waiting}/release`)).status).toBe(200)
      for (const [path, count] of [
        [waiting, cards.waiting],
        [released, cards.released],
      ] as const) {
        expect((await staff.post(`${path}/file`)).status).toBe(200)
        const { bytes } = await staff.get(`${path}/file`)
        expect(parseAch(bytes)).toMatchObject({ problems: [], entries: { length: count } })
        expect((await staff.get(`${path}/file`)).bytes).toEqual(bytes)
        const { state, fileSha256 } = (await staff.get(path)).json
        expect([state, fileSha256]).toEqual(['exported', createHash('sha256').update(bytes).digest('hex')])
      }
      expect((await verifyLedger(createDatabase(pool))).problems).toEqual([])
      const { rows } = await pool.query(
        "SELECT count(*)::int FROM audit_log WHERE action IN ('payout_batch.released', 'payout_batch.marked_exported', 'payout_batch.exported')",
      )
      expect(rows).toEqual([{ count: 8 }])
    },
    LONG,
  )
})

/** Payouts whose file does not fit in a row. It is the first one, so the release needs a new page. */
const TOO_LARGE_FOR_A_ROW = 12

/** A frozen batch of bank transfers. Returns its address. */
async function frozenBatch(seller: Person, staff: Person, cards: number): Promise<string> {
  const account = { paymentType: 'bank_transfer', paymentRoutingNumber: '021000021' }
  for (let card = 0; card < cards; card++) {
    await submittedIn('processing', { seller, staff }, { ...account, paymentAccountNumber: '98765432' })
  }
  const path = pathOf(await batchOf(staff, 'bank_transfer'))
  expect((await staff.post(`${path}/freeze`)).status).toBe(200)
  return path
}

const DUE_JOBS = 'SELECT 1 FROM jobs WHERE done_at IS NULL AND failed_at IS NULL AND run_at <= now()'

/** Fills the last page of the jobs, so that an export, which mails the sellers, needs a new one. The other pages are full. */
async function fillLastPage(pool: pg.Pool): Promise<void> {
  const job = `INSERT INTO jobs (id, kind, key, payload, done_at)
    SELECT gen_random_uuid(), 'payoutMail', gen_random_uuid(), '{}', now()`
  for (;;) {
    const error = await pool.query(job).then(
      () => undefined,
      (reason) => reason,
    )
    if (!error) continue
    expect(error).toMatchObject({ code: DISK_FULL })
    return
  }
}

const DISK_FULL = '53100'

async function ended(shop: Shop): Promise<boolean> {
  const response = await fetch(`${shop.addressOf(0)}/healthz`).catch(() => undefined)
  return response === undefined
}

describe('more load than the server can handle', () => {
  it(
    'gets 503 and Retry-After, and later requests are served',
    async () => {
      const server = await createTestApp()
      const seller = await server.seller()
      // The server would wait ten seconds for a connection.
      server.pool.options.connectionTimeoutMillis = 1000
      // Holds all ten connections to the database.
      const held = await Promise.all(Array.from({ length: 10 }, () => server.pool.connect()))
      const asking = Array.from({ length: 400 }, () => seller.get('/api/user/gift-cards'))
      const first = await Promise.race(asking)
      expect(first.status).toBe(503)
      expect(Number(first.headers['retry-after'])).toBeGreaterThan(0)
      expect((await server.visitor().get('/healthz')).status).toBe(200)
      for (const client of held) client.release()
      const statuses = (await Promise.all(asking)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
      expect((await seller.get('/api/user/gift-cards')).status).toBe(200)
    },
    LONG,
  )
})
