/** The languages of the site. The first is the default. Staff screens are always in English. */
export const locales = ['en', 'es'] as const
export type Locale = (typeof locales)[number]

/** What each language calls itself. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', es: 'Español' }

export function isLocale(word: string): word is Locale {
  return (locales as readonly string[]).includes(word)
}

/** Splits an address into its language and the address without it: `/es/help` is `/help` in Spanish. */
export function splitLocale(path: string): { locale: Locale; path: string } {
  const [, first = ''] = /^\/(\w+)(?=[/?#]|$)/.exec(path) ?? []
  if (!isLocale(first) || first === 'en') return { locale: 'en', path }
  const rest = path.slice(first.length + 1)
  return { locale: first, path: rest.startsWith('/') ? rest : `/${rest}` }
}

/** The address of a screen in a language. Addresses of the staff area and of files are the same in every language. */
export function withLocale(locale: Locale, path: string): string {
  if (locale === 'en' || !path.startsWith('/') || SAME_IN_ALL.test(path)) return path
  return `/${locale}${path.replace(/^\/(?=$|[?#])/, '')}`
}

const SAME_IN_ALL = /^\/(admin|api|uploads|ws|assets|es)(?=[/?#]|$)/

/** What `Intl` formats numbers, dates and lists with. Both are those of the United States: $1,234.56. */
export const intlLocales: Readonly<Record<Locale, string>> = { en: 'en-US', es: 'es-US' }
