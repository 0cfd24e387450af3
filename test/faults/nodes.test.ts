import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WirePayout } from '#contract/payouts.ts'
import { easternTime, settlementDay } from '#server/features/payouts/files/bank-days.ts'
import { bucketAt } from '#server/platform/config/config-values.ts'
import { type Embedded, startEmbedded } from '#server/platform/database/embedded.ts'
import { connectionUrl, createPool } from '#server/platform/database/pool.ts'
import { openStorage } from '#server/platform/photos/open-storage.ts'
import { MARK } from '#server/platform/photos/storage.ts'
import { bankSettings, testBank } from '#test/nacha/bank.ts'
import { parseAch } from '#test/nacha/parser.ts'
import { batchOf, downloadFile, pathOf } from '#test/payouts.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { Person } from '#test/person.ts'
import { Random } from '#test/random.ts'
import { remote } from '#test/remote.ts'
import { startStore, type TestStore } from '#test/s3-store.ts'
import { newDataDir } from '#test/server-process.ts'
import { registered, signedInStaff } from '#test/signed-in.ts'
import { LiveClient } from '#test/socket.ts'
import { submit, submitted, submittedIn } from '#test/submissions.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { check } from './checker.ts'
import { startLoad } from './load.ts'
import { Shop, until } from './shop.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'

const admin = { username: 'admin', password: ADMIN_PASSWORD }
const newBank = { routingNumber: '021000021', accountNumber: '12345678' }
const DAY_MS = 24 * 3600 * 1000
const wrongClock = (ahead: number) => ({
  NODE_OPTIONS: `--import ${join(import.meta.dirname, 'wrong-clock.mjs')}`,
  CLOCK_AHEAD_MS: String(ahead),
})

