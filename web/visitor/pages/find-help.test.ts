import { expect, it } from 'vitest'
import { faqCopy } from '#web/words/faq.ts'
import { helpCopy } from '#web/words/help.ts'
import { findHelp } from './find-help.ts'

const titles = (search: string) => findHelp(search).map(({ title }) => title)

it('finds topics, questions and what only an answer says, in any case', () => {
  expect(titles('FORGOTTEN')).toEqual(['Forgotten password'])
  expect(titles('what does it cost')).toEqual(['What does it cost to sell a card?'])
  expect(titles('listing FEE')).toEqual(['What does it cost to sell a card?'])
})

it('wants every word, in any order', () => {
  expect(titles('address email')).toEqual([])
  expect(titles('balance  partial')).toContain('Cards with a partial balance')
  expect(titles('balance xylophone')).toEqual([])
})

it('shows what names the words before what only mentions them', () => {
  const found = titles('rejected')
  expect(found[0]).toBe('A card was rejected or a payment failed')
})

it('takes a straight apostrophe for a curly one, and blanks for nothing', () => {
  const entries = [{ title: 'Other people’s cards', text: '', to: '/' }]
  expect(findHelp("people's", entries)).toEqual(entries)
  expect(findHelp('  ')).toEqual([])
})

it('takes what has a meaning in patterns literally', () => {
  expect(findHelp('.*')).toEqual([])
  expect(findHelp('(')).toEqual([])
})

it('finds every topic and every question by its own name', () => {
  const names = [
    ...helpCopy.groups.flatMap(({ topics }) => topics.map(({ title }) => title)),
    ...faqCopy.questions.map(({ question }) => question),
  ]
  for (const name of names) expect(titles(name)).toContain(name)
})
