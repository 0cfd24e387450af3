import { expect, it } from 'vitest'
import { closedDays, openFridays } from '#test/nacha/federal-holidays.ts'
import {
  bankDayAfter,
  easternTime,
  isBankDay,
  nextCutoff,
  nextSameDayCutoff,
  sameDayOf,
  settlementDay,
} from './bank-days.ts'

it('knows every banking day of 2026 to 2028', () => {
  const published = new Set(Object.values(closedDays).flat())
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2029, 0, 1); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    const isWeekend = new Date(at).getUTCDay() % 6 === 0
    expect([day, isBankDay(day)]).toEqual([day, !isWeekend && !published.has(day)])
  }
  expect(openFridays.filter(isBankDay)).toEqual(openFridays)
})

it.each([
  ['on a Monday', '2026-11-23T10:00-05:00', '2026-11-24'],
  ['before the cutoff', '2026-11-23T16:59-05:00', '2026-11-24'],
  ['after the cutoff', '2026-11-23T17:00-05:00', '2026-11-25'],
  ['in the night, when it is Tuesday in London', '2026-11-23T23:00-05:00', '2026-11-25'],
  ['on a Friday', '2026-11-20T10:00-05:00', '2026-11-23'],
  ['on a Friday evening', '2026-11-20T20:00-05:00', '2026-11-24'],
  ['on a Saturday', '2026-11-21T10:00-05:00', '2026-11-24'],
  ['on the day before Thanksgiving', '2026-11-25T10:00-05:00', '2026-11-27'],
  ['on Thanksgiving', '2026-11-26T10:00-05:00', '2026-11-30'],
  ['before a holiday on a Saturday', '2026-07-02T10:00-04:00', '2026-07-03'],
  ['before a holiday on a Sunday', '2027-07-02T10:00-04:00', '2027-07-06'],
  ['on the last day of a year', '2026-12-31T10:00-05:00', '2027-01-04'],
])('a file made %s settles a banking day after it is processed', (_, madeAt, day) => {
  expect(settlementDay(new Date(madeAt), { cutoff: 17 * 60 })).toBe(day)
})

it.each([
  ['on a Monday morning', '2026-11-23T10:00-05:00', '2026-11-23T22:00:00.000Z', '2026-11-24'],
  ['on a Monday evening', '2026-11-23T17:00-05:00', '2026-11-24T22:00:00.000Z', '2026-11-25'],
  ['before Thanksgiving', '2026-11-25T16:59-05:00', '2026-11-25T22:00:00.000Z', '2026-11-27'],
  ['on Thanksgiving', '2026-11-26T10:00-05:00', '2026-11-27T22:00:00.000Z', '2026-11-30'],
  ['on the day before summer time', '2026-03-06T18:00-05:00', '2026-03-09T21:00:00.000Z', '2026-03-10'],
])('the next cut-off %s', (_, now, at, settlesOn) => {
  expect(nextCutoff(new Date(now), { cutoff: 17 * 60 })).toEqual({ at: new Date(at), settlesOn })
})

it.each([
  ['on a Monday morning', '2026-11-23T10:00-05:00', '2026-11-23T19:45:00.000Z', '2026-11-23', true],
  ['at the cut-off', '2026-11-23T14:45-05:00', '2026-11-24T19:45:00.000Z', '2026-11-24', false],
  ['on Thanksgiving', '2026-11-26T10:00-05:00', '2026-11-27T19:45:00.000Z', '2026-11-27', false],
  ['on a Saturday', '2026-11-28T10:00-05:00', '2026-11-30T19:45:00.000Z', '2026-11-30', false],
  ['late on a Sunday in New York', '2026-11-30T02:00Z', '2026-11-30T19:45:00.000Z', '2026-11-30', false],
])('the next cut-off for the same day %s', (_, now, at, settlesOn, isToday) => {
  const bank = { sameDayCutoff: 14 * 60 + 45 }
  expect(nextSameDayCutoff(new Date(now), bank)).toEqual({ at: new Date(at), settlesOn })
  expect(sameDayOf(new Date(now), bank)).toBe(isToday ? settlesOn : undefined)
  expect(nextSameDayCutoff(new Date(now), {})).toBeUndefined()
})

it('a bank may close earlier, to the minute', () => {
  const bank = { cutoff: 14 * 60 + 30 }
  expect(settlementDay(new Date('2026-11-23T14:29-05:00'), bank)).toBe('2026-11-24')
  expect(settlementDay(new Date('2026-11-23T14:30-05:00'), bank)).toBe('2026-11-25')
})

it('knows the time in New York in summer and in winter', () => {
  expect(easternTime(new Date('2026-07-01T03:59:00Z'))).toEqual({ day: '2026-06-30', hour: 23, minute: 59 })
  expect(easternTime(new Date('2026-12-01T05:00:00Z'))).toEqual({ day: '2026-12-01', hour: 0, minute: 0 })
})

it('counts banking days over weekends and holidays', () => {
  expect(bankDayAfter('2026-11-24', 3)).toBe('2026-11-30')
  expect(bankDayAfter('2026-12-23', 3)).toBe('2026-12-29')
  expect(bankDayAfter('2026-12-30', 3)).toBe('2027-01-05')
})
