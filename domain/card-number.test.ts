import { describe, expect, it } from 'vitest'
import {
  cardCharactersProblem,
  cardNumberProblem,
  comparedNumber,
  isNoCardNumber,
  lastFour,
  looksLikeCardNumber,
  maskCardLike,
  maskCardNumber,
  maskCards,
  maskNumbers,
  normalizeCardNumber,
  revealsCard,
} from './card-number.ts'

describe('a card number', () => {
  it.each([
    ['1234 5678-9012', '123456789012'],
    ['\tab-cd\u00a0ef\n', 'ABCDEF'],
    ['12–34—56−78', '12345678'],
    ['\u200b１２３４\u200d', '1234'],
    ['', ''],
    ['6006.4930/1234_5678', '6006493012345678'],
    ['6006493012345678\u0430', '6006493012345678'],
    ['6006493012345678\u0301\u034f\u3164\u2800', '6006493012345678'],
    ['0012', '0012'],
    ['1O0I', '1O0I'],
  ])('%j is compared as %j', (written, compared) => {
    expect(normalizeCardNumber(written)).toBe(compared)
  })

  it.each([
    '6006 4912 3456 7890',
    'X-1-Y-2',
    'XMG-ABCD',
    '1234',
    '１２３４',
    '12–34−56',
    'ab\u00a0cd',
    'N/A',
    ' n / a ',
  ])('is accepted as %j', (number) => expect(cardNumberProblem(number)).toBeUndefined())

  it.each(['ab', '123', '- - - - -', 'none'.slice(0, 2)])('is refused as %j', (number) =>
    expect(cardNumberProblem(number)).toBe('card_number_incomplete'),
  )

  it.each([
    '?!?!',
    '6006493012345678.',
    '6006/4930/1234/5678',
    '6006_4930',
    '6006493012345678\u0430',
    'ЅТЕАМ 1234',
    '٦٠٠٦٤٩٣٠',
    '6006493\u0301',
    ...['\u034f', '\u3164', '\u2800', '\u200b', '\ufeff', '\u00ad', '\u0131'].map((odd) => `1234${odd}5678`),
  ])('and a PIN cannot be %j', (text) => {
    expect(cardNumberProblem(text)).toBe('card_characters')
    expect(cardCharactersProblem(text)).toBe('card_characters')
  })

  it('is compared, or else the code in the PIN field', () => {
    expect(comparedNumber('6006-4930', '12345678')).toBe('60064930')
    expect(comparedNumber('N/A', 'xmg-1234-abcd')).toBe('XMG1234ABCD')
    expect(comparedNumber('N/A')).toBeNull()
    expect(comparedNumber('N/A', '9876543')).toBeNull()
    expect(comparedNumber('N/A', 'Scratched off')).toBeNull()
    expect(comparedNumber('٦٠٠٦', '')).toBeNull()
  })

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

  it('never shows more than half', () => {
    for (let length = 1; length <= 40; length++) {
      expect(lastFour('7'.repeat(length))?.length).toBeLessThanOrEqual(length / 2)
    }
  })

  it('is masked except for its end', () => {
    expect(maskCardNumber('1234')).toBe('•••• 1234')
    expect(maskCardNumber('')).toBe('••••')
    expect(maskCardNumber(null)).toBe('N/A')
  })

  it('can be entered as N/A', () => {
    expect(['N/A', ' n/a '].every(isNoCardNumber)).toBe(true)
    expect(['', 'NA', 'N/A1', '1234'].some(isNoCardNumber)).toBe(false)
  })
})

describe('text with a card number', () => {
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
  ])('is not found in: %s', (text) => {
    expect(looksLikeCardNumber(text)).toBe(false)
    expect(maskCardLike(text)).toBe(text)
  })

  it('is masked completely, as the last digits may be the PIN', () => {
    expect(maskCardLike('a 6006 4930 1234 5678 9876 b 4111111111111111')).toBe('a •••• b ••••')
    expect(maskCardLike('My 2 cards: 6006493012345678, PIN 9876')).toBe('My 2 cards: ••••, PIN ••••')
  })
})

it.each([
  ['The PIN is 9876', 'The PIN is ••••'],
  ['6006-4930 1234 5678 is the same card', '•••• is the same card'],
  ['Code AS6D-PXQ9WR-4T7B', 'Code ••••-••••-••••'],
  ['Sold 2 cards, 40 days and $100 apart', 'Sold 2 cards, 40 days and $100 apart'],
  ['As in 01890000-abcd-7000-8000-000000000000', 'As in 01890000-abcd-7000-8000-000000000000'],
])('numbers are masked in %j', (text, masked) => {
  expect(maskNumbers(text)).toBe(masked)
})

describe('text that names a PIN or code', () => {
  it.each([
    ['My PIN is 5521', 'My PIN is ••••'],
    ['PIN: 5521', 'PIN: ••••'],
    ['pin 55214433, thanks', 'pin ••••, thanks'],
    ['PIN code is #5521', 'PIN code is #••••'],
    ['code 9AXQ-77KL-2PPO', 'code ••••'],
    ['mi PIN es 5521', 'mi PIN es ••••'],
    ['El código de seguridad es 552.', 'El código de seguridad es ••••.'],
    ['Codigo: ABCD-77KL-2PPO', 'Codigo: ••••'],
  ])('%s', (text, masked) => {
    expect(looksLikeCardNumber(text)).toBe(true)
    expect(maskCards(text)).toBe(masked)
  })

  it.each([
    'The PIN is scratched',
    'The PIN is under the strip, I bought it in 2024',
    'The PIN has 4 digits',
    'Zip code 33101, area code 305',
    'Mi código postal es 33101',
    'The error code 500 is shown',
    'Pinned in 2024',
    'The code is partly scratched: see the receipt of 2024',
  ])('is not found in: %s', (text) => expect(looksLikeCardNumber(text)).toBe(false))
})

it('shows the numbers of a card, however they are written', () => {
  expect(revealsCard('It says 55-21 on the back', ['6006 4930', '5521'])).toBe(true)
  expect(revealsCard('It begins with 6006-4930', ['60064930', ''])).toBe(true)
  expect(revealsCard('Bought in 2024', ['6006 4930', '5521'])).toBe(false)
  expect(revealsCard('None of it is used', ['none', ''])).toBe(false)
})

describe('text for people who may not see cards', () => {
  it.each([
    ['It is 6006 4930 1234 5678, PIN 9876', 'It is ••••, PIN ••••'],
    ['6006.4930/1234_5678', '••••'],
    ['Code AS6D-PXQ9WR-4T7B, PIN 123', 'Code ••••, PIN ••••'],
    ['x7hgkd92pqrs4n6t!', '••••!'],
    ['XMG7 ABCD 1234 WXYZ', '••••'],
  ])('masks the card in %j', (text, masked) => expect(maskCards(text)).toBe(masked))

  it.each([
    'Sent back on 2026-11-21: $1,250.00 to the account ending in 4321',
    'Call 212-555-5942 or sally12345678@example.com',
    'Same card as 01890000-abcd-7000-8000-000000000000, reference 2B91-CCF8',
    'A well-known, long-established shop',
    'GIFT CARD from the SHOP',
  ])('keeps %j', (text) => expect(maskCards(text)).toBe(text))
})
