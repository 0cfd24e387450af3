/** A lock between processes: a file with the process id of its holder. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const RENEW_MS = 1_000
/** A lock that was not renewed for this long is stale, even if a process with its id exists: ids are reused. */
const STALE_MS = 30_000

/** Lets one process at a time do the work. One that was killed does not block the others. */
export async function withLock(lock, onWait, work) {
  mkdirSync(dirname(lock), { recursive: true })
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) onWait()
    await sleep(200)
  }
  // A process that was suspended for too long has lost the lock to another one.
  const isMine = () => holderOf(lock) === process.pid
  const release = () => isMine() && rmSync(lock, { force: true })
  const renew = () => isMine() && utimes(lock, new Date(), new Date(), () => undefined)
  const renewing = setInterval(renew, RENEW_MS).unref()
  process.on('exit', release)
  try {
    await work()
  } finally {
    clearInterval(renewing)
    release()
    process.off('exit', release)
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  removeStale(lock)
  return false
}

/** Moves it aside first: if two find the same stale lock, only one may remove it. Either file may vanish at any time. */
function removeStale(lock) {
  const aside = `${lock}-${process.pid}`
  const holder = holderOf(lock)
  try {
    if (!holder || (isProcess(holder) && Date.now() - statSync(lock).mtimeMs < STALE_MS)) return
    renameSync(lock, aside)
    if (holderOf(aside) !== holder) renameSync(aside, lock)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  rmSync(aside, { force: true })
}

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return undefined
  }
}

function isProcess(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
