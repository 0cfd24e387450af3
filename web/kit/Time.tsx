import { useWords } from '#web/words/words.ts'
import { intlLocales, type Locale } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import { cx } from './cx.ts'

const styles = {
  date: { dateStyle: 'medium' },
  /** Leaves out the year, for what happens around now. */
  day: { month: 'short', day: 'numeric' },
  weekday: { weekday: 'short', month: 'short', day: 'numeric' },
  dateTime: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  /** A deadline, as mails name it: with the reader's time zone. */
  moment: {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'shortGeneric',
  },
  dateTime24: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  time: { hour: 'numeric', minute: '2-digit' },
  /** To the second, where order matters. */
  clock: { timeStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type Style = keyof typeof styles

/** "martes 1 de diciembre", "1 de diciembre a las 3:45 p.m. ET": Spanish abbreviates neither day nor month in a sentence. */
const inSpanish: Partial<Record<Style, Intl.DateTimeFormatOptions>> = {
  weekday: { weekday: 'long', month: 'long', day: 'numeric' },
  moment: { ...styles.moment, month: 'long' },
}

/** A time from the server, in the reader's time zone. A date without a time is the same day everywhere. */
export function Time({ at, as = 'date' }: { at: string; as?: Style }) {
  const { locale } = useWords()
  return (
    // Only the longest style is too long for a line of a phone.
    <time dateTime={at} className={cx('figures', as !== 'moment' && 'whitespace-nowrap')}>
      {timeText(locale, at, as)}
    </time>
  )
}

export function timeText(locale: Locale, at: string, as: Style): string {
  const time = new Date(at.length === 10 ? `${at}T00:00` : at)
  const text = formatOf(as, locale).format(time)
  const isSentence = locale === 'es' && as in inSpanish
  return isSentence ? text.replace(',', '').replace(' las 1:', ' la 1:') : text
}

/** Kept, because they take milliseconds to create. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(style: Style, locale: Locale): Intl.DateTimeFormat {
  const key = `${style} ${locale}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(intlLocales[locale], optionsOf(style, locale))
  formats.set(key, format)
  return format
}

const optionsOf = (style: Style, locale: Locale) => (locale === 'es' && inSpanish[style]) || styles[style]

/** "9 AM", "9:05 AM", "la 1 p.m." or "las 9 a.m.", for texts. The reader's time zone if left out. */
export function clockIn(t: Translate, time: Date, timeZone?: string): string {
  const options = { ...styles.time, timeZone }
  const parts = new Intl.DateTimeFormat(intlLocales[t.locale], options).formatToParts(time)
  const hour = Number(parts.find(({ type }) => type === 'hour')?.value)
  const whole = parts.map(({ value }) => value).join('')
  return t('site.clock', { hour, time: whole.replace(':00', '') })
}
