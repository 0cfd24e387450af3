import { describe, expect, it } from 'vitest'
import { PASSWORD_LENGTH } from '#contract/accounts.ts'
import { brands } from '#domain/brands.ts'
import { parseDollars } from '#domain/money.ts'
import { paymentRules, paymentTypesOn } from '#domain/payment-methods.ts'
import { quote } from '#domain/quote.ts'
import { facts } from './facts.ts'
import { landing } from './landing.ts'

const modules = import.meta.glob<object>(['./*.ts', '!./*.test.ts'], { eager: true })
const pages = Object.entries(modules).map(([file, module]) => ({
  file: file.slice(2, -3),
  text: JSON.stringify(Object.values(module)),
}))
const textOf = (name: string) => pages.find(({ file }) => file === name)?.text ?? ''
const filesWith = (text: RegExp) => pages.filter((page) => text.test(page.text)).map(({ file }) => file)

describe('the figures of the site copy', () => {
  it('count brands only where the spec does', () => {
    expect(filesWith(/\b\d+\+? (supported )?brands/i)).toEqual(['faq'])
    expect(filesWith(/"50\+"/)).toEqual(['landing'])
  })

  it('agree on the time of a review, except in the confirmation', () => {
    expect(filesWith(/1-3 hours/)).toEqual(['confirmation'])
    expect(filesWith(new RegExp(facts.review))).toEqual(['facts', 'help', 'processing', 'terms'])
    expect(filesWith(/24 hours/)).toEqual(['facts', 'faq', 'help', 'processing', 'terms'])
  })

  it('name only payout methods that the submission form offers', () => {
    const offered = paymentTypesOn('submission').map((type) => paymentRules[type].label)
    expect(offered).toEqual(expect.arrayContaining([...landing.payouts.methods]))
    for (const method of offered) expect(textOf('faq').toLowerCase()).toContain(method.toLowerCase())
  })

  it('match the rates and quotes of the catalog on the landing page', () => {
    for (const { slug, rate } of landing.brands.samples) {
      expect(`${(brands.find(({ value }) => value === slug)?.rate ?? 0) / 100}%`).toBe(rate)
    }
    for (const { brand, faceValue, pays } of landing.quickValues.examples) {
      const listed = brands.find(({ name }) => name.endsWith(brand))
      expect(quote(listed, faceValue).quote?.pays).toBe(parseDollars(pays))
    }
  })

  it('match the checked limits of a password', () => {
    expect(textOf('terms')).toContain(`${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`)
  })
})
