import { useSyncExternalStore } from 'react'
import { type Bundle, bundlesOf, type Part } from '#words/keys.ts'
import { type Locale, locales, splitLocale, withLocale } from '#words/locales.ts'
import { createTranslate, type Messages, type Translate } from '#words/translate.ts'

const bundles: Record<Locale, Record<Bundle, () => Promise<{ default: Messages }>>> = {
  en: {
    visitor: () => import('virtual:words/en/visitor'),
    pages: () => import('virtual:words/en/pages'),
    seller: () => import('virtual:words/en/seller'),
    resubmission: () => import('virtual:words/en/resubmission'),
    settings: () => import('virtual:words/en/settings'),
    staff: () => import('virtual:words/en/staff'),
  },
  es: {
    visitor: () => import('virtual:words/es/visitor'),
    pages: () => import('virtual:words/es/pages'),
    seller: () => import('virtual:words/es/seller'),
    resubmission: () => import('virtual:words/es/resubmission'),
    settings: () => import('virtual:words/es/settings'),
    staff: () => import('virtual:words/es/staff'),
  },
}

const translators = Object.fromEntries(locales.map((locale) => [locale, createTranslate(locale)])) as Record<
  Locale,
  Translate
>
/** What the screens shown so far needed, in any language. */
const wanted = new Set<Bundle>()
const listeners = new Set<() => void>()
let current: Locale = 'en'
const startedOnline = navigator.onLine

/** The texts in the language of the page, for code outside of components. */
export function translate(): Translate {
  return translators[current]
}

/** The texts in the language of the page. The component renders again when the language changes. */
export function useWords(): Translate {
  return useSyncExternalStore(subscribe, translate, translate)
}

/** Fetches the texts of a part of the site before they are shown. */
export async function loadWords(part: Part): Promise<void> {
  for (const bundle of bundlesOf[part]) wanted.add(bundle)
  await load(current, bundlesOf[part])
}

/** Fetches code together with the texts of its part of the site. */
export async function withWords<T>(part: Part, code: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([code, loadWords(part)])
  return loaded
}

/** The texts of a part of the site in another language than the page's. */
export async function loadTranslate(locale: Locale, part: Part): Promise<Translate> {
  await load(locale, bundlesOf[part])
  return translators[locale]
}

/** Changes the language of the texts, once all that are on the screen are there. */
export async function setLocale(next: Locale): Promise<void> {
  await load(next, [...wanted])
  current = next
  for (const listener of listeners) listener()
}

/**
 * Changes the language of the page and of its address. Nothing typed or chosen on the screen is lost. Rejects without a
 * connection: browsers do not fetch a failed script again until a reload.
 */
export async function changeLocale(next: Locale): Promise<void> {
  if (next === current) return
  if (isOffline()) throw new Error('There is no connection')
  await setLocale(next)
  document.documentElement.lang = next
  history.replaceState(history.state, '', inLocale(location.pathname) + location.search + location.hash)
}

/** Whether the connection is gone. A machine without a network can still serve this page to itself: that is not offline. */
export function isOffline(): boolean {
  return startedOnline && !navigator.onLine
}

/** An address of this site in the language of the page. */
export function inLocale(address: string): string {
  return withLocale(current, splitLocale(address).path)
}

/** Takes the language from the address, and fetches the texts that every page has. */
export async function startWords(): Promise<void> {
  current = splitLocale(location.pathname).locale
  await loadWords('visitor')
}

async function load(locale: Locale, names: readonly Bundle[]): Promise<void> {
  const loaded = await Promise.all(names.map((bundle) => bundles[locale][bundle]()))
  for (const { default: messages } of loaded) translators[locale].add(messages)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
