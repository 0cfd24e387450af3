import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findPostmaster } from '#server/platform/database/embedded/postmaster.ts'
import { Random } from '#test/random.ts'
import { newDataDir } from '#test/server-process.ts'
import { photo, submit } from '#test/submissions.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { checkFolder } from './check-folder.ts'
import { CANARY, fieldsOf, type Load, PIN_CANARY, startLoad } from './load.ts'
import { Shop, until } from './shop.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'

/** One server for all tests, which collects more and more data. */
let dataDir: string
let shop: Shop
beforeAll(async () => {
  dataDir = await newDataDir()
  shop = await Shop.open({ DATA_DIR: dataDir })
}, 120_000)
afterAll(async () => {
  await shop.close()
  await rm(dataDir, { recursive: true, force: true })
})

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function postgresOf(dataDir: string): Promise<number> {
  const found = await findPostmaster(join(dataDir, 'postgres/cluster'))
  if (!found?.alive) throw new Error('No PostgreSQL runs on the folder')
  return found.pid
}

/** What is killed. Then the server is started again, as systemd would. */
const kills = {
  'the server': async (shop: Shop) => {
    await shop.kill()
    await shop.start()
  },
  PostgreSQL: async (shop: Shop, dataDir: string) => {
    const pid = await postgresOf(dataDir)
    process.kill(pid, 'SIGKILL')
    // The server restarts it. After too many crashes within a minute, the server ends.
    const isBack = async () => (await postgresOf(dataDir).catch(() => pid)) !== pid
    await until(async () => shop.hasEnded() || (await isBack()))
    if (shop.hasEnded()) await shop.start()
  },
  both: async (shop: Shop, dataDir: string) => {
    process.kill(await postgresOf(dataDir), 'SIGKILL')
    await shop.kill()
    await shop.start()
  },
}

describe('under load, nothing acknowledged is lost after killing', () => {
  it.each(Object.entries(kills))(
    `%s, ${sizes.kills} times`,
    async (what, kill) => {
      report(`kills of ${what}: FAULTS_SEED=${seed}`)
      const aside = await mkdtemp(join(tmpdir(), 'unspent-acks-'))
      const acknowledgements = new Acknowledgements(join(aside, 'acknowledgements'))
      // Different people for each kind.
      const people = seed + Object.keys(kills).indexOf(what)
      const load = await startLoad({ url: shop.url, acknowledgements, sellers: 4, staff: 2, seed: people })
      endings.push(() => load.stop())

      const chance = new Random(seed)
      for (let round = 0; round < sizes.kills; round++) {
        const before = acknowledgements.all.length
        await until(() => acknowledgements.all.length > before + chance.number() * 12)
        await sleep(chance.number() * 100)
        await kill(shop, dataDir)
        if (round % 20 === 19) report(`${round + 1} kills of ${what}`)
      }
      const last = acknowledgements.all.length
      await until(() => acknowledgements.all.length > last + 5)
      await load.stop()

      await sameAnswers(load, acknowledgements)
      await checkFolder(dataDir, acknowledgements)
      expect(load.wrong).toEqual([])
      for (const secret of [CANARY, PIN_CANARY]) expect(shop.output).not.toContain(secret)
      report(`${sizes.kills} kills of ${what}: ${acknowledgements.all.length} acknowledgements, 0 lost`)
    },
    timeoutFor(sizes.kills),
  )
})

/** Sent again with the same key, a submission gets the same response. */
async function sameAnswers(load: Load, acknowledgements: Acknowledgements): Promise<void> {
  const bytes = await photo()
  for (const { id, transactionId, key, seller, card } of acknowledgements.of('submission').slice(-5)) {
    const person = load.people.get(seller)
    if (!person) throw new Error(`There is no ${seller}`)
    const answer = await submit(person, fieldsOf(card), { photos: [bytes], key })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ giftCard: { id }, transaction: { id: transactionId } })
  }
}
