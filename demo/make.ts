import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import { type Demo, demoFile } from '#server/demo.ts'
import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import { createAdministrator, generatePassword } from '#server/features/accounts/staff/administrators.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { writeDurably } from '#server/platform/durable-file.ts'
import { JOBS_CHANNEL } from '#server/platform/jobs/jobs.ts'
import { createLog } from '#server/platform/log.ts'
import { makeKeys } from '#server/platform/vault/keys.ts'
import { start } from '#server/start.ts'
import { demoSettings } from '../scripts/demo-settings.mjs'
import { Browsers, DAY_MS, type DemoEvent } from './browsers.ts'
import { ShiftedClock } from './clock.ts'
import { demoEvents } from './events.ts'
import { makeAtomically, prepareFolder } from './folder.ts'
import { emailOf, sellers, staff } from './people.ts'
import { demoStatement } from './statement.ts'

/** The first half of `npm run demo`: makes the demo's data folder if it does not exist. */

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    fresh: { type: 'boolean' },
    cards: { type: 'string' },
    // For the server.
    instant: { type: 'boolean' },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** The first administrator exists from the first start. */
const colleagues = Object.entries(staff).filter(([name]) => name !== 'admin')

/** Ctrl+C stops after the current event and leaves nothing behind. */
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (interrupted = true))

try {
  const folder = resolve(values.data ?? 'demo-data')
  if (await prepareFolder(folder, values.fresh ?? false)) {
    say('Making the demo: six weeks of sales, reviews and chats. This takes about a minute …')
    const events = demoEvents(Date.now(), readCards(values.cards))
    await makeAtomically(folder, (aside) => make(aside, events))
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

/** The number of sales; undefined for all. */
function readCards(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--cards must be a whole number from 1, not ${text}`)
  return Number(text)
}

/** Starts the server on the folder and runs each event with the clock set to its time. */
async function make(dataDir: string, events: readonly DemoEvent[]): Promise<void> {
  const demo: Demo = {
    seller: { email: emailOf(sellers.grace), password: generatePassword() },
    instantSeller: { email: emailOf(sellers.diego) },
    staff: { username: 'admin', password: generatePassword() },
    colleagues: colleagues.map(([username, role]) => ({ username, role })),
  }
  const database = await startEmbedded({ dataDir, log: () => undefined })
  const clock = await ShiftedClock.install(database.superuser, database.connection)
  try {
    await clock.set((events[0]?.at ?? Date.now()) - DAY_MS)
    await makeKeys({ dataDir })
    // The port of `npm start`, which the links in mails contain.
    const { PORT, PRODUCT_NAME, BRAND_DIR } = process.env
    const config = readConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ADMIN_PASSWORD: demo.staff.password,
      RATE_LIMITS: 'off',
      // Staff sign in again after ten hours (browsers.ts), not after each pause.
      STAFF_IDLE_MINUTES: '1440',
      // The balance service is on this machine.
      WEBHOOKS_ALLOW_PRIVATE: 'on',
      ...demoSettings,
      PORT,
      PRODUCT_NAME,
      BRAND_DIR,
    })
    const product = await start(config, {
      log: createLog('error'),
      onLost: () => undefined,
      announce: () => undefined,
      signal: new AbortController().signal,
    })
    try {
      const passwords = { seller: demo.seller.password, staff: demo.staff.password }
      await play(events, {
        dataDir,
        browsers: new Browsers({
          url: product.url,
          passwords,
          mailFolder: join(dataDir, 'mail'),
          payoutMethods: config.brand.payoutMethods,
        }),
        clock,
        databaseUrl: database.url,
        passwords,
      })
    } finally {
      await product.stop()
    }
  } finally {
    await clock.remove()
    await database.stop()
  }
  await writeDurably(demoFile(dataDir), `${JSON.stringify(demo, null, 2)}\n`)
}

interface Tools {
  readonly dataDir: string
  readonly browsers: Browsers
  readonly clock: ShiftedClock
  readonly databaseUrl: string
  readonly passwords: { readonly staff: string }
}

async function play(
  events: readonly DemoEvent[],
  { dataDir, browsers, clock, databaseUrl, passwords }: Tools,
): Promise<void> {
  const pool = createPool({ connection: databaseUrl, max: 2, onError: () => undefined })
  try {
    const tools = { db: createDatabase(pool), passwords: new Passwords() }
    for (const [name, role] of colleagues)
      await createAdministrator(tools, name, { role, password: passwords.staff })
    for (const [index, { at, run: act }] of events.entries()) {
      if (interrupted) throw new Error('Interrupted. The demo was not created.')
      await clock.set(at)
      await act(browsers)
      await allMailsSent(pool)
      progress(index + 1, events.length)
    }
    await browsers.signOut()
    await knowEveryBrowser(pool)
    await writeDurably(join(dataDir, 'bank-statement.csv'), await demoStatement(pool))
  } finally {
    await pool.end()
  }
}

/**
 * Lets every browser of this database count as one that was used for a month. The seller's own is not on the desk of the person who
 * tries the demo, and policies approve nothing of a seller with a new browser for 72 hours.
 */
async function knowEveryBrowser(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE FUNCTION demo_known_browser() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN NEW.known_since := now() - interval ''30 days''; RETURN NEW; END';
    CREATE TRIGGER demo_known_browser BEFORE INSERT ON known_browsers
      FOR EACH ROW EXECUTE FUNCTION demo_known_browser()`)
}

/**
 * Waits for the event's emails, so that they have its time too. Emails about unread replies are due later. Wakes the workers: jobs
 * that the new time makes due, or that were not to run at once, would wait for the next poll.
 */
async function allMailsSent(pool: Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `SELECT pg_notify($1, '') FROM jobs
       WHERE done_at IS NULL AND failed_at IS NULL AND (run_at <= now() OR attempts > 0) LIMIT 1`,
      [JOBS_CHANNEL],
    )
    if (rowCount === 0) return
    await sleep(20)
  }
}

function progress(done: number, of: number): void {
  if (done === of || done % 40 === 0) say(`${done} of ${of} events done`)
}
