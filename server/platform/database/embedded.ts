import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Folder, type Log, openFolder, readPasswords, removeLeftovers } from './embedded/folder.ts'
import { findPostmaster } from './embedded/postmaster.ts'
import * as server from './embedded/server.ts'
import { type Connection, connectionUrl } from './pool.ts'

export type EmbeddedOptions = {
  /** Absolute. The database lives in its folder `postgres`. */
  dataDir: string
  log: Log
  /** PostgreSQL could not be restarted, or another server took the folder. */
  onLost?: (error: Error) => void
  /** For tests: PostgreSQL settings that override ours. */
  settings?: server.Settings
  /** For tests: the users that root may run PostgreSQL as. */
  users?: string[]
}

export type Embedded = {
  /** Connects as the role that owns the application's database. It does not change while this server runs. */
  connection: Connection
  url: string
  /** Connects as superuser, for backups and tests. */
  superuser: Connection
  /** Current process id of PostgreSQL. */
  pid: () => number
  /** Stops PostgreSQL. Call it last, after the pools have ended. */
  stop: () => Promise<void>
}

/** Pauses between attempts to start PostgreSQL again. After the last one the database is lost. */
const RESTART_PAUSES_MS = [50, 200, 500, 1000, 2000, 5000, 5000, 5000]
/** With this many crashes, restarting won't help. */
const MAX_CRASHES_PER_MINUTE = 10

/**
 * Starts the PostgreSQL below the data folder, creates it if there is none, and restarts it when it crashes.
 *
 * @throws {DatabaseInUseError} when another server uses the folder.
 * @throws {OperatorError} otherwise, with PostgreSQL's last lines below the first.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log, users, settings = {} } = options
  const sync = settings.fsync !== 'off'
  const folder = await openFolder({ dataDir, log, sync, ...(users && { users }) })
  const socketFolder = await server.createSocketFolder(folder.account)
  await using undo = new AsyncDisposableStack()
  undo.defer(() => rm(socketFolder, { recursive: true, force: true }))
  const first = await server.startServer(folder, socketFolder, settings, log)
  undo.defer(async () => void (await server.shutDown(first.postgres)))
  await server.ensureAppDatabase(first.lock, folder)
  await removeLeftovers(dataDir, log)
  undo.move()
  return supervise(folder, socketFolder, first, options)
}

function supervise(
  folder: Folder,
  socketFolder: string,
  first: server.Server,
  { log, onLost, settings = {} }: EmbeddedOptions,
): Embedded {
  const connection = server.appConnection(socketFolder, folder.passwords)
  const superuser = server.superuserConnection(socketFolder, folder.passwords)
  const crashes: number[] = []
  let current = first
  let stopping: Promise<void> | undefined
  let recovery = Promise.resolve()
  watch(first)

  return {
    connection,
    url: connectionUrl(connection),
    superuser,
    pid: () => current.postgres.pid,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }

  /** The lock's connection ends when PostgreSQL does. */
  function watch(watched: server.Server): void {
    current = watched
    watched.lock.once('end', () => {
      if (!stopping) recovery = recover()
    })
  }

  async function recover(): Promise<void> {
    // Perhaps someone closed only this connection, as an administrator's tool may.
    const lock = await server.takeLock(superuser).catch(() => undefined)
    if (lock) return watch({ ...current, lock })
    if (stopping) return
    await server.shutDown(current.postgres)
    log('error', `PostgreSQL ended unexpectedly: ${current.postgres.lines.at(-1) ?? 'without a message'}`)
    await restart().catch((error: Error) => {
      log('error', `the database is lost: ${error.message}`)
      onLost?.(error)
    })
  }

  async function restart(): Promise<void> {
    crashes.push(Date.now())
    if (crashes.filter((time) => time > Date.now() - 60_000).length >= MAX_CRASHES_PER_MINUTE)
      throw new Error('PostgreSQL crashed too often within a minute')
    for (const [attempt, pause] of RESTART_PAUSES_MS.entries()) {
      await sleep(pause)
      if (stopping) return
      try {
        watch(await server.startServer(folder, socketFolder, settings, log))
        return log('warn', 'PostgreSQL runs again')
      } catch (error) {
        if (error instanceof server.DatabaseInUseError || attempt === RESTART_PAUSES_MS.length - 1)
          throw error
        log('error', (error as Error).message)
      }
    }
  }

  async function stop(): Promise<void> {
    await recovery
    await server.shutDown(current.postgres)
    await rm(socketFolder, { recursive: true, force: true })
  }
}

/** The connection to the PostgreSQL that a server runs on this folder. Undefined if none runs. */
export async function findRunning(dataDir: string): Promise<Connection | undefined> {
  const home = join(dataDir, 'postgres')
  for (const limit = Date.now() + server.WAIT_MS; Date.now() < limit; await sleep(50)) {
    const found = await findPostmaster(join(home, 'cluster'))
    if (!found?.alive) return undefined
    if (found.isReady && found.socketFolder)
      return server.appConnection(found.socketFolder, await readPasswords(home))
  }
  return undefined
}
