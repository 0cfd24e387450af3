import { expect, it } from 'vitest'
import { type OpeningHours, openingAt } from './opening-hours.ts'

const day = [9 * 60, 18 * 60] as const
const weekdays = { mon: day, tue: day, wed: day, thu: day, fri: day }
const newYork: OpeningHours = { zone: 'America/New_York', week: weekdays }
const daily: OpeningHours = { zone: 'America/New_York', week: { ...weekdays, sat: day, sun: day } }
const night = [0, 24 * 60] as const

it.each<[string, OpeningHours, string, boolean, string | undefined]>([
  // 2026-11-23 is a Monday; New York is five hours behind UTC.
  ['in the middle of the day', newYork, '2026-11-23T16:00:00Z', true, '2026-11-23T23:00:00Z'],
  ['before it opens', newYork, '2026-11-23T12:00:00Z', false, '2026-11-23T14:00:00Z'],
  ['a millisecond before it opens', newYork, '2026-11-23T13:59:59.999Z', false, '2026-11-23T14:00:00Z'],
  ['as it opens', newYork, '2026-11-23T14:00:00Z', true, '2026-11-23T23:00:00Z'],
  ['a millisecond before it closes', newYork, '2026-11-23T22:59:59.999Z', true, '2026-11-23T23:00:00Z'],
  ['as it closes', newYork, '2026-11-23T23:00:00Z', false, '2026-11-24T14:00:00Z'],
  ['in the evening', newYork, '2026-11-24T02:00:00Z', false, '2026-11-24T14:00:00Z'],
  ['on Friday evening', newYork, '2026-11-28T00:00:00Z', false, '2026-11-30T14:00:00Z'],
  ['on a closed day', newYork, '2026-11-28T17:00:00Z', false, '2026-11-30T14:00:00Z'],
  [
    'after its only day',
    { ...newYork, week: { mon: day } },
    '2026-11-24T00:00:00Z',
    false,
    '2026-11-30T14:00:00Z',
  ],
  // Clocks go forward on 2026-03-08 and back on 2026-11-01, both Sundays, at 2 AM.
  ['in the night when clocks go forward', daily, '2026-03-08T03:00:00Z', false, '2026-03-08T13:00:00Z'],
  ['on the day when clocks go forward', daily, '2026-03-08T21:59:00Z', true, '2026-03-08T22:00:00Z'],
  ['in the night when clocks go back', daily, '2026-11-01T03:00:00Z', false, '2026-11-01T14:00:00Z'],
  ['on the day when clocks go back', daily, '2026-11-01T22:59:00Z', true, '2026-11-01T23:00:00Z'],
  // Another day there than in UTC: Monday, 8 AM in Auckland.
  [
    'ahead of UTC',
    { ...newYork, zone: 'Pacific/Auckland' },
    '2026-11-22T19:00:00Z',
    false,
    '2026-11-22T20:00:00Z',
  ],
  [
    'over midnight',
    { zone: 'Etc/UTC', week: { mon: night, tue: day } },
    '2026-11-23T12:00:00Z',
    true,
    '2026-11-24T00:00:00Z',
  ],
  [
    'over midnight into the next day',
    { zone: 'Etc/UTC', week: { mon: night, tue: [0, 120] } },
    '2026-11-23T12:00:00Z',
    true,
    '2026-11-24T02:00:00Z',
  ],
  [
    'at any time',
    {
      zone: 'America/New_York',
      week: { mon: night, tue: night, wed: night, thu: night, fri: night, sat: night, sun: night },
    },
    '2026-11-01T06:30:00Z',
    true,
    undefined,
  ],
])('says when it opens and closes %s', (_, hours, now, isOpen, changesAt) => {
  const opening = openingAt(hours, new Date(now))
  expect(opening).toEqual({ isOpen, changesAt: changesAt === undefined ? undefined : new Date(changesAt) })
})
