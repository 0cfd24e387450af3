/** How far the server's clock is ahead of this computer's, in milliseconds, as the last answers told. */
let ahead = 0

/** HTTP tells whole seconds, and an answer takes its time: a smaller difference is none. */
const TOLERANCE = 2_000

/** Learns from an answer what time it is at the server. One that a cache may give tells when it was made. */
export function noteServerTime(headers: Headers, now = Date.now()): void {
  if (!headers.get('cache-control')?.includes('no-store')) return
  const told = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(told)) return
  ahead = Math.abs(told - now) > TOLERANCE ? told - now : 0
}

/** The time of day at the server: what its times are compared with, wherever this computer's clock stands. */
export function serverNow(): number {
  return Date.now() + ahead
}
