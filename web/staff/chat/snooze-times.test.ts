import { expect, test } from 'vitest'
import { snoozeTimes } from './snooze-times.ts'

// November 23, 2026 is a Monday. Months count from 0.
test.each([
  ['a Monday morning', new Date(2026, 10, 23, 7, 30), [new Date(2026, 10, 24, 9), new Date(2026, 10, 30, 9)]],
  ['a Saturday', new Date(2026, 10, 28, 14), [new Date(2026, 10, 29, 9), new Date(2026, 10, 30, 9)]],
  ['a Sunday', new Date(2026, 10, 29, 23, 59), [new Date(2026, 10, 30, 9)]],
  ['the end of a year', new Date(2026, 11, 31, 12), [new Date(2027, 0, 1, 9), new Date(2027, 0, 4, 9)]],
])('snoozes on %s', (_, now, mornings) => {
  const inAnHour = new Date(now.getTime() + 3_600_000)
  expect(snoozeTimes(now).map(({ until }) => until)).toEqual([inAnHour, ...mornings])
})
