/** A lock among processes: a file with the number of who holds it. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Lets one process at a time do the work; one that was killed at it does not block the others. */
export async function withLock(lock, onWait, work) {
  mkdirSync(dirname(lock), { recursive: true })
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) onWait()
    await sleep(200)
  }
  const release = () => rmSync(lock, { force: true })
  process.on('exit', release)
  try {
    await work()
  } finally {
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
  if (holder > 0 && !lives(holder)) removeStale(lock, holder)
  return false
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
