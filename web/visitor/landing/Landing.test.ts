import { expect, test } from 'vitest'
import { brands } from '#domain/brands.ts'
import { parseDollars } from '#domain/money.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { quote } from '#domain/quote.ts'
import { payouts } from './Landing.tsx'
import { examples, otherPopularBrands, samples } from './samples.ts'

test('the sample brands have the rates of the catalog', () => {
  for (const { slug, rate } of samples) {
    expect(`${(brands.find(({ value }) => value === slug)?.rate ?? 0) / 100}%`).toBe(rate)
  }
})

test('the examples are quotes of the catalog', () => {
  for (const { brand, slug, faceValue, pays, block } of examples) {
    const listed = brands.find(({ value }) => value === slug)
    expect(listed?.name.endsWith(brand)).toBe(true)
    expect(quote(listed, faceValue).quote?.pays).toBe(parseDollars(pays))
    expect(block).toBe(`w-${(listed?.rate ?? 0) / 100}/100`)
  }
})

test('the payout methods are offered on the submission form', () => {
  expect(paymentTypesOn('submission')).toEqual(expect.arrayContaining([...payouts]))
})

test('the calculator offers the popular brands', () => {
  const popular = brands.filter((brand) => brand.popular).map(({ value }) => value)
  expect([...samples, ...otherPopularBrands].map(({ slug }) => slug).sort()).toEqual(popular.sort())
})
