import type { CompiledIcuChoices, CompiledMessage } from '@lingui/message-utils/compileMessage'
import type { Key } from './keys.ts'
import { intlLocales, type Locale } from './locales.ts'

/** What a text inserts at its `{names}`. */
export type Values = Readonly<Record<string, string | number>>

/** Compiled texts by key. */
export type Messages = Readonly<Record<string, CompiledMessage>>

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
  const messages: Record<string, CompiledMessage> = {}
  const format = createFormat(intlLocales[locale])
  const translate = (key: Key, values: Values = {}) => {
    const message = messages[key]
    if (!message) throw new Error(`The text ${key} is not loaded in ${locale}`)
    return format(message, values)
  }
  const has = (key: string): key is Key => Object.hasOwn(messages, key)
  return Object.assign(translate, {
    locale,
    has,
    add: (added: Messages) => void Object.assign(messages, added),
  })
}

/** Inserts values into a text: names, numbers, plurals and choices. A test allows nothing else in our texts. */
function createFormat(intlLocale: string) {
  // Created on first use: on a phone that takes as long as hydrating a page.
  let numbers: Intl.NumberFormat | undefined
  let rules: Intl.PluralRules | undefined
  function digits(value: number): string {
    numbers ??= new Intl.NumberFormat(intlLocale)
    return numbers.format(value)
  }
  function ruleOf(value: number): string {
    rules ??= new Intl.PluralRules(intlLocale)
    return rules.select(value)
  }

  /** @param count what `#` stands for inside a plural */
  return function format(message: CompiledMessage, values: Values, count?: number): string {
    const parts = message.map((token) => {
      if (token === '#' && count !== undefined) return digits(count)
      if (typeof token === 'string') return token
      const [name, type, choices] = token
      const value = values[name] ?? ''
      if (type === undefined) return value
      if (type === 'number') return digits(Number(value))
      const isPlural = type === 'plural'
      const chosen = choose(choices as CompiledIcuChoices, value, isPlural ? ruleOf(Number(value)) : 'other')
      return format(chosen, values, isPlural ? Number(value) : count)
    })
    // A value such as "2:47 p.m." already has the period of its sentence.
    return parts.reduce<string>((text, part) => {
      const isSaid = text.endsWith('.') && /^\.(?!\.)/.test(String(part))
      return text + (isSaid ? String(part).slice(1) : part)
    }, '')
  }
}

/** The text for exactly this value, or for the rule of its number, or for all others. */
function choose(choices: CompiledIcuChoices, value: string | number, rule: string): CompiledMessage {
  const found = [value, rule].find((name) => Object.hasOwn(choices, name))
  return choices[found ?? 'other'] ?? []
}
