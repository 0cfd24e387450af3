/** A lock among processes: a file with the number of who holds it. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whoever holds a lock renews it so often, */
const RENEWED = 1_000
/** and one that was not for so long belongs to nobody: its number may be that of another process by now. */
const FORGOTTEN = 30_000

/** Lets one process at a time do the work; one that was killed at it does not block the others. */
export async function withLock(lock, onWait, work) {
  mkdirSync(dirname(lock), { recursive: true })
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) onWait()
    await sleep(200)
  }
  const release = () => isMine(lock) && rmSync(lock, { force: true })
  const renewing = setInterval(() => renew(lock), RENEWED).unref()
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
  const holder = holderOf(lock)
  if (holder > 0 && (!lives(holder) || isForgotten(lock))) removeStale(lock, holder)
  return false
}

/** Whoever stood still for too long, as a stopped process does, has lost it to somebody else. */
const isMine = (lock) => holderOf(lock) === process.pid

function renew(lock) {
  if (!isMine(lock)) return
  const now = new Date()
  try {
    utimesSync(lock, now, now)
  } catch {
    // Somebody has removed it meanwhile.
  }
}

function isForgotten(lock) {
  try {
    return Date.now() - statSync(lock).mtimeMs > FORGOTTEN
  } catch {
    // It was given back meanwhile.
    return false
  }
}

/** Moved away first: two may find the same lock stale, and only one of them may remove it. */
function removeStale(lock, holder) {
  const aside = `${lock}-${process.pid}`
  try {
    renameSync(lock, aside)
    if (holderOf(aside) !== holder) renameSync(aside, lock)
  } catch {
    // The other one was faster.
  }
  rmSync(aside, { force: true })
}

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    // It was given back meanwhile.
    return 0
  }
}

function lives(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
