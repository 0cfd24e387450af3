import { expect, it } from 'vitest'
import { faqCopy } from '#web/words/faq.ts'
import { helpCopy } from '#web/words/help.ts'
import { findHelp } from './find-help.ts'

const titles = (search: string) => findHelp(search).map(({ title }) => title)

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
  expect(findHelp('  ')).toEqual([])
})

it('treats special characters of regular expressions as text', () => {
  expect(findHelp('.*')).toEqual([])
  expect(findHelp('(')).toEqual([])
})

it('finds every topic and every question by its title', () => {
  const names = [
    ...helpCopy.groups.flatMap(({ topics }) => topics.map(({ title }) => title)),
    ...faqCopy.questions.map(({ question }) => question),
  ]
  for (const name of names) expect(titles(name)).toContain(name)
})
