/** Days and times on the clocks of the shop. Days are text like "2026-03-05"; a time zone has an IANA name. */

/** American banks use it. Emails are always in it. */
export const DEFAULT_TIME_ZONE = 'America/New_York'

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    // Intl also takes offsets like +01:00, which PostgreSQL reads with the opposite sign.
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/** The day in a time zone. */
export function dayIn(timeZone: string, at: Date = new Date()): string {
  return clocksOf(timeZone).format(at).slice(0, 10)
}

/** When a day starts in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  return new Date(instantOf(clocksOf(timeZone), Date.parse(day)))
}

const known = new Map<string, Intl.DateTimeFormat>()

/** A formatter like 2026-03-05 16:05:00: Swedish writes times like ISO 8601. Kept, because making one takes long. */
export function clocksOf(timeZone: string): Intl.DateTimeFormat {
  const clocks =
    known.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  known.set(timeZone, clocks)
  return clocks
}

/** The instant at which clocks show this time, given in milliseconds as if it were UTC. */
export function instantOf(clocks: Intl.DateTimeFormat, time: number): number {
  const near = time - offsetAt(clocks, time)
  return time - offsetAt(clocks, near)
}

/** Milliseconds that clocks are ahead of UTC. */
export function offsetAt(clocks: Intl.DateTimeFormat, instant: number): number {
  const time = clocks.format(instant).replace(' ', 'T')
  return Date.parse(`${time}Z`) - Math.floor(instant / 1000) * 1000
}