/** Two servers share database, store and address. One clock is a day slow, the other a day fast. */
describe('two nodes whose clocks are two days apart', () => {
  let database: Embedded
  let store: TestStore
  let shop: Shop
  let dataDir: string
  beforeAll(async () => {
    report(`nodes: FAULTS_SEED=${seed}`)
    dataDir = await newDataDir()
    database = await startEmbedded({ dataDir, log: () => undefined })
    store = await startStore()
    const key = () => randomBytes(32).toString('base64')
    const settings = {
      DATA_DIR: await newDataDir(),
      DATABASE_URL: connectionUrl(database.connection),
      STORAGE_URL: store.url,
      SECRET_KEYS: `k1:${key()},index:${key()}`,
      ...bankSettings,
    }
    shop = await Shop.open(settings, 2, (node) => wrongClock(node === 0 ? -DAY_MS : DAY_MS))
  }, 240_000)
  afterAll(async () => {
    await shop.close()
    await store.stop()
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const personAt = (node: number): Person => new Person(remote(shop.addressOf(node)))
  const moved = (person: Person, node: number): Person => {
    const same = personAt(node)
    for (const [name, value] of person.cookies) same.cookies.set(name, value)
    return same
  }

  async function onDatabase(work: (pool: Pool) => Promise<unknown>): Promise<void> {
    const pool = createPool({ connection: database.connection, max: 1, onError: () => undefined })
    await work(pool)
    await pool.end()
  }

  const newSeller = (node: number, username: string) => registered(personAt(node), username)

  it('share sessions, photos and live messages', async () => {
    const seller = await newSeller(0, 'shared')
    const staff = personAt(1)
    await staff.post('/api/admin/login', admin)
    const socket = await LiveClient.open(shop.addressOf(1), { cookie: staff.cookieHeader })
    const own = await LiveClient.open(shop.addressOf(1), { cookie: seller.cookieHeader })

    const id = await submitted(seller)
    expect(await socket.heard(1)).toMatchObject([{ type: 'NEW_SUBMISSION', submission: { id } }])
    const [path] = (await moved(staff, 0).get(`/api/admin/submissions/${id}`)).json.imageUrl
    const there = await staff.get(path.replace('/uploads/', '/api/admin/view/'))
    expect(there.headers['content-type']).toBe('image/jpeg')
    await moved(staff, 0).patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })
    await until(() => own.messages.some(({ type }) => type === 'STATUS_UPDATE'))

    // Signing out on one node ends the session and the socket on the other.
    await moved(seller, 0).post('/api/auth/logout')
    expect((await moved(seller, 1).get('/api/auth/me')).status).toBe(401)
    expect(await own.closed).toBeGreaterThan(0)
    socket.close()
  })

  it('use one clock for sessions and the order of submissions', async () => {
    const sellers = await Promise.all([newSeller(0, 'slow'), newSeller(1, 'fast')])
    for (const node of [0, 1, 0, 1]) {
      const staff = personAt(node)
      expect((await staff.post('/api/admin/login', admin)).status).toBe(200)
      for (const other of [0, 1]) {
        expect((await moved(staff, other).get('/api/admin/me')).status).toBe(200)
        for (const seller of sellers) {
          expect((await moved(seller, other).get('/api/auth/me')).status).toBe(200)
        }
      }
    }
    const ids: string[] = []
    for (const node of [1, 0, 1, 0]) {
      ids.unshift(await submitted(moved(sellers[0], node), { cardNumber: `60064930123456${ids.length}8` }))
    }
    const listed = (await moved(sellers[0], 1).get('/api/user/gift-cards')).json
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids)
    const times = listed.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt))
    for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(DAY_MS / 2)
  })

  it('date payout files by the clock of the database, and make a new account wait its 24 hours', async () => {
    const seller = await newSeller(0, 'payee')
    const [slow, fast] = [await signedInStaff(personAt(0)), await signedInStaff(personAt(1))]
    await onDatabase((pool) => pool.query('UPDATE users SET verified = true'))
    const bank = { paymentRoutingNumber: '021000021', paymentAccountNumber: '98765432' }
    const dues: WirePayout[] = []
    // To a batch, the clock jumps by two days between its steps.
    for (const [staff, other] of [
      [slow, fast],
      [fast, slow],
    ] as const) {
      const fields = { paymentType: 'bank_transfer', ...bank }
      const card = await submittedIn('processing', { seller, staff }, fields)
      const [due] = (await staff.get(`/api/admin/payouts?q=${card}`)).json
      dues.push(due)
      const batch = await batchOf(staff, 'bank_transfer', [due.id])
      const path = pathOf(batch)
      expect((await staff.post(`${path}/freeze`)).status).toBe(200)
      const from = new Date()
      expect((await other.post(`${path}/release`)).status).toBe(200)
      const file = await downloadFile(staff, batch)
      const to = new Date()
      const { effectiveOn, problems } = parseAch(file.bytes)
      expect(problems).toEqual([])
      // Both are the same unless it is midnight, or the hour after which banks close.
      const created = [from, to].map((time) => easternTime(time).day.replaceAll('-', '').slice(2))
      expect(created).toContain(file.text.slice(23, 29))
      const settled = [from, to].map((time) => settlementDay(time, testBank))
      expect(settled).toContain(effectiveOn)
      const { expectedOn, exportedAt } = (await staff.get(path)).json
      expect(settled).toContain(expectedOn)
      expect(Date.parse(exportedAt)).toBeGreaterThanOrEqual(from.getTime())
      expect(Date.parse(exportedAt)).toBeLessThanOrEqual(to.getTime())
    }

    const [returned] = dues
    await slow.post(`/api/admin/payouts/${returned?.id}/return`, { reason: 'No such account' })
    const account = { type: 'bank_transfer', accountName: 'Sally', ...newBank }
    const renewed = await seller.post(
      `/api/user/gift-cards/${returned?.submissionId}/payout-account`,
      account,
    )
    expect(renewed.status).toBe(200)
    const create = (staff: Person) =>
      staff.post('/api/admin/payout-batches', { paymentType: 'bank_transfer' })
    for (const staff of [slow, fast]) expect((await create(staff)).json.code).toBe('nothing_due')
    await onDatabase((pool) => pool.query("UPDATE payouts SET batchable_at = now() WHERE state = 'due'"))
    expect((await create(slow)).status).toBe(201)
  })

  it('store a submission once when it is sent to both at the same time', async () => {
    const seller = await newSeller(0, 'hurried')
    const key = crypto.randomUUID()
    const answers = await Promise.all([0, 1, 0, 1].map((node) => submit(moved(seller, node), {}, { key })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map(({ json }) => json.giftCard.id)).size).toBe(1)
  })

  it(
    `lose nothing acknowledged when one is killed under load, ${sizes.nodeKills} times`,
    async () => {
      const aside = await mkdtemp(join(tmpdir(), 'unspent-acks-'))
      const acknowledgements = new Acknowledgements(join(aside, 'acknowledgements'))
      const load = await startLoad({ url: shop.url, acknowledgements, sellers: 4, staff: 2, seed })
      const chance = new Random(seed)
      try {
        for (let round = 0; round < sizes.nodeKills; round++) {
          const before = acknowledgements.all.length
          await until(() => acknowledgements.all.length > before + 4)
          await sleep(chance.number() * 100)
          const node = (round + 1) % 2
          await shop.kill(node)
          // The other one keeps serving.
          const without = acknowledgements.all.length
          await until(() => acknowledgements.all.length > without + 4)
          await shop.start(node)
          if (round % 20 === 19) report(`${round + 1} kills of a node`)
        }
      } finally {
        await load.stop()
      }
      // A starting node cleans up, and must not end sessions by its own clock.
      for (const [name, person] of load.people) {
        const me = name.startsWith('staff') ? '/api/admin/me' : '/api/auth/me'
        expect((await person.get(me)).status).toBe(200)
      }
      const pool = createPool({ connection: database.connection, max: 4, onError: () => undefined })
      const setting = bucketAt(store.url)
      if (!setting) throw new Error('Not a bucket URL')
      const evidence = {
        pool,
        storage: await openStorage(setting),
        stored: async () =>
          (await store.keys())
            .filter((key) => key !== `${setting.prefix}${MARK}`)
            .map((key) => key.slice(setting.prefix.length)),
        acknowledgements,
        folders: [dataDir],
      }
      expect(await check(evidence)).toEqual([])
      expect(load.wrong).toEqual([])
      await pool.end()
      report(`${sizes.nodeKills} kills of a node: ${acknowledgements.all.length} acknowledgements, 0 lost`)
    },
    timeoutFor(sizes.nodeKills),
  )
})
