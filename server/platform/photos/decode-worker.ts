import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { DecodedPhoto } from './decode.ts'
import { PhotoRefused, type RefusalReason } from './errors.ts'

// The program of the child processes that decode photos. libvips and libheif read untrusted bytes: if they crash, hang or
// take too much memory, this process ends and the server keeps running.

/** One of the first two after the start, then one of the last two per photo. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'broken'; why: string }
  | { kind: 'decoded'; photo: DecodedPhoto; rss: number }
  | { kind: 'refused'; reason: RefusalReason; rss: number }

/** About 10 MB more than the process has before its first photo. */
const COLLECT_ABOVE_BYTES = 90 * 1024 ** 2
/** A full collection takes a quarter of the time of a small photo. Young buffers are almost all there are. */
const COLLECT_ALL_ABOVE_BYTES = 125 * 1024 ** 2

process.on('disconnect', () => process.exit())
lowerPriority()
// A dynamic import, so that a missing library is reported.
import('./decode.ts').then(serve, (error) => send({ kind: 'broken', why: String(error) }))

function serve({ decodePhoto }: typeof import('./decode.ts')): void {
  process.on('message', async (bytes: Buffer) => {
    // V8 does not know how large buffers are: the buffers of earlier photos would pile up.
    const memory = process.memoryUsage.rss()
    if (memory > COLLECT_ABOVE_BYTES)
      globalThis.gc?.({ type: memory > COLLECT_ALL_ABOVE_BYTES ? 'major' : 'minor' })
    try {
      const photo = await decodePhoto(bytes)
      send({ kind: 'decoded', photo, rss: process.memoryUsage.rss() })
    } catch (error) {
      const reason = error instanceof PhotoRefused ? error.reason : 'unreadable'
      send({ kind: 'refused', reason, rss: process.memoryUsage.rss() })
    }
  })
  send({ kind: 'ready' })
}

/** Requests come first, and when memory runs out the kernel ends this process before the server. Best effort. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {}
}

function send(message: WorkerMessage): void {
  process.send?.(message)
}
