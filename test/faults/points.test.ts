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
import { WebhookReceiver } from '#test/webhook-receiver.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { check, photosIn } from './checker.ts'
import { DatabaseLine, type Trap } from './database-line.ts'
import { newSeller, newStaff } from './load.ts'
import { Shop, until } from './shop.ts'
import { report, sizes, timeoutFor } from './sizes.ts'

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
    WEBHOOKS_ALLOW_PRIVATE: 'on',
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
})

/** Runs `work`, during which the server is killed at the point. Then starts the server again. */
async function killedAt(point: Point, work: () => Promise<unknown>): Promise<void> {
  const killed = line.snapAt(point, () => shop.nodes[0]?.kill('SIGKILL'))
  const done = work().then(
    (answer) => answer,
    () => undefined,
  )
  await killed
  expect(await done).toBeUndefined()
  await shop.kill()
  // Ends the leases of the killed worker.
  await pool.query('UPDATE jobs SET run_at = now() WHERE done_at IS NULL')
  await shop.start()
}

async function expectNothingLost(): Promise<void> {
  const storage = await openStorage(readConfig({ DATA_DIR: dataDir }).storage)
  const stored = () => photosIn(join(dataDir, 'uploads'))
  expect(await check({ pool, storage, stored, acknowledgements, folders: [] })).toEqual([])
}

const INSERT = /^insert into "gift_cards"/
/** Marks a job as done and claims the next one. Without a job to mark, the value is null. */
const MARK_DONE = /^\s*with done as [\s\S]*\n[0-9a-f-]{36}\n/
/** Points within a submission, and the status when the same request is sent again. */
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
      await expectNothingLost()
    },
    timeoutFor(1),
  )

  it(
    'of a move: after the commit; of its mail: between sending it and marking it as sent',
    async () => {
      const id = await submitted(seller)
      const press = () => staff.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' })
      await killedAt({ at: /^commit/i, since: /status_history/, moment: 'after' }, press)
      expect((await press()).status).toBe(409)
      // The mail of that move is sent. The mail of the next move is interrupted.
      await until(async () => (await waitingJobs()) === 0)
      const revert = () =>
        staff.patch(`/api/admin/submissions/${id}/status`, { status: 'processing', version: 2 })
      await killedAt({ at: MARK_DONE, moment: 'before' }, async () => {
        await revert()
        await until(() => shop.hasEnded())
        throw new Error('The server was killed')
      })
      await until(async () => (await waitingJobs()) === 0)
      const sent = await mailsOf(id, 3)
      // Sent twice under the same Message-ID, so the recipient sees one.
      expect(sent).toHaveLength(2)
      expect(new Set(sent).size).toBe(1)
      await expectNothingLost()
    },
    timeoutFor(4),
  )

  it(
    'of a move with a webhook: after the commit, before it is delivered',
    async () => {
      const receiver = await WebhookReceiver.start()
      await staff.post('/api/admin/webhooks', { url: receiver.url, events: ['submission.moved'] })
      const id = await submitted(seller)
      const press = () => staff.patch(`/api/admin/submissions/${id}/status`, { status: 'completed' })
      await killedAt({ at: /^commit/i, since: /status_history/, moment: 'after' }, press)
      await until(async () => receiver.received.length > 0)
      expect(receiver.received).toMatchObject([{ json: { data: { id, status: 'completed' } } }])
      await expectNothingLost()
    },
    timeoutFor(2),
  )

  it(
    'of the photo collection: before it removes stray files',
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
        throw new Error('The server was killed')
      })
      // The next start finishes it.
      await until(async () => !(await storedNames()).includes(stray))
      expect(await storedNames()).toEqual(expect.arrayContaining([young, foreign]))
      await storage.remove(foreign)
      await expectNothingLost()
    },
    timeoutFor(2),
  )

  it.runIf(sizes.statements > 0)(
    `of a submission: at each of its first ${sizes.statements} statements`,
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
      await expectNothingLost()
      report(`${kills} kills at the statements of a submission: 0 lost`)
    },
    timeoutFor(sizes.statements * 4),
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

/** Message-IDs of all mails sent about one version of a submission. */
async function mailsOf(id: string, version: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM jobs WHERE key = $1', [
    `${id}:${version}`,
  ])
  const folder = join(dataDir, 'mail')
  const mails = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  const ids = mails.flatMap((mail) => /^Message-ID: <([^@>]+)@/im.exec(mail)?.[1] ?? [])
  return ids.filter((one) => one === rows[0]?.id)
}
