import { expect, test } from 'vitest'
import { idsBetween } from './use-selection.ts'

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))

test.each([
  ['b', 'd', ['b', 'c', 'd']],
  ['d', 'b', ['b', 'c', 'd']],
  ['c', 'c', ['c']],
])('selects from %s to %s', (first, second, ids) => {
  expect(idsBetween(rows, first, second)).toEqual(ids)
})

test('selects one payout if the other has left the list', () => {
  expect(idsBetween(rows, 'gone', 'd')).toEqual(['d'])
})
