import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf } from '#test/processes.ts'

/** Linux counts the CPU time of ended processes in ticks. Without `schedstat`, so for all processes. */
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

/** Like `cpuOfFamily`, to 10 ms, but with ended threads, which `schedstat` omits: libvips starts some for each photo. */
export function ticksOfFamily(pid: number): number {
  const { own = 0, endedChildren = 0 } = ticksOf(pid) ?? {}
  return childrenOf(pid).reduce((sum, child) => sum + ticksOfFamily(child), own + endedChildren)
}

/** To the nanosecond, but only for running threads. Those of Node and PostgreSQL run as long as their process. */
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
    // Skips the process name, which may contain spaces.
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
