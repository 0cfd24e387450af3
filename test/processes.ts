import { readdirSync, readFileSync } from 'node:fs'

/** What Linux knows of processes. Of one that has ended meanwhile, nothing. */

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return searchedChildrenOf(pid)
  }
}

/** Where Linux was built without that list. */
function searchedChildrenOf(pid: number): number[] {
  const child = new RegExp(`\\) \\w ${pid} `)
  return readdirSync('/proc')
    .map(Number)
    .filter((other) => other > 0 && child.test(read(`/proc/${other}/stat`)))
}

/** With its arguments. */
export const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`)

/** Memory of a process that is its own or shared, in MB: now, or at its highest. */
export function memoryOf(pid: number, at: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const line = new RegExp(`${at}:\\s+(\\d+) kB`).exec(read(`/proc/${pid}/status`))
  return Number(line?.[1] ?? 0) / 1024
}

/**
 * Megabytes of the machine's memory that a process has: what several share, like the program of Node, is shared out among
 * them (`Pss`).
 */
export function memoryShareOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
