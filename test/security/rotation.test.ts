import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, it } from 'vitest'
import { dataKeyContext, openSecrets, sealSecrets } from '#server/features/submissions/secrets.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { loadKeys } from '#server/platform/vault/keys.ts'
import { newDataKey, wrapKey } from '#server/platform/vault/seal.ts'
import { importFlags } from '../../scripts/become.mjs'
import { batchOf, pathOf } from '../payouts.ts'
import { ADMIN_PASSWORD } from '../people.ts'
import { Person } from '../person.ts'
import { remote } from '../remote.ts'
import { COMPILE_CACHE, newDataDir, ServerProcess } from '../server-process.ts'
import { registered, signedInStaff } from '../signed-in.ts'
import { amazonCard, submit, submittedIn } from '../submissions.ts'
import { PATIENCE, report, times } from './size.ts'

const PROGRAM = join(import.meta.dirname, '../../server/operator/main.ts')
/** Submissions to copy, in addition to those made through the API. */
const CARDS = times({ small: 600, long: 3000 })
const started: ServerProcess[] = []
const pools: ReturnType<typeof createPool>[] = []
afterAll(async () => {
  for (const pool of pools) await pool.end()
  for (const server of started) {
    server.kill('SIGTERM')
    await server.ended()
  }
})

/** The operator's command, in its own process. */
class Admin {
  readonly #child: ChildProcess
  output = ''

  constructor(settings: Record<string, string>, ...words: string[]) {
    const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...COMPILE_CACHE, ...settings }
    this.#child = spawn(process.execPath, [...importFlags, PROGRAM, ...words], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async ended(): Promise<number | string | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close')
    return this.#child.exitCode ?? this.#child.signalCode
  }
}

async function submitOne(seller: Person): Promise<{ id: string; images: string[] }> {
  const answer = await submit(seller, { cardNumber: amazonCard.cardNumber })
  expect(answer.status).toBe(201)
  return answer.json.giftCard
}

/** The database of a running server, found like the operator's command finds it. */
async function openDatabase(dataDir: string) {
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('The database is not running')
  const pool = createPool({ connection, max: 4, onError: () => undefined })
  pools.push(pool)
  return { pool, db: createDatabase(pool) }
}
type Opened = Awaited<ReturnType<typeof openDatabase>>

/** Adds copies of a submission, each encrypted with its own data key. */
async function addCards({ db }: Opened, keys: KeyRing): Promise<void> {
  const [model] = await db.select().from(giftCards)
  if (!model) throw new Error('There is no submission to copy')
  for (let from = 0; from < CARDS; from += 200) {
    const cards = Array.from({ length: Math.min(200, CARDS - from) }, (_, at) => {
      const [id, dataKey] = [uuidv7(), newDataKey()]
      const fields = { ...amazonCard, cardNumber: `6006 ${from + at}`, securityCode: '1234' } as never
      const sealed = sealSecrets(keys, dataKey, id, fields)
      return {
        ...model,
        ...sealed,
        id,
        idempotencyKey: null,
        dataKey: wrapKey(keys, dataKey, dataKeyContext(id)),
      }
    })
    await db.insert(giftCards).values(cards)
  }
}

async function countByKey({ pool }: Opened): Promise<Record<string, number>> {
  const { rows } = await pool.query(
    'select wrapping_key_id(data_key) as key, count(*)::int as count from gift_cards group by 1',
  )
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]))
}

/** A released batch of one new payout. Returns its address. */
async function releasedBatch(seller: Person, staff: Person, { pool }: Opened): Promise<string> {
  await pool.query('update users set verified = true')
  await submittedIn('processing', { seller, staff })
  const path = pathOf(await batchOf(staff, 'paypal'))
  for (const step of ['freeze', 'release']) expect((await staff.post(`${path}/${step}`)).status).toBe(200)
  return path
}

/** Decrypts each submission. Returns how many it could decrypt. */
async function openAll({ db }: Opened, keys: KeyRing): Promise<number> {
  const rows = await db.select().from(giftCards)
  return rows.filter((row) => openSecrets(keys, row, ['cardNumber']).cardNumber?.startsWith('6006')).length
}

