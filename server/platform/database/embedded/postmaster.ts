import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What `postmaster.pid` of a cluster says, and whether it is still true. */
export type Postmaster = {
  pid: number
  /** Undefined while PostgreSQL starts. */
  socketFolder: string | undefined
  isReady: boolean
  /** Whether the process lives and is the PostgreSQL of this cluster: process ids are reused. */
  alive: boolean
}

/** Returns undefined if there is no `postmaster.pid`: PostgreSQL was stopped cleanly, or never started. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  if (!pid) return undefined
  return {
    pid,
    socketFolder: lines[4] || undefined,
    isReady: lines[7] === 'ready',
    alive: await runsOn(cluster, pid),
  }
}

/** Whether the process is a living PostgreSQL on this cluster. A zombie has no working folder, so it counts as dead. */
export async function runsOn(cluster: string, pid: number): Promise<boolean> {
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
      return stdout.includes(cluster)
    }
    const [command, folder, its] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      stat(cluster),
      stat(`/proc/${pid}/cwd`),
    ])
    return command.includes('postgres') && folder.dev === its.dev && folder.ino === its.ino
  } catch {
    return false
  }
}
