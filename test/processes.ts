import { readdirSync, readFileSync } from 'node:fs'

/** What Linux reports about processes. A process that has ended is reported as empty. */

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return searchedChildrenOf(pid)
  }
}

/** For Linux kernels built without the list of children. */
function searchedChildrenOf(pid: number): number[] {
  const child = new RegExp(`\\) \\w ${pid} `)
  return readdirSync('/proc')
    .map(Number)
    .filter((other) => other > 0 && child.test(read(`/proc/${other}/stat`)))
}

/** The command with its arguments. */
export const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`)

/** Memory of a process, including what it shares, in MB: now, or the peak. */
export function memoryOf(pid: number, kind: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const line = new RegExp(`${kind}:\\s+(\\d+) kB`).exec(read(`/proc/${pid}/status`))
  return Number(line?.[1] ?? 0) / 1024
}

/**
 * Memory of a process in MB. What several processes share, like Node's program, is divided among them (`Pss`).
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
