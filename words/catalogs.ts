import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Bundle, Namespace } from './keys.ts'
import { type Locale, locales } from './locales.ts'
import { createTranslate, type Messages, type Translate } from './translate.ts'

/** What a brand changes in the texts. */
export interface BrandWords {
  /** Replaces `{product}` in every text. */
  readonly product: string
  /** A folder with `en.json` and `es.json`: texts by key that replace the ones here. */
  readonly folder?: string | undefined
}

const english = join(import.meta.dirname, 'en')

/** The folder of each file. */
const folders = new Map(
  readdirSync(english).flatMap((folder) =>
    readdirSync(join(english, folder)).map((file) => [file.replace(/\.json$/, '') as Namespace, folder]),
  ),
)

export const namespaces = [...folders.keys()]

export function namespacesOf(bundle: Bundle): Namespace[] {
  return namespaces.filter((namespace) => folders.get(namespace) === bundle)
}

/** Every text of every language, ready to use. For the server and for programs. */
export function readWords(brand: BrandWords): Readonly<Record<Locale, Translate>> {
  const entries = locales.map((locale) => {
    const translate = createTranslate(locale)
    for (const namespace of namespaces) translate.add(readCatalog(locale, namespace, brand))
    return [locale, translate]
  })
  return Object.fromEntries(entries)
}

/** The compiled texts of one file. Throws at a text that is not valid, and names it. */
export function readCatalog(locale: Locale, namespace: Namespace, brand: BrandWords): Messages {
  const texts = {
    ...prefixed(namespace, readTexts(locale, namespace)),
    ...overrides(locale, namespace, brand),
  }
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, compile(`${locale} ${key}`, text, brand)]),
  )
}

/** What is wrong with a brand's own texts, one line for each. */
export function brandTextProblems(folder: string): string[] {
  const known = new Set(namespaces.flatMap((name) => Object.keys(prefixed(name, readTexts('en', name)))))
  return readdirSync(folder).flatMap((name) => {
    const file = join(folder, name)
    if (!locales.some((locale) => name === `${locale}.json`))
      return [
        `${file} must be left out: texts are in ${locales.map((locale) => `${locale}.json`).join(' and ')}`,
      ]
    try {
      const problems = Object.entries(readJson(file)).map(([key, text]) => textProblem(key, text, known))
      return problems.filter((problem) => problem !== undefined).map((problem) => `${file}: ${problem}`)
    } catch (error) {
      return [`${file}: it is not JSON: ${messageOf(error)}`]
    }
  })
}

function textProblem(key: string, text: unknown, known: ReadonlySet<string>): string | undefined {
  if (!known.has(key)) return `${key} must be left out: there is no such text`
  if (typeof text !== 'string') return `${key} must be a text`
  try {
    compileMessageOrThrow(text)
    return undefined
  } catch (error) {
    return `${key} is not a valid text: ${messageOf(error)}`
  }
}

/** The texts of one file as they are written, by key without the namespace. */
export function readTexts(locale: Locale, namespace: Namespace): Record<string, string> {
  return readJson(fileOf(locale, namespace))
}

export function fileOf(locale: Locale, namespace: Namespace): string {
  return join(import.meta.dirname, locale, folders.get(namespace) ?? '', `${namespace}.json`)
}

function overrides(locale: Locale, namespace: Namespace, { folder }: BrandWords): Record<string, string> {
  const file = folder && join(folder, `${locale}.json`)
  if (!file || !existsSync(file)) return {}
  return Object.fromEntries(Object.entries(readJson(file)).filter(([key]) => key.startsWith(`${namespace}.`)))
}

function prefixed(namespace: Namespace, texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${namespace}.${name}`, text]))
}

function compile(name: string, text: string, { product }: BrandWords) {
  try {
    return compileMessageOrThrow(text.replaceAll('{product}', () => product.replaceAll(/[{}]/g, "'$&'")))
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`)
  }
}

function readJson(file: string): Record<string, string> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The first line. The parser adds a drawing that points at the error. */
function messageOf(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n')
  return line.replace(/:$/, '')
}
