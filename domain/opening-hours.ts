import { clocksOf, instantOf, offsetAt } from './shop-time.ts'

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
  const clocks = clocksOf(zone)
  const today = Math.floor((now.getTime() + offsetAt(clocks, now.getTime())) / DAY_MS) * DAY_MS
  const spans: [opens: number, closes: number][] = []
  // The last of the eight days is the same weekday as today.
  for (let day = today; day <= today + 7 * DAY_MS; day += DAY_MS) {
    const weekday = weekdays[new Date(day).getUTCDay()] ?? 'sun'
    const [opens, closes] = (week[weekday] ?? []).map((minutes) => instantOf(clocks, day + minutes * 60_000))
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
