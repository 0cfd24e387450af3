import { afterEach, expect, test, vi } from 'vitest'
import { noteServerTime, serverNow } from './server-clock.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')
const headersWith = (date: string) => new Headers({ date, 'cache-control': 'no-store' })
afterEach(() => {
  noteServerTime(headersWith(new Date().toUTCString()))
  vi.useRealTimers()
})

test.each([
  ['a day fast', NOON + 86_400_000],
  ['three hours slow', NOON - 3 * 3_600_000],
  ['right', NOON],
])('follows the server when the clock of this computer is %s', (_, here) => {
  vi.useFakeTimers({ now: here })
  noteServerTime(headersWith('Sat, 21 Nov 2026 12:00:00 GMT'))
  expect(serverNow()).toBe(NOON)
  vi.setSystemTime(here + 59_000)
  expect(serverNow()).toBe(NOON + 59_000)
})

test('ignores delays, cacheable answers and invalid dates', () => {
  vi.useFakeTimers({ now: NOON + 900 })
  noteServerTime(headersWith('Sat, 21 Nov 2026 12:00:00 GMT'))
  expect(serverNow()).toBe(NOON + 900)
  noteServerTime(new Headers({ date: 'Sat, 21 Nov 2026 09:00:00 GMT', 'cache-control': 'max-age=60' }))
  noteServerTime(headersWith('yesterday'))
  expect(serverNow()).toBe(NOON + 900)
})
