import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, connectionUrl } from './connection.ts'
import { claim } from './embedded/claim.ts'
import { openPlace, type Place, removeLeftovers } from './embedded/folder.ts'
import type { Log } from './embedded/process.ts'
import { appConnection, ensureAppDatabase, superuserConnection } from './embedded/roles.ts'
import { makeSocketFolder, type Session, shutDown, takeLock } from './embedded/session.ts'
import { DatabaseInUseError } from './start-error.ts'

export type { Log } from './embedded/process.ts'

export type EmbeddedOptions = {
  /** Absolute. The database lives in its folder `postgres`. */
  dataDir: string
  log: Log
  /** PostgreSQL has ended by itself and is being started again; the pool finds it again on its own. */
  onCrash?: () => void
  /** It could not be brought back, or another server took the folder over: there is nothing left to serve from. */
  onLost?: (error: Error) => void
  /** PostgreSQL settings over ours, for tests. */
  settings?: Readonly<Record<string, string>>
  /** The users of whom root takes the first there is, for tests. */
  users?: string[]
  /** Where copies of the programs may be kept, for tests. */
  caches?: string[]
}

export type Embedded = {
  /** As the role that owns the application's database; it stays the same as long as this server lives. */
  connection: Connection
  url: string
  /** As superuser, for backups and tests. */
  superuser: Connection
  /** The process of PostgreSQL now. */
  pid: () => number
  /** Ends PostgreSQL in order. Call it last, when the pools have ended. */
  stop: () => Promise<void>
}

/** Waits between attempts to bring PostgreSQL back, in milliseconds; after the last one it is lost. */
const backoff = [50, 200, 500, 1000, 2000, 5000, 5000, 5000]
/** As many crashes in one minute are a fault that starting again does not heal. */
const crashesPerMinute = 10

/**
 * Starts the PostgreSQL below the data folder, making it when there is none, and keeps it running.
 *
 * @throws {DatabaseInUseError} when another server lives on the folder.
 * @throws {DatabaseStartError} otherwise, with PostgreSQL's own last lines below the first.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log, users, caches } = options
  const sync = options.settings?.fsync !== 'off'
  const place = await openPlace({ dataDir, log, sync, ...(users && { users }), ...(caches && { caches }) })
  const socketFolder = await makeSocketFolder(place.account)
  try {
    const session = await claim(place, socketFolder, options.settings ?? {}, log)
    try {
      await ensureAppDatabase(session.lock, place)
      await removeLeftovers(dataDir, log)
    } catch (error) {
      await shutDown(session.postgres)
      throw error
    }
    return supervise(place, socketFolder, session, options)
  } catch (error) {
    await rm(socketFolder, { recursive: true, force: true })
    throw error
  }
}

function supervise(place: Place, socketFolder: string, first: Session, options: EmbeddedOptions): Embedded {
  const { log, onCrash, onLost, settings = {} } = options
  const superuser = superuserConnection(socketFolder, place.passwords)
  const crashes: number[] = []
  let session = first
  let stopping: Promise<void> | undefined
  let recovery = Promise.resolve()

  watch(first)

  function watch(watched: Session): void {
    watched.lock.once('end', () => {
      if (!stopping) recovery = recover(watched)
    })
  }

  async function recover(lost: Session): Promise<void> {
    const crashed = await Promise.race([lost.postgres.ended, sleep(200)])
    if (!crashed && !stopping && (await lockAgain(lost))) return
    if (stopping) return
    log(
      'error',
      `PostgreSQL has ended unexpectedly: ${lost.postgres.lastLines().at(-1) ?? 'it left no word'}`,
    )
    await shutDown(lost.postgres)
    onCrash?.()
    await bringBack().catch((error: Error) => {
      log('error', `the database is lost: ${error.message}`)
      onLost?.(error)
    })
  }

  /** Somebody cut the connection while PostgreSQL went on, as an administrator's tool may. */
  async function lockAgain({ postgres }: Session): Promise<boolean> {
    const lock = await takeLock(superuser).catch(() => undefined)
    if (!lock) return false
    session = { postgres, lock }
    watch(session)
    return true
  }

  async function bringBack(): Promise<void> {
    countCrash()
    for (const [attempt, pause] of backoff.entries()) {
      await sleep(pause)
      if (stopping) return
      try {
        session = await claim(place, socketFolder, settings, log)
        watch(session)
        log('warn', 'PostgreSQL runs again')
        return
      } catch (error) {
        if (error instanceof DatabaseInUseError || attempt === backoff.length - 1) throw error
        log('error', (error as Error).message)
      }
    }
  }

  function countCrash(): void {
    const now = Date.now()
    crashes.push(now)
    while ((crashes[0] ?? now) < now - 60_000) crashes.shift()
    if (crashes.length >= crashesPerMinute) throw new Error('PostgreSQL ended too often within a minute')
  }

  async function stop(): Promise<void> {
    await recovery
    await shutDown(session.postgres)
    await rm(socketFolder, { recursive: true, force: true })
  }

  const connection = appConnection(socketFolder, place.passwords)
  return {
    connection,
    url: connectionUrl(connection),
    superuser,
    pid: () => session.postgres.pid,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
