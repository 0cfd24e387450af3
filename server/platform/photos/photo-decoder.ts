import { FairQueue } from '#server/platform/fair-queue.ts'
import { inSpan } from '#server/platform/trace.ts'
import type { DecodedPhoto } from './decode.ts'
import { DecoderDied, DecoderProcess } from './decoder-process.ts'
import { PhotoDecoderBusy, PhotoRefused } from './errors.ts'
import { sniffPhoto } from './sniff.ts'

const MB = 1024 ** 2

const DEFAULTS = {
  /** Photos decoded at once, each in its own process. */
  children: 2,
  /** Photos that may wait. Above that the owner with the most loses one. */
  waiting: 32,
  /** Processor time for one photo. */
  cpuLimitMs: 15_000,
  /** Wall-clock time for one photo once its turn has come. */
  timeLimitMs: 60_000,
  /** Processes end after this time without a photo. */
  idleMs: 30_000,
  /**
   * Memory of all processes. With the 170 MB of the server this is below 400 MB. An iPhone's HEIC of 24 megapixels needs 195 MB;
   * most photos of 12 megapixels need 110 MB, so that two fit.
   */
  memoryBytes: 225 * MB,
  /** The program of a process. */
  worker: new URL('./decode-worker.ts', import.meta.url),
}

export type PhotoDecoderOptions = Partial<typeof DEFAULTS>

const WATCH_MS = 10

interface Job {
  readonly bytes: Buffer
  readonly owner: string
  readonly signal: AbortSignal | undefined
  readonly done: PromiseWithResolvers<DecodedPhoto>
  /** Decode it while no other photo is decoded: HEIC, AVIF, and photos that exceeded the memory beside another. */
  alone: boolean
  /** Whether the process of an earlier attempt died. */
  retried: boolean
}

/** The photo exceeded the memory together with another one. */
class MemoryExceeded extends Error {}

/**
 * Decodes photos in child processes, which start on demand and end when idle. tinypool was considered: it has no fair queue,
 * and no bounds on native memory and processor time.
 */
export class PhotoDecoder {
  readonly #options: typeof DEFAULTS
  readonly #queue: FairQueue<Job>
  readonly #running = new Map<Job, DecoderProcess>()
  #idle: DecoderProcess[] = []
  #idleTimer: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PhotoDecoderOptions = {}) {
    this.#options = { ...DEFAULTS, ...options }
    this.#queue = new FairQueue(this.#options.waiting)
  }

  /**
   * Returns the photo upright and without metadata, with a thumbnail, both JPEG. The owner who has used the least time is next.
   * Decode at most two photos of a submission at once, so that a few submissions do not fill the queue.
   *
   * @param signal removes the photo from the queue
   * @throws {PhotoRefused} for files that are not images, exceed a limit, or cannot be read
   * @throws {PhotoDecoderBusy} when too many photos wait, the time is up, or the signal aborts
   */
  async decode(bytes: Buffer, owner = '', signal?: AbortSignal): Promise<DecodedPhoto> {
    const format = sniffPhoto(bytes)
    if (!format) throw new PhotoRefused('not_an_image')
    if (this.#closed || signal?.aborted) throw new PhotoDecoderBusy()
    const alone = format === 'heic' || format === 'avif'
    const job: Job = { bytes, owner, signal, done: Promise.withResolvers(), alone, retried: false }
    const abandon = () => this.#abandon(job)
    signal?.addEventListener('abort', abandon)
    this.#queue.push(owner, job)
    this.#startNext()
    this.#queue.removeExcess()?.done.reject(new PhotoDecoderBusy())
    // The listener would keep the bytes in memory.
    const step = { name: 'decode photo', attributes: { 'unspent.photo.format': format } }
    return inSpan(step, () => job.done.promise).finally(() => signal?.removeEventListener('abort', abandon))
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running.size, waiting: this.#queue.length }
  }

  /** Ends the processes. Rejects running and waiting photos with `PhotoDecoderBusy`. */
  close(): void {
    this.#closed = true
    for (const job of this.#queue.takeAll()) job.done.reject(new PhotoDecoderBusy())
    for (const child of this.#running.values()) child.kill(new PhotoDecoderBusy())
    this.#endIdle()
  }

  #abandon(job: Job): void {
    this.#queue.remove(job)
    job.done.reject(new PhotoDecoderBusy())
    // The next one may have waited behind a photo that must be decoded alone.
    this.#startNext()
  }

  #startNext(): void {
    while (this.#nextFits()) {
      const job = this.#queue.take()
      if (job) void this.#run(job)
    }
  }

  /** Photos never overtake, so that one that must be decoded alone gets its turn. */
  #nextFits(): boolean {
    const next = this.#queue.peek()
    if (!next || this.#running.size >= this.#options.children) return false
    return this.#running.size === 0 || ![next, ...this.#running.keys()].some(({ alone }) => alone)
  }

  async #run(job: Job): Promise<void> {
    const startedAt = performance.now()
    try {
      job.done.resolve(await this.#decode(job))
    } catch (error) {
      this.#retryOrReject(job, error)
    }
    this.#queue.charge(job.owner, performance.now() - startedAt)
    this.#startNext()
    this.#endIdleLater()
  }

  async #decode(job: Job): Promise<DecodedPhoto> {
    clearTimeout(this.#idleTimer)
    this.#idle = this.#idle.filter(({ isUsable }) => isUsable)
    const child = this.#idle.pop() ?? new DecoderProcess(this.#options.worker)
    this.#running.set(job, child)
    this.#watch ??= setInterval(() => this.#enforceLimits(), WATCH_MS)
    try {
      return await child.decode(job.bytes, this.#options.timeLimitMs)
    } finally {
      this.#running.delete(job)
      if (child.isUsable && !this.#closed) this.#idle.push(child)
    }
  }

  #retryOrReject(job: Job, error: unknown): void {
    // The process may have been ended from outside. A photo that is itself the cause ends the second one too.
    const mayRetry = error instanceof MemoryExceeded || (error instanceof DecoderDied && !job.retried)
    if (mayRetry && !this.#closed && !job.signal?.aborted) {
      if (error instanceof MemoryExceeded) job.alone = true
      else job.retried = true
      this.#queue.putBack(job.owner, job)
    } else job.done.reject(error instanceof DecoderDied ? new PhotoRefused('unreadable') : error)
  }

  #enforceLimits(): void {
    let bytes = 0
    for (const child of this.#running.values()) {
      const { cpuMs, residentBytes } = child.usage()
      bytes += residentBytes
      if (cpuMs > this.#options.cpuLimitMs) child.kill(new PhotoRefused('unreadable'))
    }
    for (const child of this.#idle) bytes += child.usage().residentBytes
    if (bytes <= this.#options.memoryBytes) return
    const running = [...this.#running.values()]
    if (this.#idle.length > 0) this.#endIdle()
    else running.at(-1)?.kill(running.length > 1 ? new MemoryExceeded() : new PhotoRefused('too_heavy'))
  }

  #endIdleLater(): void {
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
