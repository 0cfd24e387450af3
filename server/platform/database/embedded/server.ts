import { chown, mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import type { Connection } from '../pool.ts'
import type { Account } from './account.ts'
import { type Folder, isProcess, type Log, type Passwords } from './folder.ts'
import { findPostmaster, type Postmaster, runsOn } from './postmaster.ts'
import { type Running, startProgram } from './programs.ts'

/** Our PostgreSQL, and the connection that holds the lock of the one server on its folder. */
export type Server = { postgres: Running; lock: pg.Client }
export type Settings = Readonly<Record<string, string>>

/** Another server uses the same folder. */
export class DatabaseInUseError extends OperatorError {}

/** How long to wait for another start or stop on the same folder. */
export const WAIT_MS = 30_000
/** How long PostgreSQL may take to start. After a crash it first reads its log. */
const START_LIMIT_MS = 180_000
/** Part of the socket's file name. Nothing listens on a port of this number. */
const SOCKET_PORT = 5432
/** The application's database, and the role that owns it, which is no superuser. */
const APP = 'unspent'

/**
 * Settings are arguments rather than lines of postgresql.conf: arguments win, so `ALTER SYSTEM` cannot turn off
 * durability, and a new version's settings also hold for old folders.
 */
const fixedSettings = {
  // Reached only through the socket, whose folder only its user can enter.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',

  // A sale that was accepted survives a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  // For a small machine. Parallel queries need /dev/shm, of which containers have little.
  max_connections: '50',
  shared_buffers: '128MB',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_wal_size: '512MB',
  io_method: 'sync',
  jit: 'off',

  // Messages of failed queries contain what people typed. The server logs failures itself, without values.
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_statement: 'none',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',

  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Starts PostgreSQL on the folder and takes the lock. First stops what a killed server left running. If two servers try
 * at once, one wins: both PostgreSQL's pid file and the lock have only one owner.
 *
 * @throws {DatabaseInUseError} when another server uses the folder.
 */
export async function startServer(
  folder: Folder,
  socketFolder: string,
  settings: Settings,
  log: Log,
): Promise<Server> {
  const limit = Date.now() + WAIT_MS
  for (;;) {
    const old = await findPostmaster(folder.cluster)
    if (old?.alive) await stopOrphan(folder, limit, log)
    const postgres = startPostgres(folder, socketFolder, settings, log, old?.alive ? undefined : old?.pid)
    try {
      const lock = await lockWhenReady(folder, postgres, superuserConnection(socketFolder, folder.passwords))
      if (lock) {
        if (old?.socketFolder !== socketFolder) await removeSocketFolder(old?.socketFolder)
        return { postgres, lock }
      }
    } catch (error) {
      await shutDown(postgres)
      throw error
    }
    const { code } = await postgres.ended
    // Another start was faster, the backends of a killed PostgreSQL are still there, or someone stopped ours: try again.
    const isTemporary = postgres.lines.some((line) =>
      /lock file ".*" already exists|shared memory block/.test(line),
    )
    if ((code !== 0 && !isTemporary) || Date.now() > limit)
      throw new OperatorError(['PostgreSQL did not start', ...postgres.lines.slice(-10)].join('\n'))
    await sleep(100)
  }
}

/**
 * Stops a PostgreSQL that runs without a server. A starting server takes the lock within milliseconds, so if
 * it is free for a second, there is no server.
 */
async function stopOrphan(folder: Folder, limit: number, log: Log): Promise<void> {
  let found = await findPostmaster(folder.cluster)
  for (let free = 0; free < 6; found = await findPostmaster(folder.cluster)) {
    if (!found?.alive) return
    if (Date.now() > limit || (found.isReady && (await isLocked(folder, found)))) throw inUse(folder)
    if (found.isReady) free += 1
    await sleep(200)
  }
  if (!found?.alive) return
  const { pid, socketFolder } = found
  log('warn', `stopping the PostgreSQL ${pid} that a killed server left running`)
  const isRunning = () => runsOn(folder.cluster, pid)
  // Another start may stop it at the same time.
  const kill = (signal: NodeJS.Signals) => isProcess(pid) && process.kill(pid, signal)
  if (!(await shutDown({ isRunning, kill })))
    throw new OperatorError(`the PostgreSQL ${pid}, left running on ${folder.cluster}, does not stop`)
  await removeSocketFolder(socketFolder)
}

/** No connection means no lock: a socket can be gone with the private /tmp of a server that was killed. */
async function isLocked({ passwords }: Folder, { socketFolder }: Postmaster): Promise<boolean> {
  if (!socketFolder) return false
  try {
    const lock = await takeLock(superuserConnection(socketFolder, passwords))
    await lock?.end()
    return lock === undefined
  } catch {
    return false
  }
}

function inUse({ dataDir }: Folder): DatabaseInUseError {
  return new DatabaseInUseError(`another Unspent server is already using DATA_DIR ${dataDir}`)
}

function startPostgres(
  folder: Folder,
  socketFolder: string,
  settings: Settings,
  log: Log,
  stalePid: number | undefined,
): Running {
  const all = { ...fixedSettings, unix_socket_directories: socketFolder, ...settings }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return startProgram({
    program: folder.programs.postgres,
    paths: [folder.cluster],
    args: (cluster) => ['-D', cluster, '-p', String(SOCKET_PORT), ...args],
    account: folder.account,
    // If the number in an old pid file now belongs to some other process, PostgreSQL would refuse to start. We have
    // checked that it isn't PostgreSQL. The file stays, and so does PostgreSQL's own check of the shared memory.
    ...(stalePid && { environment: { PG_GRANDPARENT_PID: String(stalePid) } }),
    onLine: (line) => log(levelOf(line), line),
  })
}

/** Refused connections are expected while it starts or stops. A start that fails throws its last lines. */
function levelOf(line: string): 'debug' | 'warn' | 'error' {
  if (line.startsWith('PANIC:')) return 'error'
  const expected = /^FATAL: {2}(the database system is |terminating |lock file |pre-existing shared memory )/
  return line.startsWith('FATAL:') && !expected.test(line) ? 'warn' : 'debug'
}

/** Tries until PostgreSQL answers. Returns the lock, or undefined if PostgreSQL has ended. */
async function lockWhenReady(
  folder: Folder,
  postgres: Running,
  connection: Connection,
): Promise<pg.Client | undefined> {
  for (const limit = Date.now() + START_LIMIT_MS; postgres.isRunning(); await sleep(20)) {
    const lock = await takeLock(connection).catch((error: Error) => error)
    if (lock === undefined) throw inUse(folder)
    if (!(lock instanceof Error)) return lock
    if (Date.now() > limit) throw new OperatorError(`PostgreSQL does not answer: ${lock.message}`)
  }
  return undefined
}

/**
 * Connects and takes the lock of the one server, which is held as long as the connection lasts.
 *
 * @returns undefined when another server holds it. Rejects when it cannot connect.
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

/** Stops PostgreSQL: no new connections, open ones rolled back, everything on disk. Returns whether it has ended. */
export async function shutDown({ isRunning, kill }: Pick<Running, 'isRunning' | 'kill'>): Promise<boolean> {
  for (const [signal, waitMs] of [
    ['SIGINT', WAIT_MS],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ] as const) {
    if (await isRunning()) kill(signal)
    for (const limit = Date.now() + waitMs; Date.now() < limit; await sleep(20))
      if (!(await isRunning())) return true
  }
  return false
}

/**
 * Creates a folder that only the account can enter. A Unix socket's path has room for about 100 bytes, so it is not
 * below the data folder. Its random name cannot have been taken by someone else.
 */
export async function createSocketFolder(account: Account | undefined): Promise<string> {
  // Another user may not be able to enter root's own temporary folder.
  const bases = account ? ['/run', '/tmp'] : [tmpdir(), '/tmp']
  for (const base of bases.filter((path) => Buffer.byteLength(path) <= 60)) {
    const folder = await mkdtemp(join(base, 'unspent-pg-')).catch(() => undefined)
    if (!folder) continue
    if (account) await chown(folder, account.uid, account.gid)
    return folder
  }
  throw new OperatorError(`cannot create a folder for the database's socket in ${bases.join(' or ')}`)
}

/** Removes the socket folder of a PostgreSQL that is gone, if we created it. */
async function removeSocketFolder(folder = ''): Promise<void> {
  if (!/\/unspent-pg-[A-Za-z0-9]{6}$/.test(folder)) return
  const socket = join(folder, `.s.PGSQL.${SOCKET_PORT}`)
  for (const path of [socket, `${socket}.lock`]) await rm(path, { force: true }).catch(() => undefined)
  await rmdir(folder).catch(() => undefined)
}

export function appConnection(socketFolder: string, { app }: Passwords): Connection {
  return { host: socketFolder, port: SOCKET_PORT, user: APP, password: app, database: APP, ssl: false }
}

export function superuserConnection(socketFolder: string, { superuser }: Passwords): Connection {
  const user = 'postgres'
  return { host: socketFolder, port: SOCKET_PORT, user, password: superuser, database: user, ssl: false }
}

/** Creates role and database if they are missing: a start may have been killed between the two. */
export async function ensureAppDatabase(client: pg.Client, { passwords }: Folder): Promise<void> {
  const name = pg.escapeIdentifier(APP)
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
            EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database`,
    [APP],
  )
  if (!rows[0]?.role) {
    const password = pg.escapeLiteral(passwords.app)
    await client.query(`CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${password}`)
  }
  if (!rows[0]?.database) await client.query(`CREATE DATABASE ${name} OWNER ${name}`)
}
