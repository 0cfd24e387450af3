import { expect, it } from 'vitest'
import { ago } from './ago.ts'

it.each([
  [-500, 'just now'],
  [0, 'just now'],
  [999, 'just now'],
  [1000, '1 second ago'],
  [12_900, '12 seconds ago'],
  [60_000, '1 minute ago'],
  [3_599_999, '59 minutes ago'],
  [7_200_000, '2 hours ago'],
  [86_400_000, '1 day ago'],
  [30 * 86_400_000, '30 days ago'],
])('says %d milliseconds as "%s"', (milliseconds, words) => expect(ago(milliseconds)).toBe(words))
