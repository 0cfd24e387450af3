import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseInUseError, DatabaseStartError } from '../start-error.ts'
import { type Place, removeSocketFolder } from './folder.ts'
import { findPostmaster, type Postmaster, runsOn } from './postmaster.ts'
import type { Log } from './process.ts'
import { superuserConnection } from './roles.ts'
import { lockWhenReady, type Session, type Settings, shutDown, startPostgres, takeLock } from './session.ts'

/** How long another start or stop on the same folder is waited for. Milliseconds. */
const patience = 30_000

/**
 * Starts PostgreSQL on the folder and takes the lock of the one server. What a killed server has left running is
 * ended first. Two that try at once end with one winner, since both PostgreSQL's pid file and the lock have one.
 *
 * @throws {DatabaseInUseError} when another server lives on the folder.
 */
export async function claim(
  place: Place,
  socketFolder: string,
  settings: Settings,
  log: Log,
): Promise<Session> {
  const limit = Date.now() + patience
  for (;;) {
    const before = await findPostmaster(place.cluster)
    if (before?.alive) await endOrphan(place, before, limit, log)

    const postgres = startPostgres(place, socketFolder, settings, before?.alive ? 0 : (before?.pid ?? 0), log)
    const lock = await lockWhenReady(postgres, superuserConnection(socketFolder, place.passwords)).catch(
      async (error) => {
        await shutDown(postgres)
        throw error
      },
    )
    if (typeof lock === 'object') {
      if (before?.socketFolder && before.socketFolder !== socketFolder)
        await removeSocketFolder(before.socketFolder)
      return { postgres, lock }
    }
    await shutDown(postgres)
    await postgres.ended
    if (lock === 'taken') throw inUse(place)
    if (!mayPass(postgres.lastLines()) || Date.now() > limit)
      throw new DatabaseStartError(
        ['PostgreSQL did not start', ...postgres.lastLines().slice(-10)].join('\n'),
      )
    await sleep(100)
  }
}

/** Another one came first, or the backends of a killed PostgreSQL have not noticed yet: both are over soon. */
function mayPass(lines: readonly string[]): boolean {
  return lines.some((line) => /lock file ".*" already exists|shared memory block/.test(line))
}

/** Returns once no PostgreSQL is left on the folder. */
async function endOrphan(place: Place, found: Postmaster, limit: number, log: Log): Promise<void> {
  for (let seen: Postmaster | undefined = found; seen?.alive; seen = await findPostmaster(place.cluster)) {
    if (seen.supervised && seen.status === 'ready') throw inUse(place)
    if (seen.supervised === false || seen.status === 'ready') {
      if (await isLocked(place, seen)) throw inUse(place)
      if (!seen.supervised) return stopOrphan(place, seen, log)
    }
    if (Date.now() > limit) throw inUse(place)
    await sleep(50)
  }
}

/** A PostgreSQL that does not answer holds nobody's lock: its socket went with the server's private /tmp. */
async function isLocked(place: Place, { socketFolder }: Postmaster): Promise<boolean> {
  if (!socketFolder) return false
  try {
    const lock = await takeLock(superuserConnection(socketFolder, place.passwords))
    await lock?.end()
    return lock === undefined
  } catch {
    return false
  }
}

async function stopOrphan(place: Place, { pid, socketFolder }: Postmaster, log: Log): Promise<void> {
  log('warn', `ending the PostgreSQL ${pid} that a killed server has left running`)
  for (const [signal, wait] of [
    ['SIGINT', patience],
    ['SIGQUIT', 10_000],
  ] as const) {
    if (await ended(place, pid, signal, wait)) {
      if (socketFolder) await removeSocketFolder(socketFolder)
      return
    }
  }
  throw new DatabaseStartError(`the PostgreSQL ${pid}, left running on ${place.cluster}, does not end`)
}

async function ended(place: Place, pid: number, signal: NodeJS.Signals, wait: number): Promise<boolean> {
  const limit = Date.now() + wait
  if (await runsOn(place.cluster, pid)) process.kill(pid, signal)
  while (Date.now() < limit) {
    if (!(await runsOn(place.cluster, pid))) return true
    await sleep(20)
  }
  return false
}

function inUse(place: Place): DatabaseInUseError {
  return new DatabaseInUseError(`another Unspent server is already using DATA_DIR ${place.dataDir}`)
}
