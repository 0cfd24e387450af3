import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { DecodedPhoto } from './decode.ts'
import type { WorkerMessage } from './decode-worker.ts'
import { PhotoDecoderBusy, PhotoDecoderDown, PhotoRefused } from './errors.ts'

const START_LIMIT_MS = 30_000
/** Ends what grows faster than the watch looks. Node alone reserves 0.6 GiB of this and uses a tenth. */
const MEMORY_LIMIT_BYTES = 1.25 * 1024 ** 3
/** Above this a child keeps too much after its photo and is replaced. WebAssembly memory never shrinks. */
const KEPT_LIMIT_BYTES = 110 * 1024 ** 2
/** Of every Linux that Node runs on, but for some of 64-bit ARM, where this makes the watch see a part only. */
const PAGE_BYTES = 4096
const PRLIMIT = '/usr/bin/prlimit'
/** In which every Linux counts processor time for programs. */
const TICK_MS = 10

export interface DecoderLimits {
  /** Processor time for one photo: what needs more is refused. */
  readonly cpuLimitMs: number
  /** By the clock. Whoever has not had the processor time by then could not get it: the machine is busy. */
  readonly timeLimitMs: number
}

/** The process ended while it had a photo: of the photo, or because something else ended it. */
export class ChildDied extends Error {
  override name = 'ChildDied'
}

/** It was ended because together with the others it took too much memory. */
export class ChildSwelled extends Error {
  override name = 'ChildSwelled'
}

/** One child process. It decodes one photo at a time and is of no use any more after an accident. */
export class DecoderChild {
  #process: ChildProcess
  #ready: Promise<void>
  #usable = true
  #cause: Error | undefined

  constructor(worker: URL) {
    this.#process = startProcess(worker)
    this.#process.on('exit', () => this.kill())
    this.#process.on('error', () => this.kill())
    this.#ready = this.#awaitReady()
    // Whoever decodes first is told; without a photo nobody needs to be.
    this.#ready.catch(() => this.kill())
  }

  /** Whether another photo may be given to it. */
  get usable(): boolean {
    return this.#usable
  }

  /**
   * Throws `PhotoRefused`, also when it takes more than `cpuLimitMs`; `ChildDied`; and what is no fault of the photo:
   * `PhotoDecoderBusy` when the time is up, `PhotoDecoderDown` when the child does not start.
   */
  async decode(bytes: Buffer, { cpuLimitMs, timeLimitMs }: DecoderLimits): Promise<DecodedPhoto> {
    await this.#ready
    const watch = this.#endAfter(cpuLimitMs)
    const answer = this.#nextMessage(timeLimitMs)
    this.#process.send(bytes, (error) => error && this.kill())
    const message = await answer.finally(() => clearInterval(watch))
    if (message === undefined) throw this.#accident()
    if (message.kind !== 'decoded' && message.kind !== 'refused') throw new Error('Not an answer')
    if (message.rss > KEPT_LIMIT_BYTES) this.kill()
    if (message.kind === 'refused') throw new PhotoRefused(message.reason)
    return message.photo
  }

  /** What the process has of the machine's memory; 0 where the system does not tell. */
  residentBytes(): number {
    try {
      const [, pages] = readFileSync(`/proc/${this.#process.pid}/statm`, 'latin1').split(' ')
      return Number(pages) * PAGE_BYTES
    } catch {
      return 0
    }
  }

  /** Ends the process for a reason, which is what its photo is refused with. */
  end(cause: Error): void {
    this.#cause ??= cause
    this.kill()
  }

  /** Ends the process at once, whatever it is doing. */
  kill(): void {
    this.#usable = false
    this.#process.kill('SIGKILL')
  }

  #accident(): Error {
    if (this.#cause) return this.#cause
    if (!this.#usable) return new ChildDied('The photo decoder ended while it had a photo')
    this.kill()
    return new PhotoDecoderBusy()
  }

  #endAfter(cpuLimitMs: number): NodeJS.Timeout {
    const before = this.#cpuMs()
    const look = () => {
      if (this.#cpuMs() - before > cpuLimitMs) this.end(new PhotoRefused('unreadable'))
    }
    return setInterval(look, Math.max(TICK_MS, Math.min(cpuLimitMs / 20, 500)))
  }

  /** Processor time of all its threads; 0 where the system does not tell. */
  #cpuMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'latin1')
      // The name in brackets may hold anything.
      const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
      return (Number(user) + Number(system)) * TICK_MS
    } catch {
      return 0
    }
  }

  async #awaitReady(): Promise<void> {
    const message = await this.#nextMessage(START_LIMIT_MS)
    if (message?.kind === 'ready') return
    const why = message?.kind === 'broken' ? message.why : 'it ended or did not answer'
    throw new PhotoDecoderDown(why)
  }

  // `undefined` when the process ended or the time was up.
  async #nextMessage(limitMs: number): Promise<WorkerMessage | undefined> {
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), limitMs)
    const ended = () => over.abort()
    this.#process.once('exit', ended).once('error', ended)
    if (!this.#usable) ended()
    try {
      const [message] = await once(this.#process, 'message', { signal: over.signal })
      return message
    } catch {
      return undefined
    } finally {
      clearTimeout(timer)
      this.#process.off('exit', ended).off('error', ended)
    }
  }
}

function startProcess(worker: URL): ChildProcess {
  // Without V8's own threads a child takes 8 MB less; what libvips and libuv do goes on beside.
  const node = ['--max-old-space-size=96', '--max-semi-space-size=1', '--single-threaded', '--expose-gc']
  const limited = existsSync(PRLIMIT)
  return fork(worker, {
    // prlimit sets the bound and then becomes the process it starts. `--data` counts what is really written
    // to: an address space bound would stop V8, which reserves far more than it uses.
    execPath: limited ? PRLIMIT : process.execPath,
    execArgv: limited ? [`--data=${MEMORY_LIMIT_BYTES}`, process.execPath, ...node] : node,
    // The child has no use for settings and secrets. Few arenas, and what is large mapped by itself, keep glibc from
    // hoarding freed memory: a child that has had a photo of 12 megapixels stays small enough for the next.
    env: {
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
      MALLOC_TRIM_THRESHOLD_: '131072',
      UV_THREADPOOL_SIZE: '2',
    },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}
