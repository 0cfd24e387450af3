import { afterEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

afterEach(() => void vi.useRealTimers())

test('runs the first call at once and all others together at the end', () => {
  vi.useFakeTimers()
  const run = vi.fn()
  const calm = throttle(run, 1000)
  calm()
  expect(run).toHaveBeenCalledTimes(1)
  calm()
  calm()
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  expect(run).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(5000)
  expect(run).toHaveBeenCalledTimes(2)
  calm()
  expect(run).toHaveBeenCalledTimes(3)
})
