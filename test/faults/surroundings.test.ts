import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import { createTestApp } from '#test/app.ts'
import { newDataDir } from '#test/server-process.ts'
import { LiveClient } from '#test/socket.ts'
import { submit } from '#test/submissions.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { check, photosIn } from './checker.ts'
import { type Load, startLoad } from './load.ts'
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
    expect(load.wrong).toEqual([])
  }
  return { load, acknowledgements, pool, more, expectNothingLost }
}

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
      const cookie = load.people.get('seller0')?.cookieHeader ?? ''
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
  it(
    'for the database too: the server recovers when there is room again',
    async () => {
      const dataDir = await smallDisk('400m', afterTest)
      const scene = await newScene({}, dataDir, afterTest)
      const { load, more, expectNothingLost } = await startWork(scene)
      await more(3)
      const ballast = await fill(dataDir)
      const seller = load.people.get('seller0')
      if (!seller) throw new Error('There is no seller')
      await until(async () => (await submit(seller).catch(() => ({ status: 503 }))).status === 503)
      await rm(ballast)
      if (await ended(scene.shop)) await scene.shop.start()
      await more(5)
      await expectNothingLost()
    },
    LONG,
  )
})

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
