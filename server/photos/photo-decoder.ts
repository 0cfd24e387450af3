import type { DecodedPhoto } from './decode.ts'
import { ChildDied, DecoderChild } from './decoder-child.ts'
import { PhotoDecoderBusy, PhotoRefused } from './errors.ts'
import { sniffPhoto } from './sniff.ts'

export type PhotoDecoderOptions = {
  /** Photos decoded at once, each in a process of its own. */
  children?: number
  /** Photos that may wait; one more is refused with `PhotoDecoderBusy`. */
  waiting?: number
  /** Time for one photo once its turn has come. */
  timeLimitMs?: number
  /** After this time without a photo the processes are ended. */
  idleMs?: number
  /** The child's program. */
  worker?: URL
}

type Job = {
  bytes: Buffer
  /** HEIC and AVIF take two to four times the memory of the others; only one at a time is decoded. */
  heavy: boolean
  done: PromiseWithResolvers<DecodedPhoto>
}

/** Decodes photos in child processes, which are started when they are needed and ended when they are not. */
export class PhotoDecoder {
  #options: Required<PhotoDecoderOptions>
  #queue: Job[] = []
  #running = new Map<Job, DecoderChild>()
  #idle: DecoderChild[] = []
  #idleTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PhotoDecoderOptions = {}) {
    const worker = new URL('./decode-worker.ts', import.meta.url)
    this.#options = { children: 2, waiting: 32, timeLimitMs: 15_000, idleMs: 30_000, worker, ...options }
  }

  /**
   * The photo upright and without metadata, with a thumbnail, both JPEG. Throws `PhotoRefused` for what is no
   * photo, has too many pixels or cannot be read in time, `PhotoDecoderBusy` when too many are waiting. Call it
   * for the photos of one submission one after the other, so that a few submissions do not fill the queue.
   */
  async decode(bytes: Buffer): Promise<DecodedPhoto> {
    const format = sniffPhoto(bytes)
    if (!format) throw new PhotoRefused('not_an_image')
    if (this.#closed || this.#isFull()) throw new PhotoDecoderBusy()
    const job: Job = { bytes, heavy: format === 'heic' || format === 'avif', done: Promise.withResolvers() }
    this.#queue.push(job)
    this.#startNext()
    return job.done.promise
  }

  /** Ends the processes. Photos being decoded or waiting are refused as busy. */
  close(): void {
    this.#closed = true
    for (const job of this.#queue.splice(0)) job.done.reject(new PhotoDecoderBusy())
    for (const [job, child] of this.#running) {
      job.done.reject(new PhotoDecoderBusy())
      child.kill()
    }
    this.#endIdle()
  }

  #isFull(): boolean {
    const { children, waiting } = this.#options
    return this.#queue.length >= waiting && this.#running.size >= children
  }

  #startNext(): void {
    while (this.#running.size < this.#options.children) {
      const job = this.#takeNext()
      if (!job) return
      void this.#run(job)
    }
  }

  #takeNext(): Job | undefined {
    const heavyRuns = [...this.#running.keys()].some((job) => job.heavy)
    const at = this.#queue.findIndex((job) => !(job.heavy && heavyRuns))
    return at === -1 ? undefined : this.#queue.splice(at, 1)[0]
  }

  async #run(job: Job): Promise<void> {
    clearTimeout(this.#idleTimer)
    try {
      job.done.resolve(await this.#decodeTwice(job))
    } catch (error) {
      job.done.reject(error instanceof ChildDied ? new PhotoRefused('unreadable') : error)
    }
    this.#running.delete(job)
    this.#startNext()
    this.#waitForIdle()
  }

  // A child may be ended from outside, say because memory ran short. A photo that is itself the reason ends the
  // next one too.
  async #decodeTwice(job: Job): Promise<DecodedPhoto> {
    try {
      return await this.#decodeOnce(job)
    } catch (error) {
      if (!(error instanceof ChildDied) || this.#closed) throw error
      return this.#decodeOnce(job)
    }
  }

  async #decodeOnce(job: Job): Promise<DecodedPhoto> {
    const child = this.#takeChild()
    this.#running.set(job, child)
    try {
      return await child.decode(job.bytes, this.#options.timeLimitMs)
    } finally {
      if (child.usable) this.#idle.push(child)
    }
  }

  // A child may have died while it was idle.
  #takeChild(): DecoderChild {
    const child = this.#idle.pop()
    if (!child) return new DecoderChild(this.#options.worker)
    return child.usable ? child : this.#takeChild()
  }

  #waitForIdle(): void {
    if (this.#running.size > 0) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#endIdle(), this.#options.idleMs).unref()
  }

  #endIdle(): void {
    clearTimeout(this.#idleTimer)
    for (const child of this.#idle.splice(0)) child.kill()
  }
}
