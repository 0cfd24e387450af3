import { expect, it } from 'vitest'
import { endOfReference, referenceOf } from './reference.ts'

it('is the end of the id in two groups, and leads back to it', () => {
  const id = '01a20697-ae95-77ec-b423-52e02b91ccf8'
  expect(referenceOf(id)).toBe('2B91-CCF8')
  expect(endOfReference(' 2b91-CCF8 ')).toBe('2b91ccf8')
  expect(id.endsWith(endOfReference(referenceOf(id)) ?? '?')).toBe(true)
})

it.each(['2b91ccf8', '2b91-ccf', '2b91-ccf8-', 'amaz-on12', ''])('%o is no reference', (text) => {
  expect(endOfReference(text)).toBeUndefined()
})
