import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf } from '#test/processes.ts'

/** Linux counts ended processes in ticks, and on a machine without `schedstat` all processes. */
const TICK_MS = 10

/** CPU milliseconds of a process. */
export function cpuOf(pid: number): number {
  return exactly(pid) ?? ticksOf(pid)?.own ?? 0
}

/** CPU milliseconds of a process and its children, including ended ones. */
export function cpuOfFamily(pid: number): number {
  const children = childrenOf(pid).reduce((sum, child) => sum + cpuOfFamily(child), 0)
  return children + cpuOf(pid) + (ticksOf(pid)?.endedChildren ?? 0)
}

/** The same to 10 ms, including ended threads, which the finer clock omits: libvips starts some for each photo. */
export function ticksOfFamily(pid: number): number {
  const { own = 0, endedChildren = 0 } = ticksOf(pid) ?? {}
  return childrenOf(pid).reduce((sum, child) => sum + ticksOfFamily(child), own + endedChildren)
}

/** To the nanosecond, for threads that still run. Those of Node and PostgreSQL run as long as the process. */
function exactly(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
    return times.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1e6, 0)
  } catch {
    return undefined
  }
}

function ticksOf(pid: number): { own: number; endedChildren: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = [11, 12, 13, 14].map(
      (index) => fields[index],
    )
    return { own: (user + system) * TICK_MS, endedChildren: (childUser + childSystem) * TICK_MS }
  } catch {
    return undefined
  }
}
