import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import { type Demo, demoFileIn } from '#server/demo.ts'
import { Passwords } from '#server/features/people/accounts/passwords.ts'
import { createAdministrator } from '#server/features/people/staff/actions.ts'
import { generatePassword } from '#server/features/people/staff/first-administrator.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { writeDurably } from '#server/platform/durable-file.ts'
import { createLog } from '#server/platform/log.ts'
import { makeKeys } from '#server/platform/vault/keys.ts'
import { start } from '#server/start.ts'
import { Cast } from './cast.ts'
import { LentClock } from './clock.ts'
import { makeWhole, prepare } from './folder.ts'
import { emailOf, sellers, staff } from './people.ts'
import { DAY_MS, type Deed } from './story/deed.ts'
import { story } from './story/story.ts'

/** The first half of `npm run demo`: makes the data folder of the demo unless it is there. */

const { values } = parseArgs({
  options: { data: { type: 'string' }, fresh: { type: 'boolean' }, cards: { type: 'string' } },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Whoever presses Ctrl+C waits for the deed at hand, and nothing half-made stays. */
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (interrupted = true))

try {
  const folder = resolve(values.data ?? 'demo-data')
  if (await prepare(folder, values.fresh ?? false)) {
    say('Making the demo: its people sell, review and write for six weeks, which takes about a minute …')
    const deeds = story(Date.now(), readCards(values.cards))
    await makeWhole(folder, (aside) => make(aside, deeds))
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

/** How many of the sales are told; all of them unless it is said. */
function readCards(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new Error(`--cards holds ${text}; it may hold a whole number from 1`)
  return Number(text)
}

/** Starts the product on the folder and has everybody do what the story says, each at its time. */
async function make(dataDir: string, deeds: readonly Deed[]): Promise<void> {
  const demo: Demo = {
    seller: { email: emailOf(sellers.grace), password: generatePassword() },
    staff: { username: staff[0], password: generatePassword() },
  }
  const database = await startEmbedded({ dataDir, log: () => undefined })
  const clock = await LentClock.lend(database.superuser, database.connection)
  try {
    await clock.set((deeds[0]?.at ?? Date.now()) - DAY_MS)
    await makeKeys({ dataDir, databaseIsExternal: false })
    // At the address where it will be looked at: the links in its mails lead there.
    const { PORT, PRODUCT_NAME } = process.env
    const config = readConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ADMIN_PASSWORD: demo.staff.password,
      RATE_LIMITS: 'off',
      PORT,
      PRODUCT_NAME,
    })
    const product = await start(config, {
      log: createLog('error'),
      onLost: () => undefined,
      announce: () => undefined,
      signal: new AbortController().signal,
    })
    try {
      const passwords = { seller: demo.seller.password, staff: demo.staff.password }
      await tell(deeds, {
        cast: new Cast(product.url, passwords, join(dataDir, 'mail')),
        clock,
        database: database.url,
        passwords,
      })
    } finally {
      await product.stop()
    }
  } finally {
    await clock.giveBack()
    await database.stop()
  }
  await writeDurably(demoFileIn(dataDir), `${JSON.stringify(demo, null, 2)}\n`)
}

interface Stage {
  readonly cast: Cast
  readonly clock: LentClock
  /** A URL. */
  readonly database: string
  readonly passwords: { readonly staff: string }
}

async function tell(deeds: readonly Deed[], { cast, clock, database, passwords }: Stage): Promise<void> {
  const pool = createPool({ connection: database, max: 2, onError: () => undefined })
  try {
    const tools = { db: createDatabase(pool), passwords: new Passwords() }
    for (const name of staff.slice(1)) await createAdministrator(tools, name, passwords.staff)
    for (const [index, { at, run: act }] of deeds.entries()) {
      if (interrupted) throw new Error('The demo was not made')
      await clock.set(at)
      await act(cast)
      await mailsAreSent(pool)
      progress(index + 1, deeds.length)
    }
    await cast.signOut()
  } finally {
    await pool.end()
  }
}

/** The mails of a deed carry its time too. One that waits to see whether a reply is read is sent later. */
async function mailsAreSent(pool: Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `SELECT FROM jobs
       WHERE done_at IS NULL AND failed_at IS NULL AND (run_at <= now() OR attempts > 0) LIMIT 1`,
    )
    if (rowCount === 0) return
    await sleep(5)
  }
}

function progress(done: number, of: number): void {
  if (done === of || done % 40 === 0) say(`${done} of ${of} things have happened`)
}
