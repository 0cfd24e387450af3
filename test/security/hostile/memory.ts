import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { ServerProcess } from '#test/server-process.ts'

const WATCH_MS = 10

/** Megabytes in memory of a process and of its children that are decoders, the most at any one time. */
export class PeakMemory {
  readonly #pid: number
  readonly #timer: NodeJS.Timeout
  #peak = 0
  #childPeak = 0

  constructor(pid: number) {
    this.#pid = pid
    this.#timer = setInterval(() => this.#look(), WATCH_MS)
  }

  get peakMb(): number {
    return Math.round(this.#peak)
  }

  /** Of the decoders alone. */
  get childPeakMb(): number {
    return Math.round(this.#childPeak)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const children = childrenOf(this.#pid).filter((pid) => commandOf(pid).includes('decode-worker'))
    const inChildren = children.reduce((sum, pid) => sum + residentMb(pid), 0)
    this.#childPeak = Math.max(this.#childPeak, inChildren)
    this.#peak = Math.max(this.#peak, inChildren + residentMb(this.#pid))
  }
}

export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function childrenOf(pid: number): number[] {
  const tasks = read(`/proc/${pid}/task/${pid}/children`).trim()
  if (tasks) return tasks.split(' ').map(Number)
  return readdirSync('/proc')
    .map(Number)
    .filter((other) => other > 0 && new RegExp(`\\) \\w ${pid} `).test(read(`/proc/${other}/stat`)))
}

const commandOf = (pid: number) => read(`/proc/${pid}/cmdline`)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Megabytes that a server which was started with `settle.ts` keeps once all garbage is collected. */
export async function keptMb(server: ServerProcess): Promise<number> {
  const from = server.output.length
  server.kill('SIGUSR2')
  for (;;) {
    if (/^settled \{.*\}$/m.test(server.output.slice(from))) return residentMb(server.pid)
    await setTimeout(20)
  }
}
