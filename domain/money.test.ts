import { expect, it } from 'vitest'
import { inDollars, MAX_CENTS, toDollars } from './money.ts'

const asBrowsersDo = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

it.each([0, 1, 99, 100, 99_999, 100_000, 123_456_789, MAX_CENTS, -5, -123_456])(
  '%d cents are written as dollars',
  (cents) => {
    expect(toDollars(cents)).toBe(asBrowsersDo.format(cents / 100))
  },
)

it('writes a sum beyond the largest amount, too', () => {
  expect(inDollars('12345678901.20')).toBe('$12,345,678,901.20')
})
