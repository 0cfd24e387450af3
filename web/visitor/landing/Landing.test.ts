import { expect, test } from 'vitest'
import { brands } from '#domain/brands.ts'
import { parseDollars } from '#domain/money.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { quote } from '#domain/quote.ts'
import { examples } from './Hero.tsx'
import { payouts, samples } from './Landing.tsx'

test('the sample brands have the rates of the catalog', () => {
  for (const { slug, rate } of samples) {
    expect(`${(brands.find(({ value }) => value === slug)?.rate ?? 0) / 100}%`).toBe(rate)
  }
})

test('the examples are quotes of the catalog', () => {
  for (const { brand, faceValue, pays } of examples) {
    const listed = brands.find(({ name }) => name.endsWith(brand))
    expect(quote(listed, faceValue).quote?.pays).toBe(parseDollars(pays))
  }
})

test('the payout methods are offered on the submission form', () => {
  expect(paymentTypesOn('submission')).toEqual(expect.arrayContaining([...payouts]))
})
