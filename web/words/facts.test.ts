import { describe, expect, it } from 'vitest'
import { PASSWORD_LENGTH } from '#domain/password.ts'
import { namespaces, readTexts } from '#words/catalogs.ts'
import type { Locale } from '#words/locales.ts'

const modules = import.meta.glob<object>(['./*.ts', '!./*.test.ts'], { eager: true })
const inCode = Object.entries(modules).map(([file, module]) => ({
  file: file.slice(2, -3),
  text: JSON.stringify(Object.values(module)),
}))
const catalog = (locale: Locale) =>
  namespaces.map((file) => ({ file, text: JSON.stringify(readTexts(locale, file)) }))
const pages: { file: string; text: string }[] = [...inCode, ...catalog('en')]

const textOf = (name: string) => pages.flatMap(({ file, text }) => (file === name ? text : [])).join()
const filesWith = (text: RegExp, among = pages) =>
  [...new Set(among.filter((page) => text.test(page.text)).map(({ file }) => file))].sort()

describe('the figures of the site copy', () => {
  it('count brands only where the spec does', () => {
    expect(filesWith(/\b\d+\+? (supported )?brands/i)).toEqual(['faq'])
    expect(filesWith(/"50\+"/)).toEqual(['shop-brand'])
  })

  it('agree on the time of a review, except in the confirmation', () => {
    expect(filesWith(/1-3 hours/)).toEqual(['confirmation'])
    const withReview = ['help', 'mail', 'processing', 'sellCard', 'terms']
    expect(filesWith(/typically takes 1 hour, and up to 24 hours for high-value cards/)).toEqual(withReview)
    expect(filesWith(/24 hours/)).toEqual(['faq', ...withReview].sort())
  })

  it('are the same in Spanish', () => {
    const spanish = catalog('es')
    expect(filesWith(/1 a 3 horas/, spanish)).toEqual(filesWith(/1-3 hours/, catalog('en')))
    expect(filesWith(/24 horas/, spanish)).toEqual(filesWith(/24 hours/, catalog('en')))
  })

  it('match the checked limits of a password', () => {
    expect(textOf('terms')).toContain(`${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`)
  })
})
