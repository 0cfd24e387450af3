import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { bucketAt } from '#server/platform/config/config-values.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { openStorage } from '#server/platform/photos/open-storage.ts'
import { MARK } from '#server/platform/photos/storage.ts'
import { Person } from '#test/person.ts'
import { remote } from '#test/remote.ts'
import { startStore } from '#test/s3-store.ts'
import { newDataDir } from '#test/server-process.ts'
import { registered, signedInStaff } from '#test/signed-in.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { check } from './checker.ts'
import { startLoad } from './load.ts'
import { postgresBin, startReplicated } from './replicated-postgres.ts'
import { Shop, until } from './shop.ts'
import { report, seed, timeoutFor } from './sizes.ts'

const SERVERS = 3
if (!postgresBin) report('failover: left out, because PostgreSQL 15 or newer is not installed')

it.runIf(postgresBin)(
  'three servers lose nothing when each is killed, and when a synchronous standby replaces the database',
  async () => {
    report(`failover: FAULTS_SEED=${seed}`)
    const database = await startReplicated(postgresBin ?? '', true)
    onTestFinished(() => database.stop())
    const store = await startStore()
    onTestFinished(() => store.stop())
    const key = () => randomBytes(32).toString('base64')
    const dataDir = await newDataDir()
    const settings = {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      STORAGE_URL: store.url,
      SECRET_KEYS: `k1:${key()},index:${key()}`,
      PUSH_KEY: key(),
    }
    const shop = await Shop.open(settings, SERVERS)
    onTestFinished(() => shop.close())
    const acknowledgements = new Acknowledgements(
      join(await mkdtemp(join(tmpdir(), 'unspent-acks-')), 'acks'),
    )
    const load = await startLoad({ url: shop.url, acknowledgements, sellers: 6, staff: 2, seed })
    const moreWork = async () => {
      const before = acknowledgements.all.length
      await until(() => acknowledgements.all.length > before + 8)
    }
    const during = async (what: string, fault: () => Promise<void>) => {
      await moreWork()
      const { answered, failed } = load.calls
      acknowledgements.longestGap = 0
      await fault()
      await moreWork()
      const calls = `${load.calls.answered - answered} calls answered, ${load.calls.failed - failed} failed`
      report(`${what}: ${calls}, nothing accepted for ${Math.round(acknowledgements.longestGap)} ms`)
    }

    for (let node = 0; node < SERVERS; node++)
      await during(`kill of server ${node + 1}`, async () => {
        await shop.kill(node)
        await moreWork()
        await shop.start(node)
      })
    await during('kill of the database and promotion of its standby', async () => {
      database.killPrimary()
      database.redirect()
      // A standby answers reads. Servers are not ready, so that the proxy in front of them says so.
      for (let node = 0; node < SERVERS; node++)
        await until(async () => (await fetch(`${shop.addressOf(node)}/readyz`)).status === 503)
      database.promote()
    })
    await load.stop()

    // Every server listens to the new primary.
    const [first, last] = [0, SERVERS - 1].map((node) => remote(shop.addressOf(node)))
    if (!first || !last) throw new Error('There are not enough servers')
    const staff = await signedInStaff(new Person(last))
    const live = await LiveClient.open(shop.addressOf(SERVERS - 1), { cookie: staff.cookieHeader })
    const id = await submitted(await registered(new Person(first)))
    await until(() => live.messages.some((message) => JSON.stringify(message).includes(id)))
    const bucket = bucketAt(store.url)
    if (!bucket) throw new Error('Not a bucket URL')
    const pool = createPool({ connection: database.url, max: 4, onError: () => undefined })
    onTestFinished(() => pool.end())
    const inPrefix = (name: string) => name.slice(bucket.prefix.length)
    const evidence = {
      pool,
      storage: await openStorage(bucket),
      stored: async () => (await store.keys()).map(inPrefix).filter((name) => name !== MARK),
      acknowledgements,
      folders: [dataDir],
    }
    expect(await check(evidence)).toEqual([])
    expect(load.wrong).toEqual([])
    // Reads every sequence. That of an unlogged table is broken after a promotion.
    await promisify(execFile)(join(postgresBin ?? '', 'pg_dump'), ['--file=/dev/null', database.url])
    report(`failover: ${acknowledgements.all.length} acknowledgements, 0 lost`)
  },
  timeoutFor(10),
)
