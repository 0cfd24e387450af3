import { childrenOf, commandOf, memoryShareOf } from './processes.ts'

/** Looking costs time as well. */
const WATCH_MS = 20

/** Megabytes of the machine's memory that a server and its photo decoders have, the most at any one time. */
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
    const inChildren = children.reduce((sum, pid) => sum + memoryShareOf(pid), 0)
    this.#childPeak = Math.max(this.#childPeak, inChildren)
    this.#peak = Math.max(this.#peak, inChildren + memoryShareOf(this.#pid))
  }
}
