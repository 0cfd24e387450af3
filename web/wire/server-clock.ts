/** Milliseconds by which the server's clock is ahead of this computer's. */
let ahead = 0

/** Milliseconds. Smaller differences are ignored: HTTP dates are in whole seconds, and answers take time to arrive. */
const TOLERANCE = 2_000

/** Reads the server's time from an answer. Answers that may come from a cache are skipped. */
export function noteServerTime(headers: Headers): void {
  if (!headers.get('cache-control')?.includes('no-store')) return
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  const now = Date.now()
  ahead = Math.abs(date - now) > TOLERANCE ? date - now : 0
}

/** The server's current time. Compare its timestamps with this, not with this computer's clock. */
export function serverNow(): number {
  return Date.now() + ahead
}
