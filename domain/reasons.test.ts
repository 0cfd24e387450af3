import { expect, it } from 'vitest'
import { reasonCategories, reasonCodes } from './reasons.ts'

it('has 26 reasons in the five categories of the spec, each with its own code', () => {
  expect(reasonCategories.map(({ code, reasons }) => [code, reasons.length])).toEqual([
    ['image', 6],
    ['card', 6],
    ['usage', 4],
    ['type', 6],
    ['note', 4],
  ])
  expect(new Set(reasonCodes).size).toBe(26)
})
