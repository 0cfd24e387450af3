import { FairQueue } from '#server/platform/fair-queue.ts'
import type { DecodedPhoto } from './decode.ts'
import { ChildDied, ChildSwelled, DecoderChild } from './decoder-child.ts'
import { PhotoDecoderBusy, PhotoRefused } from './errors.ts'
import { sniffPhoto } from './sniff.ts'

export type PhotoDecoderOptions = {
  /** Photos decoded at once, each in a process of its own. */
  children?: number
  /** Photos that may wait. Beyond that the seller with the most of them has one refused with `PhotoDecoderBusy`. */
  waiting?: number
  /** Processor time for one photo. */
  cpuLimitMs?: number
  /** Time for one photo by the clock, once its turn has come. */
  timeLimitMs?: number
  /** After this time without a photo the processes are ended. */
  idleMs?: number
  /** What the children may take together. Beyond it the younger of two starts again by itself; a photo that needs
   * more by itself is refused. */
  memoryBytes?: number
  /** The child's program. */
  worker?: URL
}

const MB = 1024 ** 2
// With the 170 MB that the server takes this stays below 400 MB. A HEIC photo of 24 megapixels, as iPhones make it, needs
// 195 MB, most photos of 12 megapixels 110, so that two of those find room.
const MEMORY_BYTES = 225 * MB
/** How often the children are looked at while they work. */
const WATCH_MS = 10

type Job = {
  bytes: Buffer
  owner: string
  /** Is decoded while no other is: HEIC and AVIF, and what swelled before. */
  alone: boolean
  signal: AbortSignal | undefined
  done: PromiseWithResolvers<DecodedPhoto>
}

/** Decodes photos in child processes, which are started when they are needed and ended when they are not. */
export class PhotoDecoder {
  #options: Required<PhotoDecoderOptions>
  #queue: FairQueue<Job>
  #running = new Map<Job, DecoderChild>()
  #idle: DecoderChild[] = []
  #idleTimer: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PhotoDecoderOptions = {}) {
    const worker = new URL('./decode-worker.ts', import.meta.url)
    this.#options = {
      children: 2,
      waiting: 32,
      cpuLimitMs: 15_000,
      timeLimitMs: 60_000,
      idleMs: 30_000,
      worker,
      memoryBytes: MEMORY_BYTES,
      ...options,
    }
    this.#queue = new FairQueue(this.#options.waiting)
  }

  /**
   * The photo upright and without metadata, with a thumbnail, both JPEG. Throws `PhotoRefused` for what is no
   * photo, has too many pixels, needs too much memory or cannot be read with a reasonable effort, `PhotoDecoderBusy`
   * when too many are waiting or the machine is too busy to read it in time. The owner who has used the least time is
   * next. Call it for two photos of one submission at once and no more, so that a few submissions do not fill the queue.
   * @param signal removes the photo from the queue, which then throws `PhotoDecoderBusy`
   */
  async decode(bytes: Buffer, owner = '', signal?: AbortSignal): Promise<DecodedPhoto> {
    const format = sniffPhoto(bytes)
    if (!format) throw new PhotoRefused('not_an_image')
    if (this.#closed || signal?.aborted) throw new PhotoDecoderBusy()
    const alone = format === 'heic' || format === 'avif'
    const job: Job = { bytes, owner, alone, signal, done: Promise.withResolvers() }
    const abandon = () => this.#abandon(job)
    signal?.addEventListener('abort', abandon)
    this.#queue.push(owner, job)
    this.#startNext()
    this.#queue.removeExcess()?.done.reject(new PhotoDecoderBusy())
    // A listener that stays keeps the bytes in memory.
    return job.done.promise.finally(() => signal?.removeEventListener('abort', abandon))
  }

  /** How many photos are being decoded and how many wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running.size, waiting: this.#queue.length }
  }

  /** Ends the processes. Photos being decoded or waiting are refused as busy. */
  close(): void {
    this.#closed = true
    for (const job of this.#queue.takeAll()) job.done.reject(new PhotoDecoderBusy())
    for (const [job, child] of this.#running) {
      job.done.reject(new PhotoDecoderBusy())
      child.kill()
    }
    this.#endIdle()
  }

  #abandon(job: Job): void {
    this.#queue.remove(job.owner, job)
    job.done.reject(new PhotoDecoderBusy())
    // The next one may have waited for this one to be alone.
    this.#startNext()
  }

  #startNext(): void {
    while (this.#running.size < this.#options.children) {
      const job = this.#takeNext()
      if (!job) return
      void this.#run(job)
    }
  }

  // In their order, so that one who needs the place for itself is not overtaken for ever.
  #takeNext(): Job | undefined {
    const next = this.#queue.peek()
    const running = [...this.#running.keys()]
    const fits = running.length === 0 || !(next?.alone || running.some((job) => job.alone))
    if (!fits) return undefined
    return this.#queue.take()
  }

  async #run(job: Job): Promise<void> {
    clearTimeout(this.#idleTimer)
    const begun = performance.now()
    try {
      job.done.resolve(await this.#decodeTwice(job))
    } catch (error) {
      if (error instanceof ChildSwelled && !this.#closed && !job.signal?.aborted) {
        job.alone = true
        this.#queue.putBack(job.owner, job)
      } else job.done.reject(error instanceof ChildDied ? new PhotoRefused('unreadable') : error)
    }
    this.#running.delete(job)
    this.#queue.charge(job.owner, performance.now() - begun)
    this.#startNext()
    this.#waitForIdle()
  }

  #watchMemory(): void {
    const running = [...this.#running.values()]
    const taken = [...running, ...this.#idle].reduce((sum, child) => sum + child.residentBytes(), 0)
    if (taken <= this.#options.memoryBytes) return
    if (this.#idle.length > 0) this.#endIdle()
    else running.at(-1)?.end(running.length > 1 ? new ChildSwelled() : new PhotoRefused('too_heavy'))
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
    this.#watch ??= setInterval(() => this.#watchMemory(), WATCH_MS)
    try {
      return await child.decode(job.bytes, this.#options)
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
    clearInterval(this.#watch)
    this.#watch = undefined
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#endIdle(), this.#options.idleMs).unref()
  }

  #endIdle(): void {
    clearTimeout(this.#idleTimer)
    for (const child of this.#idle.splice(0)) child.kill()
  }
}
