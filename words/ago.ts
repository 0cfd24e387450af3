import { intlLocales, type Locale } from './locales.ts'
import type { Translate } from './translate.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How long ago something was, in whole units of the largest one that fits: "12 seconds ago", "just now". */
export function ago(t: Translate, milliseconds: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(milliseconds / length)
    if (count >= 1) return formatterOf(t.locale).format(-count, unit)
  }
  return t('site.justNow')
}

const formatters = new Map<Locale, Intl.RelativeTimeFormat>()

function formatterOf(locale: Locale): Intl.RelativeTimeFormat {
  const formatter = formatters.get(locale) ?? new Intl.RelativeTimeFormat(intlLocales[locale])
  formatters.set(locale, formatter)
  return formatter
}
