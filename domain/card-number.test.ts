import { describe, expect, it } from 'vitest'
import {
  cardNumberProblem,
  isNoCardNumber,
  lastFour,
  maskCardNumber,
  normalizeCardNumber,
} from './card-number.ts'

describe('a card number', () => {
  it.each([
    ['1234 5678-9012', '123456789012'],
    ['\tab-cd\u00a0ef\n', 'ABCDEF'],
    ['12–34—56−78', '12345678'],
    ['\u200b１２３４\u200d', '1234'],
    ['', ''],
  ])('%j is compared as %j', (written, compared) => {
    expect(normalizeCardNumber(written)).toBe(compared)
  })

  it.each(['6006 4912 3456 7890', 'X-1-Y-2', 'XMG-ABCD', '1234', '１２３４', 'N/A', ' n / a '])(
    'may be %j',
    (number) => expect(cardNumberProblem(number)).toBeUndefined(),
  )

  it.each(['ab', '123', '- - - - -', 'none'.slice(0, 2), '?!?!'])('cannot be %j', (number) =>
    expect(cardNumberProblem(number)).toBe('Please enter the whole card number, or N/A if the card has none'),
  )

  it.each([
    ['6006 4912 3456 7890', '7890'],
    ['xmg-abcd', 'BCD'],
    ['12345678', '5678'],
    ['1234567', '567'],
    ['1234', '34'],
    ['12', '2'],
    ['1', ''],
    ['', ''],
    ['N/A', null],
  ])('%j shows only %j', (number, end) => {
    expect(lastFour(number)).toBe(end)
  })

  it('is never shown for the most part', () => {
    for (let length = 1; length <= 40; length++) {
      expect(lastFour('7'.repeat(length))?.length).toBeLessThanOrEqual(length / 2)
    }
  })

  it('is masked before its end', () => {
    expect(maskCardNumber('1234')).toBe('•••• 1234')
    expect(maskCardNumber('')).toBe('••••')
    expect(maskCardNumber(null)).toBe('N/A')
  })

  it('may be said not to exist', () => {
    expect(['N/A', ' n/a '].every(isNoCardNumber)).toBe(true)
    expect(['', 'NA', 'N/A1', '1234'].some(isNoCardNumber)).toBe(false)
  })
})
