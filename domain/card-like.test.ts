import { describe, expect, it } from 'vitest'
import { looksLikeCardNumber, maskCardLike } from './card-like.ts'

describe('what looks like a card number', () => {
  it.each([
    '6006493012345678',
    'my card is 6006 4930 1234 5678, thanks',
    '6006-4930-1234-5678',
    '6006 – 4930 – 1234 – 5678',
    '6006.4930.1234.5678',
    '6006 4930\n1234 5678',
    '6\u200b006493012345678',
    '６００６４９３０１２３４５６７８',
    '1234567890123',
    '6006493012345678901',
    '6006 4930 1234 5678 pin 9876',
    '6006493012345678 9876',
  ])('%s', (text) => {
    expect(looksLikeCardNumber(text)).toBe(true)
    expect(maskCardLike(text)).not.toMatch(/\p{Nd}{3}/u)
  })

  it.each([
    '',
    'Hello',
    '123456789012',
    'call +1 (555) 123-4567',
    'order 123456 of 2026-11-21',
    '$100.00, $200.00 and $300.00',
    '01890000-abcd-7000-8000-000000000000',
  ])('%s does not', (text) => {
    expect(looksLikeCardNumber(text)).toBe(false)
    expect(maskCardLike(text)).toBe(text)
  })

  it('is masked to the last digit, as those may be its PIN', () => {
    expect(maskCardLike('a 6006 4930 1234 5678 9876 b 4111111111111111')).toBe('a •••• b ••••')
    expect(maskCardLike('My 2 cards: 6006493012345678, PIN 9876')).toBe('My 2 cards: ••••, PIN ••••')
  })
})
