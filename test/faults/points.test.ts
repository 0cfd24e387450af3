import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { type Embedded, startEmbedded } from '#server/platform/database/embedded.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { openStorage } from '#server/platform/photos/open-storage.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { newDataDir } from '#test/server-process.ts'
import { photo, submit, submitted } from '#test/submissions.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { check, photosIn } from './checker.ts'
import { DatabaseLine, type Trap } from './database-line.ts'
import { newSeller, newStaff } from './load.ts'
import { Shop, until } from './shop.ts'
import { patience, say, sizes } from './sizes.ts'

type Point = Omit<Trap, 'spring'>

let database: Embedded
let line: DatabaseLine
let shop: Shop
let pool: pg.Pool
let dataDir: string
let seller: Person
let staff: Person
let acknowledgements: Acknowledgements
beforeAll(async () => {
  database = await startEmbedded({ dataDir: await newDataDir(), log: () => undefined })
  line = await DatabaseLine.open(database.connection)
  dataDir = await newDataDir()
  const key = () => randomBytes(32).toString('base64')
  shop = await Shop.open({
    DATA_DIR: dataDir,
    DATABASE_URL: line.url,
    SECRET_KEYS: `k1:${key()},index:${key()}`,
  })
  pool = createPool({ connection: database.connection, max: 2, onError: () => undefined })
  seller = await newSeller(shop.url, 'seller')
  staff = await newStaff(shop.url)
  const aside = await mkdtemp(join(tmpdir(), 'unspent-acks-'))
  acknowledgements = new Acknowledgements(join(aside, 'acknowledgements'))
}, 120_000)
afterAll(async () => {
  await shop.close()
  await pool.end()
  line.close()
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

/** Does something during which the server is killed at the point, and starts the server again. */
async function killedAt(point: Point, work: () => Promise<unknown>): Promise<void> {
  const killed = line.snapAt(point, () => shop.nodes[0]?.kill('SIGKILL'))
  const done = work().then(
    (answer) => answer,
    () => undefined,
  )
  await killed
  expect(await done).toBeUndefined()
  await shop.kill()
  // Nobody waits for the lease of a killed worker to run out.
  await pool.query('UPDATE jobs SET run_at = now() WHERE done_at IS NULL')
  await shop.start()
}

async function allIsWell(): Promise<void> {
  const storage = await openStorage(readConfig({ DATA_DIR: dataDir }).storage)
  const stored = () => photosIn(join(dataDir, 'uploads'))
  expect(await check({ pool, storage, stored, acknowledgements, folders: [] })).toEqual([])
}

const INSERT = /^insert into "gift_cards"/
/** A job is noted as done while the next one is looked for; a look that has none to note brings null. */
const NOTED = /^\s*with done as [\s\S]*\n[0-9a-f-]{36}\n/
/** The points of a submission, and what the same request is answered when it is sent once more. */
const submissionPoints: Record<string, Point & { again: 200 | 201 }> = {
  'before its photo is announced': { at: /clock_timestamp/, moment: 'after', again: 201 },
  'after its photo is announced, before it is stored': {
    at: /^insert into "photo_intents"/,
    moment: 'after',
    again: 201,
  },
  'after its photo is stored': { at: INSERT, moment: 'before', again: 201 },
  'before the commit': { at: /^commit/i, since: INSERT, moment: 'before', again: 201 },
  'after the commit, before the answer': { at: /^commit/i, since: INSERT, moment: 'after', again: 200 },
}

describe('killed at a named point', () => {
  it.each(Object.entries(submissionPoints).slice(-sizes.submissionPoints))(
    'of a submission: %s',
    async (_, { again, ...point }) => {
      const [key, photos] = [randomUUID(), [await photo()]]
      const before = await countCards()
      await killedAt(point, () => submit(seller, {}, { key, photos }))
      expect(await countCards()).toBe(before + (again === 200 ? 1 : 0))
      const answer = await submit(seller, {}, { key, photos })
      expect(answer.status).toBe(again)
      acknowledge(answer, key)
      expect(await countCards()).toBe(before + 1)
      await allIsWell()
    },
    patience(1),
  )

  it(
    'of a move: after its commit, and then of its mail: between sending and noting it',
    async () => {
      const id = await submitted(seller)
      const press = () => staff.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' })
      await killedAt({ at: /^commit/i, since: /status_history/, moment: 'after' }, press)
      expect((await press()).status).toBe(409)
      // The mail of that move went out meanwhile; the next one is cut off.
      await until(async () => (await waitingJobs()) === 0)
      const revert = () =>
        staff.patch(`/api/admin/submissions/${id}/status`, { status: 'processing', version: 2 })
      await killedAt({ at: NOTED, moment: 'before' }, async () => {
        await revert()
        await until(() => shop.hasEnded())
        throw new Error('Nobody is there')
      })
      await until(async () => (await waitingJobs()) === 0)
      const sent = await mailsOf(id, 3)
      // Twice on its way, and one letter to whoever receives it.
      expect(sent).toHaveLength(2)
      expect(new Set(sent).size).toBe(1)
      await allIsWell()
    },
    patience(4),
  )

  it(
    'of the collection: before it removes what belongs to nobody',
    async () => {
      const storage = await openStorage(readConfig({ DATA_DIR: dataDir }).storage)
      const [stray, young, foreign] = ['0'.repeat(32), '1'.repeat(32), '2'.repeat(32)]
      for (const name of [stray, young, foreign]) await storage.put(name, Buffer.from('sealed'))
      await pool.query("INSERT INTO photo_intents VALUES ($1, now() - interval '2 days'), ($2, now())", [
        stray,
        young,
      ])
      await shop.stop()
      await killedAt({ at: /^update "photo_intents"/, moment: 'after' }, async () => {
        await shop.start(0, { tries: 1 })
        await until(() => shop.hasEnded())
        throw new Error('Nobody is there')
      })
      // The next start went on with it.
      await until(async () => !(await storedNames()).includes(stray))
      expect(await storedNames()).toEqual(expect.arrayContaining([young, foreign]))
      await storage.remove(foreign)
      await allIsWell()
    },
    patience(2),
  )

  it.runIf(sizes.statements > 0)(
    `of a submission: at each of its statements, at most ${sizes.statements} of them`,
    async () => {
      let kills = 0
      for (const moment of ['before', 'after'] as const) {
        for (let statement = 1; statement <= sizes.statements; statement++) {
          const [key, photos] = [randomUUID(), [await photo()]]
          let snapped = false
          void line.snapAt({ at: /(?:)/, moment, nth: statement }, () => {
            snapped = true
            shop.nodes[0]?.kill('SIGKILL')
          })
          const first = await submit(seller, {}, { key, photos }).catch(() => undefined)
          if (!snapped) break
          kills += 1
          if (first) acknowledge(first, key)
          await shop.kill()
          await shop.start()
          const answer = await submit(seller, {}, { key, photos })
          expect([200, 201]).toContain(answer.status)
          acknowledge(answer, key)
        }
      }
      await allIsWell()
      say(`${kills} kills at the statements of a submission: 0 lost`)
    },
    patience(sizes.statements * 4),
  )
})

function acknowledge({ json }: TestAnswer, key: string): void {
  const { giftCard, transaction } = json
  acknowledgements.add({
    kind: 'submission',
    id: giftCard.id,
    transactionId: transaction.id,
    key,
    seller: 'seller',
    card: 0,
  })
}

async function countCards(): Promise<number> {
  return (await pool.query('SELECT 1 FROM gift_cards')).rows.length
}

const storedNames = () => photosIn(join(dataDir, 'uploads'))

async function waitingJobs(): Promise<number> {
  return (await pool.query('SELECT 1 FROM jobs WHERE done_at IS NULL')).rows.length
}

/** The Message-IDs of all mails that were sent of one version of a submission. */
async function mailsOf(id: string, version: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM jobs WHERE key = $1', [
    `${id}:${version}`,
  ])
  const folder = join(dataDir, 'mail')
  const mails = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  const ids = mails.flatMap((mail) => /^Message-ID: <([^@>]+)@/im.exec(mail)?.[1] ?? [])
  return ids.filter((one) => one === rows[0]?.id)
}
