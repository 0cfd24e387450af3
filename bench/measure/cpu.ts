import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf } from '#test/processes.ts'

/** In which Linux counts what has ended, and what a machine without `schedstat` knows of the rest. */
const TICK_MS = 10

/** Milliseconds of a core that a process has used. */
export function cpuOf(pid: number): number {
  return exactly(pid) ?? ticksOf(pid)?.own ?? 0
}

/** The same of a process with its children, those that have ended included: of PostgreSQL, of a photo decoder. */
export function cpuOfFamily(pid: number): number {
  const children = childrenOf(pid).reduce((sum, child) => sum + cpuOfFamily(child), 0)
  return children + cpuOf(pid) + (ticksOf(pid)?.endedChildren ?? 0)
}

/**
 * The same in hundredths of a second, with threads that have ended: libvips starts some for each photo, and what they
 * worked is not to be found any more by the finer clock.
 */
export function ticksOfFamily(pid: number): number {
  const { own = 0, endedChildren = 0 } = ticksOf(pid) ?? {}
  return childrenOf(pid).reduce((sum, child) => sum + ticksOfFamily(child), own + endedChildren)
}

/** To the nanosecond, of all threads that live. Those of Node and PostgreSQL live as long as the process. */
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
    // The name before may hold blanks.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = [11, 12, 13, 14].map((at) => fields[at])
    return { own: (user + system) * TICK_MS, endedChildren: (childUser + childSystem) * TICK_MS }
  } catch {
    return undefined
  }
}
