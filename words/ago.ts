import { intlLocales, type Locale } from './locales.ts'
import type { Translate } from './translate.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** Screens count on every 10 seconds, so a smaller number would be wrong as soon as it shows. */
const JUST_NOW_MS = 10_000

/** How long ago something was, in whole units of the largest one that fits: "12 seconds ago", "just now". */
export function ago(t: Translate, milliseconds: number): string {
  if (milliseconds < JUST_NOW_MS) return t('site.justNow')
  for (const [unit, length] of units) {
    const count = Math.floor(milliseconds / length)
    if (count >= 1) return formatterOf(t.locale).format(-count, unit)
  }
  return t('site.justNow')
}

/** How long until something: "in 3 days", "in 40 minutes". Hours up to two days, so that nobody is late by a rounded one. */
export function until(t: Translate, milliseconds: number): string {
  const [day, hour, minute] = [86_400_000, 3_600_000, 60_000]
  const formatter = formatterOf(t.locale)
  // A new offer ends in 3 days, also a moment later.
  if (milliseconds >= 2 * day) return formatter.format(Math.floor((milliseconds + hour) / day), 'day')
  if (milliseconds >= hour) return formatter.format(Math.floor(milliseconds / hour), 'hour')
  return formatter.format(Math.max(1, Math.floor(milliseconds / minute)), 'minute')
}

const formatters = new Map<Locale, Intl.RelativeTimeFormat>()

function formatterOf(locale: Locale): Intl.RelativeTimeFormat {
  const formatter = formatters.get(locale) ?? new Intl.RelativeTimeFormat(intlLocales[locale])
  formatters.set(locale, formatter)
  return formatter
}
