import { expect, it } from 'vitest'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { readWords } from '#words/catalogs.ts'
import { findHelp, helpEntries } from './find-help.ts'
import { answerTo } from './questions.ts'

const words = readWords({ product: 'Unspent' })
const english = helpEntries(words.en)
const titles = (search: string) => findHelp(search, english).map(({ title }) => title)

it('searches topics, questions and answers, ignoring case', () => {
  expect(titles('FORGOTTEN')).toEqual(['Forgotten password'])
  expect(titles('what does it cost')).toEqual(['What does it cost to sell a card?'])
  expect(titles('listing FEE')).toEqual(['What does it cost to sell a card?'])
})

it('requires every word, in any order', () => {
  expect(titles('address email')).toEqual([])
  expect(titles('balance  partial')).toContain('Cards with a partial balance')
  expect(titles('balance xylophone')).toEqual([])
})

it('lists matches in titles before matches in texts', () => {
  const found = titles('rejected')
  expect(found[0]).toBe('A card was rejected or a payment failed')
})

it('matches a straight apostrophe to a curly one, and ignores blanks', () => {
  const entries = [{ title: 'Other people’s cards', text: '', to: '/' }]
  expect(findHelp("people's", entries)).toEqual(entries)
  expect(findHelp('  ', english)).toEqual([])
})

it('treats special characters of regular expressions as text', () => {
  expect(findHelp('.*', english)).toEqual([])
  expect(findHelp('(', english)).toEqual([])
})

it('finds every topic and every question by its title, in both languages', () => {
  for (const entries of [english, helpEntries(words.es)]) {
    for (const entry of entries) expect(findHelp(entry.title, entries)).toContain(entry)
  }
})

it('finds Spanish words typed without accents', () => {
  const found = findHelp('cuanto tarda la verificacion', helpEntries(words.es))
  expect(found[0]?.title).toBe('Cuánto tarda la verificación')
})

it('names every payout method of the submission form', () => {
  const answer = answerTo('payout-methods', words.en).toLowerCase()
  for (const type of paymentTypesOn('submission'))
    expect(answer).toContain(words.en(`payments.type.${type}`).toLowerCase())
})
