import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { DecodedPhoto } from './decode.ts'
import type { WorkerMessage } from './decode-worker.ts'
import { PhotoDecoderBusy, PhotoDecoderDown, PhotoRefused } from './errors.ts'

const START_LIMIT_MS = 30_000
/** Ends a process that grows faster than the watch of `PhotoDecoder` polls. Node alone reserves 0.6 GiB of this. */
const MEMORY_LIMIT_BYTES = 1.25 * 1024 ** 3
/** A process that keeps more than this after a photo is replaced. WebAssembly memory never shrinks. */
const KEPT_LIMIT_BYTES = 110 * 1024 ** 2
/** The usual page size of Linux. Where pages are larger (some 64-bit ARM), memory is underestimated. */
const PAGE_BYTES = 4096
const PRLIMIT = '/usr/bin/prlimit'
/** The unit of /proc/PID/stat on every Linux (USER_HZ is 100). */
const TICK_MS = 10

/** The process ended while it was decoding: because of the photo, or ended from outside. */
export class DecoderDied extends Error {
  override name = 'DecoderDied'
}

/** A child process that decodes one photo at a time. After an accident it is unusable. */
export class DecoderProcess {
  readonly #process: ChildProcess
  readonly #ended = new AbortController()
  readonly #ready: Promise<void>
  /** Processor time that was used before the current photo; infinite until it is sent. */
  #cpuMsBefore = Number.POSITIVE_INFINITY

  constructor(worker: URL) {
    this.#process = startProcess(worker)
    this.#process.on('exit', () => this.kill()).on('error', () => this.kill())
    this.#ready = this.#awaitReady()
    // `decode` reports it.
    this.#ready.catch(() => this.kill())
  }

  get isUsable(): boolean {
    return !this.#ended.signal.aborted
  }

  /**
   * @throws {PhotoRefused}
   * @throws {DecoderDied}
   * @throws {PhotoDecoderDown} when the process does not start
   * @throws {PhotoDecoderBusy} when the time is up
   * @throws the reason given to `kill`
   */
  async decode(bytes: Buffer, timeLimitMs: number): Promise<DecodedPhoto> {
    await this.#ready
    this.#cpuMsBefore = this.#readUsage().cpuMs
    const timer = setTimeout(() => this.kill(new PhotoDecoderBusy()), timeLimitMs)
    try {
      this.#process.send(bytes, (error) => error && this.kill())
      const message = await this.#nextMessage()
      if (message.kind !== 'decoded' && message.kind !== 'refused') throw new Error('Unexpected message')
      if (message.rss > KEPT_LIMIT_BYTES) this.kill()
      if (message.kind === 'refused') throw new PhotoRefused(message.reason)
      return message.photo
    } finally {
      clearTimeout(timer)
    }
  }

  /** Processor time used for the current photo, and resident memory. 0 where there is no /proc. */
  usage(): { readonly cpuMs: number; readonly residentBytes: number } {
    const { cpuMs, residentBytes } = this.#readUsage()
    return { cpuMs: Math.max(0, cpuMs - this.#cpuMsBefore), residentBytes }
  }

  /** Ends the process. `decode` throws the reason of the first call. */
  kill(reason: Error = new DecoderDied('The photo decoder ended while it had a photo')): void {
    this.#ended.abort(reason)
    this.#process.kill('SIGKILL')
  }

  #readUsage() {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'latin1')
      // The fields of proc_pid_stat(5) from the third on; the second may contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]].map(Number)
      return { cpuMs: (user + system) * TICK_MS, residentBytes: pages * PAGE_BYTES }
    } catch {
      return { cpuMs: 0, residentBytes: 0 }
    }
  }

  async #awaitReady(): Promise<void> {
    const timer = setTimeout(() => this.kill(), START_LIMIT_MS)
    const message = await this.#nextMessage().catch(() => undefined)
    clearTimeout(timer)
    if (message?.kind === 'ready') return
    throw new PhotoDecoderDown(message?.kind === 'broken' ? message.why : 'it ended or did not answer')
  }

  async #nextMessage(): Promise<WorkerMessage> {
    const { signal } = this.#ended
    const [message] = await once(this.#process, 'message', { signal }).catch(() => {
      throw signal.reason
    })
    return message
  }
}

function startProcess(worker: URL): ChildProcess {
  // Without V8's threads the process takes 8 MB less; libvips and libuv keep theirs.
  const node = ['--max-old-space-size=96', '--max-semi-space-size=1', '--single-threaded', '--expose-gc']
  const limited = existsSync(PRLIMIT)
  return fork(worker, {
    // `--data` limits written memory. Limiting the address space would stop V8, which reserves far more than it uses.
    execPath: limited ? PRLIMIT : process.execPath,
    execArgv: limited ? [`--data=${MEMORY_LIMIT_BYTES}`, process.execPath, ...node] : node,
    // No settings or secrets. The MALLOC settings make glibc return freed memory, so that a process that decoded 12
    // megapixels stays small enough for the next photo.
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
