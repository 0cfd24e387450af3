import { useSyncExternalStore } from 'react'
import type { Namespace } from '#words/keys.ts'
import { type Locale, locales, splitLocale, withLocale } from '#words/locales.ts'
import { createTranslate, type Messages, type Translate } from '#words/translate.ts'

/**
 * The files of texts, compiled (web/app/build/words.ts), for the renderer, tests and the development server. A browser
 * fetches them by name instead: a table of every file would cost each page a kilobyte, and browsers do not fetch a
 * failed script again.
 */
const files =
  import.meta.env.SSR || import.meta.env.DEV
    ? import.meta.glob<Messages>('../../words/*/*.json', { import: 'default' })
    : undefined

/** The address of their folder, from the build. */
declare const __WORDS__: string

const translators = Object.fromEntries(locales.map((locale) => [locale, createTranslate(locale)])) as Record<
  Locale,
  Translate
>
/** The files that were asked for, by address. */
const loading = new Map<string, Promise<void>>()
/** What the screens shown so far needed, in any language. */
const wanted = new Set<Namespace>()
const listeners = new Set<() => void>()
let current: Locale = 'en'

/** The texts in the language of the page, for code outside of components. */
export function translate(): Translate {
  return translators[current]
}

/** The texts in the language of the page. The component renders again when the language changes. */
export function useWords(): Translate {
  return useSyncExternalStore(subscribe, translate, translate)
}

/** Fetches texts before they are shown. Fetches each file once; a failed one again the next time. */
export async function loadWords(namespaces: readonly Namespace[]): Promise<void> {
  for (const namespace of namespaces) wanted.add(namespace)
  await load(current, namespaces)
}

/** Fetches a part of the app together with its texts. */
export async function withWords<T>(namespaces: readonly Namespace[], part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, loadWords(namespaces)])
  return loaded
}

/** Changes the language of the texts, once all that are on the screen are there. */
export async function setLocale(next: Locale): Promise<void> {
  await load(next, [...wanted])
  current = next
  for (const listener of listeners) listener()
}

/** Changes the language of the page and of its address. Nothing typed or chosen on the screen is lost. */
export async function changeLocale(next: Locale): Promise<void> {
  if (next === current) return
  await setLocale(next)
  document.documentElement.lang = next
  history.replaceState(history.state, '', inLocale(location.pathname) + location.search + location.hash)
}

/** An address of this site in the language of the page. */
export function inLocale(address: string): string {
  return withLocale(current, splitLocale(address).path)
}

/** Takes the language from the address, and the texts that the document brings. */
export async function startWords(): Promise<void> {
  current = splitLocale(location.pathname).locale
  const inlined = document.getElementById(INLINED_WORDS)?.textContent
  if (inlined) {
    for (const [namespace, messages] of Object.entries(JSON.parse(inlined) as Record<Namespace, Messages>)) {
      wanted.add(namespace as Namespace)
      translators[current].add(messages)
      loading.set(fileOf(current, namespace as Namespace), Promise.resolve())
    }
  }
  await loadWords(['site'])
}

/** The element with the texts of a prerendered screen, as JSON. */
const INLINED_WORDS = 'words'

/** Some files of texts in the current language, by namespace. For the build, which puts them into a document. */
export async function readWords(namespaces: readonly Namespace[]): Promise<Record<string, Messages>> {
  const read = namespaces.map(async (namespace) => [
    namespace,
    await fetchMessages(fileOf(current, namespace)),
  ])
  return Object.fromEntries(await Promise.all(read))
}

async function load(locale: Locale, namespaces: readonly Namespace[]): Promise<void> {
  await Promise.all(namespaces.map((namespace) => loadFile(locale, fileOf(locale, namespace))))
}

function loadFile(locale: Locale, file: string): Promise<void> {
  const found = loading.get(file)
  if (found) return found
  const started = fetchFile(locale, file)
  loading.set(file, started)
  started.catch(() => loading.delete(file))
  return started
}

async function fetchFile(locale: Locale, file: string): Promise<void> {
  translators[locale].add(await fetchMessages(file))
}

async function fetchMessages(file: string): Promise<Messages> {
  const messages = files ? await files[`../../words/${file}`]?.() : await fetchJson(`${__WORDS__}/${file}`)
  if (!messages) throw new Error(`There are no texts at ${file}`)
  return messages
}

async function fetchJson(address: string): Promise<Messages | undefined> {
  const answer = await fetch(address)
  return answer.ok ? await answer.json() : undefined
}

function fileOf(locale: Locale, namespace: Namespace): string {
  return `${locale}/${namespace}.json`
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
