import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

// Times are in New York's zone: American banks use it, and we do not know where the seller is.
const timeZone = 'America/New_York'

/** "Nov 24". A day like 2026-11-24 stays that day. */
export function dayIn(t: Translate, at: Date | string): string {
  const day = { month: 'short', day: 'numeric' } as const
  const zone = typeof at === 'string' ? 'UTC' : timeZone
  return new Intl.DateTimeFormat(intlLocales[t.locale], { ...day, timeZone: zone }).format(new Date(at))
}

/** "Tue, Nov 24, 3:00 PM Eastern Time" */
export function momentIn(t: Translate, at: Date): string {
  const format = new Intl.DateTimeFormat(intlLocales[t.locale], {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  })
  return t('mail.easternTime', { time: format.format(at) })
}
