const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
type Weekday = (typeof weekdays)[number]

/** The hours of a week on the clocks of one place. */
export interface OpeningHours {
  /** An IANA time zone, like America/New_York. */
  readonly zone: string
  /** Minutes after midnight. Days that are left out are closed. */
  readonly week: Readonly<Partial<Record<Weekday, readonly [opens: number, closes: number] | undefined>>>
}

/** Whether it is open at a time, and when that changes: undefined if it is always open. */
export interface Opening {
  readonly isOpen: boolean
  readonly changesAt: Date | undefined
}

/** @param hours with at least one open day */
export function openingAt({ zone, week }: OpeningHours, now: Date): Opening {
  const today = Math.floor((now.getTime() + offsetAt(zone, now.getTime())) / DAY_MS) * DAY_MS
  const spans: [opens: number, closes: number][] = []
  // The last of the eight days is the same weekday as today.
  for (let day = today; day <= today + 7 * DAY_MS; day += DAY_MS) {
    const weekday = weekdays[new Date(day).getUTCDay()] ?? 'sun'
    const [opens, closes] = (week[weekday] ?? []).map((minutes) => instantOf(zone, day + minutes * 60_000))
    if (opens === undefined || closes === undefined) continue
    const before = spans.at(-1)
    if (before?.[1] === opens) before[1] = closes
    else spans.push([opens, closes])
  }
  const [opens = 0, closes = 0] = spans.find(([, closes]) => closes > now.getTime()) ?? []
  if (opens > now.getTime()) return { isOpen: false, changesAt: new Date(opens) }
  return { isOpen: true, changesAt: spans.length > 1 ? new Date(closes) : undefined }
}

const DAY_MS = 86_400_000

/** The instant at which the clocks of a zone show this time, given as if it were UTC. */
function instantOf(zone: string, clock: number): number {
  const near = clock - offsetAt(zone, clock)
  return clock - offsetAt(zone, near)
}

/** Milliseconds that the clocks of a zone are ahead of UTC. Swedish writes times like ISO 8601. */
function offsetAt(zone: string, instant: number): number {
  const clock = new Date(instant).toLocaleString('sv-SE', { timeZone: zone })
  return Date.parse(`${clock.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000
}
