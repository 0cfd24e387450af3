import { expect, it } from 'vitest'
import { reasonCategoriesFor, reasonCodes } from './reasons.ts'
import { moves } from './submission.ts'

it('has 26 reasons to reject a card, in the five categories of the spec', () => {
  expect(reasonCategoriesFor('reject').map(({ code, reasons }) => [code, reasons.length])).toEqual([
    ['image', 6],
    ['card', 6],
    ['usage', 4],
    ['type', 6],
    ['note', 4],
  ])
})

it('has texts to choose from for every move of staff that needs one, each with its own code', () => {
  const asking = moves.filter(({ by, needs }) => by === 'staff' && needs)
  for (const { name } of asking) expect(reasonCategoriesFor(name), name).not.toEqual([])
  expect(new Set(reasonCodes).size).toBe(reasonCodes.length)
})
