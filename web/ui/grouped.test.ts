import { expect, it } from 'vitest'
import { grouped } from './grouped.ts'

it.each([0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 99_999_999])(
  '%d is written as people count',
  (count) => {
    expect(grouped(count)).toBe(count.toLocaleString('en-US'))
  },
)
