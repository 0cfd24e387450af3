import { expect, test } from 'vitest'
import { ago } from './ago.ts'

const NOW = Date.UTC(2026, 10, 1)
const before = (seconds: number, short = false) => ago(NOW - seconds * 1000, NOW, short)

test('a time is told in its largest whole unit', () => {
  expect(before(12)).toBe('12 seconds ago')
  expect(before(60)).toBe('1 minute ago')
  expect(before(3_599)).toBe('59 minutes ago')
  expect(before(7_200)).toBe('2 hours ago')
  expect(before(3 * 86_400)).toBe('3 days ago')
})

test('a list has room for the short form only', () => {
  expect(before(12, true)).toBe('now')
  expect(before(180, true)).toBe('3 min')
  expect(before(7_200, true)).toBe('2 h')
  expect(before(3 * 86_400, true)).toBe('3 d')
})

test('a clock that is ahead makes nothing happen in the future', () => {
  expect(before(-5)).toBe('just now')
})
