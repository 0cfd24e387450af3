import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../connection.ts'
import { DatabaseStartError } from '../start-error.ts'
import type { Account } from './account.ts'
import type { Place } from './folder.ts'
import { type Log, type Running, startProgram } from './process.ts'
import { serverArguments } from './server-arguments.ts'

/** A PostgreSQL of ours together with the connection that holds the lock on it. */
export type Session = { postgres: Running; lock: pg.Client }

/** How long a PostgreSQL may take to come up; after a crash it reads its log again first. Milliseconds. */
const startLimit = 180_000

/**
 * A folder that only the account can enter. The address of a Unix socket has room for about 100 bytes, so it is not
 * below the data folder; its name is new and unguessable, so nobody can have made it before us.
 */
export async function makeSocketFolder(account: Account | undefined): Promise<string> {
  // Where root's own temporary folder is, another user may not go.
  const bases = account ? ['/run', '/tmp'] : [tmpdir(), '/tmp']
  for (const base of bases.filter((path) => Buffer.byteLength(path) <= 60)) {
    const folder = await mkdtemp(join(base, 'unspent-pg-')).catch(() => undefined)
    if (!folder) continue
    if (account) await chown(folder, account.uid, account.gid)
    return folder
  }
  throw new DatabaseStartError(
    `no folder for the socket of the database can be made in ${bases.join(' or ')}`,
  )
}

/**
 * Connects as superuser and takes the lock of the one server, which lasts as long as the connection.
 *
 * @returns undefined when another server holds it. Rejects when there is no connection to be had.
 */
export async function takeLock(connection: Connection): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...connection,
    application_name: 'unspent lock',
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ taken: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('the one Unspent server')) AS taken",
    )
    if (rows[0]?.taken) return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
  await client.end()
  return undefined
}

export function startPostgres(
  place: Place,
  socketFolder: string,
  settings: Settings,
  stalePid: number,
  log: Log,
): Running {
  return startProgram({
    program: place.binaries.postgres,
    paths: [place.cluster],
    args: (folder) => ['-D', folder, ...serverArguments(socketFolder, settings)],
    account: place.account,
    // PostgreSQL takes any process with the number in its old pid file for itself, save its parents. We have looked:
    // that one is none. The file stays, and so does PostgreSQL's own check of the shared memory.
    ...(stalePid > 0 && { environment: { PG_GRANDPARENT_PID: String(stalePid) } }),
    onLine: (line) => log(levelOf(line), line),
  })
}

export type Settings = Readonly<Record<string, string>>

/**
 * Tries every 20 ms until PostgreSQL answers.
 *
 * @returns the lock, or why there is none: PostgreSQL has ended, or another server was given the lock.
 */
export async function lockWhenReady(
  postgres: Running,
  connection: Connection,
): Promise<pg.Client | 'ended' | 'taken'> {
  const limit = Date.now() + startLimit
  while (!postgres.hasEnded()) {
    try {
      return (await takeLock(connection)) ?? 'taken'
    } catch (error) {
      if (Date.now() > limit)
        throw new DatabaseStartError(`PostgreSQL does not answer: ${(error as Error).message}`)
    }
    await sleep(20)
  }
  return 'ended'
}

/** Ends a PostgreSQL in order: no new connections, the open ones rolled back, everything on disk. */
export async function shutDown(postgres: Running): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ] as const) {
    postgres.kill(signal)
    await Promise.race([postgres.ended, sleep(patience, undefined, { ref: false })])
    if (postgres.hasEnded()) return
  }
}

/** Being refused while it starts or stops is how we wait for it, and what made a start fail goes with its error. */
function levelOf(line: string): 'debug' | 'warn' | 'error' {
  if (line.startsWith('PANIC:')) return 'error'
  const expected = /^FATAL: {2}(the database system is |terminating |lock file |pre-existing shared memory )/
  return line.startsWith('FATAL:') && !expected.test(line) ? 'warn' : 'debug'
}
