import { setTimeout } from 'node:timers/promises'
import { childrenOf, commandOf, memoryOf } from '#test/processes.ts'
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
    const inChildren = children.reduce((sum, pid) => sum + memoryOf(pid), 0)
    this.#childPeak = Math.max(this.#childPeak, inChildren)
    this.#peak = Math.max(this.#peak, inChildren + memoryOf(this.#pid))
  }
}

/** Megabytes that a server which was started with `settle.ts` keeps once all garbage is collected. */
export async function keptMb(server: ServerProcess): Promise<number> {
  const from = server.output.length
  server.kill('SIGUSR2')
  for (;;) {
    if (/^settled \{.*\}$/m.test(server.output.slice(from))) return memoryOf(server.pid)
    await setTimeout(20)
  }
}
