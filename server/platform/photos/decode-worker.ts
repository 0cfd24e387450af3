import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { DecodedPhoto } from './decode.ts'
import { PhotoRefused, type RefusalReason } from './errors.ts'

// The program of the child process that decodes photos, one at a time. libvips and libheif read bytes that
// anybody may send; if they crash, hang or swell, this process goes down and the server does not.

/** What the child says: once how its start went, then one answer for each photo. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'broken'; why: string }
  | { kind: 'decoded'; photo: DecodedPhoto; rss: number }
  | { kind: 'refused'; reason: RefusalReason; rss: number }

/** Some 10 MB more than a child has before its first photo. */
const COLLECTED_ABOVE_BYTES = 90 * 1024 ** 2

process.on('disconnect', () => process.exit())
stepBack()
// Loaded here and not at the top, so that a missing library is told and not only died of.
import('./decode.ts').then(serve, (error) => say({ kind: 'broken', why: String(error) }))

function serve({ decodePhoto }: typeof import('./decode.ts')): void {
  process.on('message', async (bytes: Buffer) => {
    // V8 does not see how large the buffers of earlier photos are, and would let them pile up. Collecting takes a quarter of
    // the time of a small photo, so not before each.
    if (process.memoryUsage.rss() > COLLECTED_ABOVE_BYTES) globalThis.gc?.()
    try {
      const photo = await decodePhoto(bytes)
      say({ kind: 'decoded', photo, rss: process.memoryUsage.rss() })
    } catch (error) {
      const reason = error instanceof PhotoRefused ? error.reason : 'unreadable'
      say({ kind: 'refused', reason, rss: process.memoryUsage.rss() })
    }
  })
  say({ kind: 'ready' })
}

// Requests come first, and when memory runs out this process is the one to end. Neither is vital.
function stepBack(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {}
}

function say(message: WorkerMessage): void {
  process.send?.(message)
}
