import { describe, expect, it } from 'vitest'
import {
  inDollars,
  MAX_CENTS,
  parseDollars,
  parseTypedDollars,
  shareOf,
  toDecimal,
  toDollars,
  toShortDollars,
} from './money.ts'

const asBrowsersDo = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

describe('money', () => {
  it.each([
    ['25', 2500],
    [25.25, 2525],
    ['.5', 50],
    ['1.10', 110],
    [' 7 ', 700],
    ['1.500', 150],
    ['-3', -300],
    ['99999999.99', 9_999_999_999],
  ])('parses %s', (amount, cents) => expect(parseDollars(amount)).toBe(cents))

  it.each([
    '',
    '.',
    'abc',
    '1e3',
    '1,000',
    '0.001',
    '0x10',
    'NaN',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '100000000',
  ])('does not parse %s', (amount) => expect(parseDollars(amount)).toBeUndefined())

  it.each([
    ['12,50', 1250],
    ['12,5', 1250],
    [',50', 50],
    ['12,', 1200],
    ['1250,00', 125_000],
    ['1,250', 125_000],
    ['1,250.50', 125_050],
    ['1.250,50', 125_050],
    ['1.234.567,8', 123_456_780],
    ['12,345,678', 1_234_567_800],
    ['12.50', 1250],
    [' $ 100 ', 10_000],
  ])('reads %s as it was meant', (typed, cents) => expect(parseTypedDollars(typed)).toBe(cents))

  it.each([
    '',
    '$',
    ',',
    '0,125',
    '1,25,0',
    '12,3456',
    '1,250,00',
    '1.25,50',
    '1.250,500',
    '1,2500',
    '12,50.00',
    '1 250',
  ])('refuses what was typed as %j', (typed) => expect(parseTypedDollars(typed)).toBeUndefined())

  it('is formatted with two decimal places', () => {
    expect([toDecimal(9300), toDecimal(5), toDecimal(-105)]).toEqual(['93.00', '0.05', '-1.05'])
    expect(toDollars(123_456_789)).toBe('$1,234,567.89')
    expect([toShortDollars(2500), toShortDollars(200_000), toShortDollars(125_050)]).toEqual([
      '$25',
      '$2,000',
      '$1,250.50',
    ])
  })

  it('is rounded half up, where floating point would not be', () => {
    expect(shareOf(2525, 8200)).toBe(2071)
    expect(shareOf(10_000, 9300)).toBe(9300)
    expect(shareOf(50, 8900)).toBe(45)
  })

  it.each([0, 1, 99, 100, 99_999, 100_000, 123_456_789, MAX_CENTS, -5, -123_456])(
    '%d cents are written as dollars',
    (cents) => {
      expect(toDollars(cents)).toBe(asBrowsersDo.format(cents / 100))
    },
  )
})

it('formats a sum above the largest amount', () => {
  expect(inDollars('12345678901.20')).toBe('$12,345,678,901.20')
})
