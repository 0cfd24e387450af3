import { clocksOf, instantOf } from '#domain/shop-time.ts'

/**
 * Days are text like 2026-11-24, in the time zone of the Federal Reserve Banks, which settle ACH payments.
 *
 * The holidays on which they close. One that falls on a Sunday is observed on Monday; one that falls on a Saturday is not
 * moved. Source: https://www.federalreserve.gov/aboutthefed/k8.htm
 */
const holidays: readonly Holiday[] = [
  { name: "New Year's Day", month: 1, day: 1 },
  { name: 'Birthday of Martin Luther King, Jr.', month: 1, weekday: 'Monday', week: 3 },
  { name: "Washington's Birthday", month: 2, weekday: 'Monday', week: 3 },
  { name: 'Memorial Day', month: 5, weekday: 'Monday', week: 'last' },
  { name: 'Juneteenth National Independence Day', month: 6, day: 19 },
  { name: 'Independence Day', month: 7, day: 4 },
  { name: 'Labor Day', month: 9, weekday: 'Monday', week: 1 },
  { name: 'Columbus Day', month: 10, weekday: 'Monday', week: 2 },
  { name: 'Veterans Day', month: 11, day: 11 },
  { name: 'Thanksgiving Day', month: 11, weekday: 'Thursday', week: 4 },
  { name: 'Christmas Day', month: 12, day: 25 },
]

type Holiday = { readonly name: string; readonly month: number } & (
  | { readonly day: number }
  | { readonly weekday: 'Monday' | 'Thursday'; readonly week: number | 'last' }
)

const SUNDAY = 0
const MONDAY = 1
const SATURDAY = 6
const weekdays = { Monday: MONDAY, Thursday: 4 } as const

/**
 * The day on which the payments of a file should settle: one banking day after the bank processes it. From its cut-off on, a file
 * counts as processed on the next banking day. If the bank is faster, its payments settle two banking days later, which is the
 * longest that the rules allow. Source: NACHA Operating Rules, Effective Entry Date.
 *
 * @param bank with its cut-off in minutes after midnight in New York
 */
export function settlementDay(madeAt: Date, bank: Bank): string {
  return firstBankDay(following(processingDay(madeAt, bank)))
}

export interface Cutoff {
  readonly at: Date
  /** The day on which payments settle if the bank gets their file before the cut-off. */
  readonly settlesOn: string
}

/** The cut-off of the bank's next banking day, and when the payments of a file that is sent before it settle. */
export function nextCutoff(now: Date, bank: Bank): Cutoff {
  return { at: clockOn(processingDay(now, bank), bank), settlesOn: settlementDay(now, bank) }
}

/** The same for same-day payments. Undefined if the bank does not offer them. */
export function nextSameDayCutoff(now: Date, { sameDayCutoff: cutoff }: SameDayBank): Cutoff | undefined {
  if (cutoff === undefined) return undefined
  const settlesOn = processingDay(now, { cutoff })
  return { at: clockOn(settlesOn, { cutoff }), settlesOn }
}

/** Today, if a file that is sent now settles today. Undefined on other days than banking days, and from the cut-off on. */
export function sameDayOf(now: Date, bank: SameDayBank): string | undefined {
  const { day } = easternTime(now)
  return nextSameDayCutoff(now, bank)?.settlesOn === day ? day : undefined
}

const clockOn = (day: string, { cutoff }: Bank): Date =>
  new Date(instantOf(clocksOf(EASTERN), Date.parse(day) + cutoff * 60_000))

interface Bank {
  readonly cutoff: number
}

interface SameDayBank {
  readonly sameDayCutoff?: number | undefined
}

function processingDay(madeAt: Date, { cutoff }: Bank): string {
  const { day, hour, minute } = easternTime(madeAt)
  return firstBankDay(hour * 60 + minute >= cutoff ? following(day) : day)
}

export function isBankDay(day: string): boolean {
  const date = utc(day)
  const weekday = date.getUTCDay()
  if (weekday === SATURDAY || weekday === SUNDAY || isHoliday(date)) return false
  return weekday !== MONDAY || !isHoliday(utc(day, -1))
}

/** The banking day that is some banking days after another day. */
export function bankDayAfter(day: string, count: number): string {
  return count === 0 ? day : bankDayAfter(firstBankDay(following(day)), count - 1)
}

/** The date and the time of day in New York. */
export function easternTime(at: Date): { day: string; hour: number; minute: number } {
  const [day = '', time = ''] = clocksOf(EASTERN).format(at).split(' ')
  const [hour, minute] = time.split(':').map(Number)
  return { day, hour: hour ?? 0, minute: minute ?? 0 }
}

const EASTERN = 'America/New_York'

/** The day itself, or the first banking day after it. */
function firstBankDay(day: string): string {
  return isBankDay(day) ? day : firstBankDay(following(day))
}

function isHoliday(date: Date): boolean {
  const day = date.getUTCDate()
  return holidays.some((holiday) => {
    if (holiday.month !== date.getUTCMonth() + 1) return false
    if ('day' in holiday) return holiday.day === day
    if (weekdays[holiday.weekday] !== date.getUTCDay()) return false
    return holiday.week === 'last' ? day + 7 > daysInMonth(date) : holiday.week === Math.ceil(day / 7)
  })
}

const daysInMonth = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

const following = (day: string): string => utc(day, 1).toISOString().slice(0, 10)

function utc(day: string, plusDays = 0): Date {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + plusDays)
  return date
}
