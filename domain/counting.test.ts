import { expect, it } from 'vitest'
import { showCount } from './counting.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1001, '1,000+'],
])('shows a total of %i as %s', (count, shown) => {
  expect(showCount(count)).toBe(shown)
})