it('a killed rotation continues at the next run, while the server keeps running', {
  timeout: PATIENCE,
}, async () => {
  const dataDir = await newDataDir()
  const settings = { DATA_DIR: dataDir }
  const server = ServerProcess.start({ ...settings, ADMIN_PASSWORD, RATE_LIMITS: 'off' })
  started.push(server)
  const url = await server.ready()
  const database = await openDatabase(dataDir)
  const [seller, staff] = [new Person(remote(url)), new Person(remote(url))]
  await registered(seller)
  await signedInStaff(staff)
  const first = await submitOne(seller)
  const question = { status: 'under_review', reason: 'Which shop?' }
  expect((await staff.patch(`/api/admin/submissions/${first.id}/status`, question)).status).toBe(200)
  await addCards(database, await loadKeys({ dataDir }))
  const batch = await releasedBatch(seller, staff, database)
  const readFile = async () => (await staff.get(`${batch}/file`)).bytes
  expect((await staff.post(`${batch}/file`)).status).toBe(200)
  const payoutFile = await readFile()
  expect(payoutFile.toString()).toContain('sally@example.com')
  const expectServed = async ({ id, images }: { id: string; images: string[] }) => {
    const revealed = await staff.post(`/api/admin/submissions/${id}/reveal`)
    expect(revealed.json).toMatchObject({ cardNumber: amazonCard.cardNumber })
    expect((await seller.get(images[0] ?? '')).status).toBe(200)
  }

  const expectAsked = async () =>
    expect((await staff.get(`/api/admin/submissions/${first.id}`)).json.statusReason).toBe('Which shop?')

  // Locks a row in the middle, so the rotation waits there until it is killed.
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query(
    'select from gift_cards where id = (select id from gift_cards order by id offset $1 limit 1) for update',
    [CARDS / 2],
  )
  const killed = new Admin(settings, 'keys', 'rotate')
  await expect
    .poll(
      async () =>
        (
          await database.pool.query(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
        ).rowCount,
      { timeout: PATIENCE },
    )
    .toBe(1)
  killed.kill()
  expect(await killed.ended()).toBe('SIGKILL')
  await holder.query('rollback')
  holder.release()
  const between = await countByKey(database)
  expect(between.k1).toBeGreaterThan(0)
  expect(between.k2).toBeGreaterThan(0)

  // Halfway, everything can be decrypted, and the server already encrypts with the new key.
  expect(await openAll(database, await loadKeys({ dataDir }))).toBe(CARDS + 2)
  await expectServed(first)
  await expectAsked()
  expect(await readFile()).toEqual(payoutFile)
  const second = await submitOne(seller)
  expect((await countByKey(database)).k2).toBe((between.k2 ?? 0) + 1)

  const again = new Admin(settings, 'keys', 'rotate')
  expect(await again.ended()).toBe(0)
  expect(again.output).toContain('Not everything is under k2 yet. Resuming that rotation.')
  expect(again.output).toContain(`gift_cards: ${between.k1} rewrapped under k2`)
  expect(await countByKey(database)).toEqual({ k2: CARDS + 3 })

  const drop = new Admin(settings, 'keys', 'drop', 'k1')
  expect([await drop.ended(), drop.output]).toEqual([0, expect.stringContaining('No row needs k1.')])
  for (const card of [first, second, await submitOne(seller)]) await expectServed(card)
  await expectAsked()
  expect(await readFile()).toEqual(payoutFile)
  expect(await openAll(database, await loadKeys({ dataDir }))).toBe(CARDS + 4)
  expect(`${killed.output}${again.output}${drop.output}`).not.toMatch(/[A-Za-z0-9+/]{42}/)
  report(`killed after ${between.k2} of ${CARDS + 2}; ${CARDS + 4} of ${CARDS + 4} open after the second run`)
  await rm(dataDir, { recursive: true, force: true })
})
