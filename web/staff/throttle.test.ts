import { afterEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

afterEach(() => void vi.useRealTimers())

test('runs at once, and once more at the end for all calls in between', () => {
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
