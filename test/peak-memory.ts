import { childrenOf, commandOf, memoryShareOf } from './processes.ts'

const INTERVAL_MS = 20

/** Measures the peak memory of a server and its photo decoders, in MB. */
export class PeakMemory {
  readonly #pid: number
  readonly #timer: NodeJS.Timeout
  #peak = 0
  #childPeak = 0

  constructor(pid: number) {
    this.#pid = pid
    this.#timer = setInterval(() => this.#measure(), INTERVAL_MS)
  }

  get peakMb(): number {
    return Math.round(this.#peak)
  }

  /** The peak of the decoders alone. */
  get childPeakMb(): number {
    return Math.round(this.#childPeak)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #measure(): void {
    const children = childrenOf(this.#pid).filter((pid) => commandOf(pid).includes('decode-worker'))
    const inChildren = children.reduce((sum, pid) => sum + memoryShareOf(pid), 0)
    this.#childPeak = Math.max(this.#childPeak, inChildren)
    this.#peak = Math.max(this.#peak, inChildren + memoryShareOf(this.#pid))
  }
}
