import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What `postmaster.pid` of a cluster says, and whether it still holds. */
export type Postmaster = {
  pid: number
  /** Undefined while PostgreSQL is still on its way up. */
  socketFolder: string | undefined
  status: 'starting' | 'ready' | 'stopping'
  /** The process lives and really is the PostgreSQL of this cluster: process ids are used again. */
  alive: boolean
  /** Whether the server that started it still lives; undefined when that cannot be told. */
  supervised: boolean | undefined
}

const run = promisify(execFile)

/** The argument by which a PostgreSQL says which process started it. */
export function supervisorTag(pid: number): string {
  return `cluster_name=unspent-${pid}`
}

/** @returns undefined when there is no `postmaster.pid`: cleanly stopped, or never started. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  const alive = pid > 0 && (await runsOn(cluster, pid))
  return {
    pid,
    socketFolder: lines[4] || undefined,
    status: lines[7] === 'ready' ? 'ready' : lines[7] === 'stopping' ? 'stopping' : 'starting',
    alive,
    supervised: alive ? await isSupervised(pid) : false,
  }
}

/** Whether the process is a living PostgreSQL whose working folder is this cluster. */
export async function runsOn(cluster: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return (await describe(pid)).command.includes(cluster)
  const process_ = await describe(pid)
  if (process_.dead || !process_.command.includes('postgres')) return false
  const [here, there] = await Promise.all([stat(cluster), stat(`/proc/${pid}/cwd`).catch(() => undefined)])
  return there !== undefined && here.dev === there.dev && here.ino === there.ino
}

/** An orphan is given a new parent, so the parent it names is its parent only while that one lives. */
async function isSupervised(pid: number): Promise<boolean | undefined> {
  const { parent, command, dead } = await describe(pid)
  if (dead) return false
  const supervisor = /cluster_name=unspent-(\d+)/.exec(command)?.[1]
  return supervisor === undefined ? undefined : Number(supervisor) === parent
}

type Description = { dead: boolean; parent: number; command: string }
const gone: Description = { dead: true, parent: 0, command: '' }

async function describe(pid: number): Promise<Description> {
  return (process.platform === 'linux' ? fromProc(pid) : fromPs(pid)).catch(() => gone)
}

async function fromProc(pid: number): Promise<Description> {
  const [status, command] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  ])
  // The second field is the program's name in brackets and may hold anything, so count from its end.
  const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ')
  // A zombie answers signals though it is dead: a container's first process may never collect it.
  return {
    dead: state === 'Z' || state === 'X',
    parent: Number(parent),
    command: command.replaceAll('\0', ' '),
  }
}

async function fromPs(pid: number): Promise<Description> {
  const { stdout } = await run('ps', ['-ww', '-o', 'stat=,ppid=,command=', '-p', String(pid)])
  const [, state = 'Z', parent, command = ''] = /^\s*(\S+)\s+(\d+)\s+(.*)$/m.exec(stdout) ?? []
  return { dead: state.startsWith('Z'), parent: Number(parent), command }
}
