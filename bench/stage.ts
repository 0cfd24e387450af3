import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { hashToken, newToken } from '#server/features/accounts/sessions/cookies.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import type { Connection } from '#server/platform/database/pool.ts'
import { createPool } from '#server/platform/database/pool.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { loadKeys } from '#server/platform/vault/keys.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '#test/people.ts'
import { Person } from '#test/person.ts'
import { memoryOf } from '#test/processes.ts'
import { remote } from '#test/remote.ts'
import { signedInStaff } from '#test/signed-in.ts'
import { AlreadyFilledError } from './data/fill.ts'
import { fillOwnDatabase } from './data/own-database.ts'
import type { LimitSettings } from './limit/server.ts'
import type { Processes } from './measure/compare.ts'
import { NACHA } from './payouts.ts'
import { measureStarts, type Starts, startServer } from './start.ts'

/** A server as an operator runs it, on generated data, and a bare process that does the same work. */
export interface Stage extends Starts {
  readonly url: string
  readonly product: Processes
  readonly pool: pg.Pool
  readonly keys: KeyRing
  /** The headers of a signed-in administrator. */
  readonly staff: { readonly cookie: string }
  /** Signs in these sellers, or the first ones, directly in the database. */
  readonly sellers: (which: number | readonly string[]) => Promise<readonly SignedInSeller[]>
  /** Starts the bare process. */
  readonly limit: (settings: Omit<LimitSettings, 'connection'>) => Promise<Limit>
  readonly end: () => Promise<void>
}

export interface SignedInSeller {
  readonly id: string
  readonly cookie: string
}

export interface Limit {
  readonly url: string
  readonly constantUrl: string
  readonly processes: Processes
}

/**
 * @param folder the data folder to keep; undefined for a temporary one
 * @param starts how often to start the server, to measure it
 */
export async function setStage(submissions: number, folder: string | undefined, starts = 1): Promise<Stage> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'unspent-bench-')))
  // As `npm start` does.
  const node = { NODE_COMPILE_CACHE: join(dataDir, 'compiled') }
  const settings = {
    ...node,
    ...NACHA,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ADMIN_PASSWORD,
    LOG_LEVEL: 'error',
    // The data is up to two years old. Erasing it would distort the measurements.
    ERASE_AFTER_DAYS: '3650',
  }
  const config = readConfig({ DATA_DIR: dataDir, ADMIN_PASSWORD })
  await fillOwnDatabase(config, { submissions, password: SELLER_PASSWORD }).catch(unlessFilled)
  const keys = await loadKeys({ dataDir })
  const earlier = await measureStarts(settings, starts - 1)

  const { server, url, start } = await startServer(settings)
  const connection = await connectionOf(dataDir)
  const pool = createPool({ connection, max: 4, statementTimeout: 0, onError: () => undefined })
  const product = { server: server.pid, postgres: await postmasterOf(pool) }
  const children: ChildProcess[] = []
  return {
    url,
    product,
    starts: [...earlier.starts, start],
    postgresStarts: earlier.postgresStarts,
    atRestMb: memoryOf(server.pid),
    pool,
    keys,
    staff: { cookie: (await signedInStaff(new Person(remote(url)))).cookieHeader },
    sellers: (which) => signSellersIn(pool, which),
    limit: async (more) => {
      const { child, ...addresses } = await startLimit({ ...more, connection })
      children.push(child)
      return { ...addresses, processes: { server: child.pid ?? 0, postgres: product.postgres } }
    },
    end: async () => {
      await Promise.all(children.map(ended))
      await pool.end()
      await server.end()
      if (!folder) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function connectionOf(dataDir: string): Promise<Connection> {
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('The database is not running')
  return connection
}

function unlessFilled(error: unknown): void {
  if (!(error instanceof AlreadyFilledError)) throw error
}

/** The postmaster is the parent of all PostgreSQL processes. */
async function postmasterOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid')
  const status = await readFile(`/proc/${rows[0].pid}/status`, 'utf8')
  return Number(/PPid:\s+(\d+)/.exec(status)?.[1])
}

async function signSellersIn(pool: pg.Pool, which: number | readonly string[]): Promise<SignedInSeller[]> {
  const first = 'SELECT id FROM users ORDER BY id LIMIT $1'
  const rows =
    typeof which === 'number' ? (await pool.query(first, [which])).rows : which.map((id) => ({ id }))
  const signedIn = rows.map(({ id }) => ({ id, token: newToken() }))
  const sids = signedIn.map(({ token }) => hashToken(token))
  await pool.query(
    `INSERT INTO sessions (sid, user_id, sess, expire)
     SELECT sid, id, '{}', now() + interval '30 days' FROM unnest($1::text[], $2::uuid[]) AS signed_in (sid, id)`,
    [sids, signedIn.map(({ id }) => id)],
  )
  return signedIn.map(({ id, token }) => ({ id, cookie: `unspent_session=${token}` }))
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

async function startLimit(settings: LimitSettings) {
  const env = { ...process.env, LIMIT_SETTINGS: JSON.stringify(settings) }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'limit/server.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, ...(JSON.parse(line) as { url: string; constantUrl: string }) }
}
