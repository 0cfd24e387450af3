import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { parse, type Token } from '@messageformat/parser'
import { expect, it } from 'vitest'
import { namespaces, readTexts, readWords } from './catalogs.ts'
import type { Key } from './keys.ts'
import { locales } from './locales.ts'
import { createTranslate } from './translate.ts'

const english = Object.fromEntries(namespaces.map((namespace) => [namespace, readTexts('en', namespace)]))

it.each(namespaces)('%s has the same keys in both languages', (namespace) => {
  expect(Object.keys(readTexts('es', namespace))).toEqual(Object.keys(english[namespace] ?? {}))
})

it.each(namespaces)('%s inserts the same values and tags in both languages', (namespace) => {
  const spanish = readTexts('es', namespace)
  const different = Object.entries(english[namespace] ?? {}).filter(
    ([key, text]) => String(partsOf(text)) !== String(partsOf(spanish[key] ?? '')),
  )
  expect(different).toEqual([])
})

it.each(namespaces)('%s has only texts that can be shown', (namespace) => {
  for (const locale of locales) {
    const texts = Object.entries(readTexts(locale, namespace))
    expect(texts.filter(([, text]) => text.trim() === '' || !canBeShown(parse(text)))).toEqual([])
  }
})

it('inserts values as they are', () => {
  const translate = createTranslate('en')
  const text = '{name} has {count, plural, one {# card} other {# cards}}'
  translate.add({ 'site.loading': compileMessageOrThrow(text) })
  expect(translate('site.loading', { name: '\\x41 <b>{n}</b>', count: 1000 })).toBe(
    '\\x41 <b>{n}</b> has 1,000 cards',
  )
})

it.each([
  [{ kind: 'new', count: 0 }, 'no card yet'],
  [{ kind: 'new', count: 1 }, '1 new card'],
  [{ kind: 'constructor', count: 1200 }, '1,200 cards of 1,000'],
])('chooses by the value: %o', (values, expected) => {
  const translate = createTranslate('en')
  const cards = 'one {# new card} other {# new cards}'
  const others = '=0 {no card} other {# cards of {limit, number}}'
  const text = `{count, plural, =0 {no card yet} other {{kind, select, new {{count, plural, ${cards}}} other {{count, plural, ${others}}}}}}`
  translate.add({ 'site.loading': compileMessageOrThrow(text) })
  expect(translate('site.loading', { ...values, limit: 1000 })).toBe(expected)
})

it('throws at a text that is not loaded', () => {
  const translate = createTranslate('es')
  expect(() => translate('site.loading')).toThrow('The text site.loading is not loaded in es')
  expect(translate.has('site.loading')).toBe(false)
})

it('puts the name of the product into texts, even one with braces', () => {
  const { en, es } = readWords({ product: "Ann's {cards}" })
  expect(en('site.copyright')).toBe("© 2025 Ann's {cards}. All rights reserved.")
  expect(es('site.copyright')).toContain("Ann's {cards}")
})

it.each(locales)('ends no sentence in %s with two periods', (locale) => {
  const words = readWords({ product: 'Unspent' })[locale]
  const texts = namespaces.flatMap((namespace) =>
    Object.entries(readTexts(locale, namespace))
      .filter(([, text]) => /\}\.(?!\.)/.test(text))
      .map(([key, text]) => {
        const clocks = Object.fromEntries(valuesOf(parse(text)).map((name) => [name, '5 p.m.']))
        return words(`${namespace}.${key}` as Key, clocks)
      }),
  )
  expect(texts.length).toBeGreaterThan(10)
  expect(texts.filter((text) => text.includes('p.m..'))).toEqual([])
})

it('has one text for the error of a field', () => {
  const [forms, others] = [english.fields ?? {}, english.apiFields ?? {}]
  expect(Object.keys(forms).filter((code) => code in others)).toEqual([])
})

/** The names of the values and tags in a text, sorted. */
function partsOf(text: string): string[] {
  const tags = [...text.matchAll(/<(\w+)>/g)].map(([tag]) => tag)
  return [...new Set([...valuesOf(parse(text)), ...tags])].sort()
}

function valuesOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'content' || token.type === 'octothorpe') return []
    const inside = 'cases' in token ? token.cases.flatMap((part) => valuesOf(part.tokens)) : []
    return [token.arg, ...inside]
  })
}

/** The compiler accepts more than the browser can show: unknown formats, a plural without `other`, a brace too many. */
function canBeShown(tokens: readonly Token[]): boolean {
  return tokens.every((token) => {
    if (token.type === 'content') return !/[{}]/.test(token.value)
    if (token.type === 'function') return token.key === 'number'
    if (!('cases' in token)) return true
    const keys = token.cases.map(({ key }) => key)
    const known = token.type !== 'plural' || keys.every((key) => /^(=\d+|one|many|other)$/.test(key))
    return known && keys.includes('other') && token.cases.every((part) => canBeShown(part.tokens))
  })
}
