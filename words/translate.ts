import { type I18n, type Messages, setupI18n } from '@lingui/core'
import type { Key } from './keys.ts'
import { intlLocales, type Locale } from './locales.ts'

/** What a text inserts at its `{names}`. */
export type Values = Readonly<Record<string, string | number>>

/** Looks up a text in one language and fills in its values. */
export interface Translate {
  (key: Key, values?: Values): string
  readonly locale: Locale
  /** Whether there is such a text, and it was added. */
  has: (key: string) => key is Key
  /** Adds compiled texts by key. */
  add: (messages: Messages) => void
}

/** A language without texts yet. Throws at a key that was not added. */
export function createTranslate(locale: Locale): Translate {
  const i18n: I18n = setupI18n({
    locale,
    locales: intlLocales[locale],
    messages: { [locale]: {} },
    missing: (_, key) => {
      throw new Error(`The text ${key} is not loaded in ${locale}`)
    },
  })
  const translate = (key: Key, values?: Values) =>
    i18n._(key, values && shielded(values)).replaceAll(SHIELD, '\\')
  const has = (key: string): key is Key => key in i18n.messages
  return Object.assign(translate, { locale, has, add: (messages: Messages) => i18n.load(locale, messages) })
}

/** Stands for a backslash in a value: Lingui would read `\x41` in the finished text as an A. */
const SHIELD = '\uE002'

function shielded(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll('\\', SHIELD) : value,
  ])
  return Object.fromEntries(entries)
}
