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

/** Memory of a process that is its own or shared, in MB: now, or at its highest. */
export function memoryOf(pid: number, at: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const line = new RegExp(`${at}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}

/** The same of a process with those children whose command has a word in it. What they share counts for each. */
export function memoryOfFamily(pid: number, word: string): number {
  const children = childrenOf(pid).filter((child) => commandOf(child).includes(word))
  return [pid, ...children].reduce((sum, member) => sum + memoryNow(member), 0)
}

function memoryNow(pid: number): number {
  try {
    return memoryOf(pid)
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
