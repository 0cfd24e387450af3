import { expect, it } from 'vitest'
import { differsFromPhoto, scanNumbers, suggestedNumbers } from './scan.ts'

const NUMBER = '6035718312344821'

it.each([
  ['a card number', NUMBER, [NUMBER]],
  ['a number in groups', '6035 7183-1234 4821', [NUMBER]],
  ['a code of letters and digits', 'aq2r-xk93td-7hlm', ['AQ2RXK93TD7HLM']],
  ['a UPC', '041220000005', []],
  ['an EAN', '4006381333931', []],
  ['a product code behind its GS1 identifier', '0100041220000005', []],
  ['12 digits that are no product code', '041220000006', ['041220000006']],
  ['a package with an activation code', '041220000051234567890123456789', []],
  ['a link', 'https://example.com/balance?id=6035718312344821', []],
  ['words', 'GIFTCARDGIFTCARD', []],
  ['a short number', '123456789', []],
  ['no number', 'N/A', []],
  ['nothing', '', []],
])('suggests only what may be the card number: %s', (_what, text, suggested) => {
  expect(suggestedNumbers([text], 'target')).toEqual(suggested)
})

it('suggests for payment cards only numbers with a valid check digit', () => {
  const texts = ['4111111111111112', '4111 1111 1111 1111', '378282246310005', '41111111111111']
  for (const brand of ['visa', 'mastercard', 'onevanilla']) {
    expect(suggestedNumbers(texts, brand)).toEqual(['4111111111111111', '378282246310005'])
  }
})

it('suggests each number once, and at most three', () => {
  const texts = [NUMBER, '6035 7183 1234 4821', ...[1, 2, 3].map((digit) => `${digit}00000000000000`)]
  expect(suggestedNumbers(texts, 'target')).toEqual([NUMBER, '100000000000000', '200000000000000'])
})

it('suggests nothing that was read only once', async () => {
  let reads = 0
  const misread = () => Promise.resolve([`${NUMBER}${reads++ % 2 ? '' : reads}`.slice(0, 19), String(reads)])
  expect(
    await scanNumbers((_side, angle) => (angle === 0 ? misread() : Promise.resolve([])), 'target'),
  ).toEqual([])
  expect(await scanNumbers(() => Promise.resolve([NUMBER, NUMBER]), 'target')).toEqual([NUMBER])
})

it('turns the photo until it finds a number', async () => {
  const tilted = (_side: number, angle: number) =>
    Promise.resolve(angle === 45 ? [NUMBER] : ['https://example.com'])
  expect(await scanNumbers(tilted, 'target')).toEqual([NUMBER])
  expect(await scanNumbers(() => Promise.resolve(['https://example.com']), 'target')).toEqual([])
})

it.each([
  ['6035 7183 1234 4821', false],
  ['6035718312344812', true],
  ['60357183', true],
  ['N/A', true],
  ['', false],
])('compares a typed %j with the photo: differs %s', (typed, differs) => {
  expect(differsFromPhoto(typed, ['1000000000', NUMBER])).toBe(differs)
  expect(differsFromPhoto(typed, [])).toBe(false)
})
