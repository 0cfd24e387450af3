import { expect, it } from 'vitest'
import { dayIn, isTimeZone, startOfDay } from './shop-time.ts'

it.each([
  ['America/New_York', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['Mars/Olympus', false],
  ['+01:00', false],
  ['', false],
])('%j is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected)
})

it.each([
  ['America/New_York', '2026-03-01T04:59:59Z', '2026-02-28'],
  ['America/New_York', '2026-03-01T05:00:00Z', '2026-03-01'],
  ['Pacific/Auckland', '2026-03-01T12:00:00Z', '2026-03-02'],
  ['UTC', '2026-03-01T23:59:59Z', '2026-03-01'],
])('in %s, %s is on %s', (timeZone, at, day) => {
  expect(dayIn(timeZone, new Date(at))).toBe(day)
})

it.each([
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  ['Asia/Tokyo', '2026-03-09', '2026-03-08T15:00:00.000Z'],
])('in %s, %s starts at %s', (timeZone, day, at) => {
  expect(startOfDay(day, timeZone).toISOString()).toBe(at)
})
