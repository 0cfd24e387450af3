import { dayIn as shopDayIn } from '#domain/shop-time.ts'
import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

// Times are in New York's zone: American banks use it, and we do not know where the seller is.
const timeZone = 'America/New_York'

/** "November 24". A day like 2026-11-24 stays that day. */
export function dayIn(t: Translate, at: Date | string): string {
  const day = { month: 'long', day: 'numeric' } as const
  const zone = typeof at === 'string' ? 'UTC' : timeZone
  return new Intl.DateTimeFormat(intlLocales[t.locale], { ...day, timeZone: zone }).format(new Date(at))
}

/** Whether a day like 2026-11-24 has not begun. */
export const isAhead = (day: string): boolean => day > shopDayIn(timeZone)

/** "Tuesday, November 24 at 3 PM Eastern Time" */
export function momentIn(t: Translate, at: Date): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(intlLocales[t.locale], { ...options, timeZone }).format(at)
  const time = part({ hour: 'numeric', minute: '2-digit' })
  return t('mail.easternTime', {
    weekday: part({ weekday: 'long' }),
    day: part({ month: 'long', day: 'numeric' }),
    clock: t('site.clock', { hour: Number.parseInt(time, 10), time: time.replace(':00', '') }),
  })
}
