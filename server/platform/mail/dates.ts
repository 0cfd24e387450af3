import { dayIn as shopDayIn, DEFAULT_TIME_ZONE as timeZone } from '#domain/shop-time.ts'
import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

// Times are in New York's zone, because we do not know where the seller is.

/** "November 24" */
export function dayIn(t: Translate, at: Date): string {
  const options = { month: 'long', day: 'numeric', timeZone } as const
  return new Intl.DateTimeFormat(intlLocales[t.locale], options).format(at)
}

/** "Tuesday, November 24", or "martes 24 de noviembre", for a day like 2026-11-24 on which money is expected. */
export function weekdayIn(t: Translate, day: string): string {
  const options = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  const text = new Intl.DateTimeFormat(intlLocales[t.locale], options).format(new Date(day))
  return t.locale === 'es' ? text.replace(',', '') : text
}

/** Whether a day like 2026-11-24 has not begun. */
export const isAhead = (day: string): boolean => day > shopDayIn(timeZone)

/** "Tuesday, November 24 at 3 PM Eastern Time", or "at noon" */
export function momentIn(t: Translate, at: Date): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(intlLocales[t.locale], { ...options, timeZone }).format(at)
  const time = part({ hour: 'numeric', minute: '2-digit' })
  const isNoon = part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }) === '12:00'
  return t('mail.easternTime', {
    weekday: part({ weekday: 'long' }),
    day: part({ month: 'long', day: 'numeric' }),
    clock: isNoon
      ? t('mail.noon')
      : t('site.clock', { hour: Number.parseInt(time, 10), time: time.replace(':00', '') }),
  })
}
