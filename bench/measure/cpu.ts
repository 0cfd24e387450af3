import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const TICK_MS = 10

interface ProcessStat {
  readonly ms: number
  /** Of children that have ended. */
  readonly endedChildrenMs: number
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before may hold blanks.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = [11, 12, 13, 14].map((at) => fields[at])
    return { ms: (user + system) * TICK_MS, endedChildrenMs: (childUser + childSystem) * TICK_MS }
  } catch {
    return undefined
  }
}

/** Milliseconds of a core that a process has used. */
export function cpuOf(pid: number): number {
  return statOf(pid)?.ms ?? 0
}

/** The same of a process with its children, those that have ended included: of PostgreSQL, of a photo decoder. */
export function cpuOfFamily(pid: number): number {
  const children = childrenOf(pid).reduce((sum, child) => sum + cpuOfFamily(child), 0)
  const own = statOf(pid)
  return children + (own?.ms ?? 0) + (own?.endedChildrenMs ?? 0)
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Memory of a process that is its own or shared, in MB. */
export function memoryOf(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) / 1024
}
