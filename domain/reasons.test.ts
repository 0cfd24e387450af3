import { expect, it } from 'vitest'
import { isReasonFor, reasonCategoriesFor, reasonCodes } from './reasons.ts'
import { type MoveName, moves } from './submission.ts'

const rejections = [
  ['image', 6],
  ['card', 6],
  ['usage', 4],
  ['type', 6],
  ['note', 4],
]
const counted = (move: MoveName) =>
  reasonCategoriesFor(move).map(({ code, reasons }) => [code, reasons.length])

it('has 26 reasons to reject a card, in the five categories of the spec', () => {
  expect(counted('reject')).toEqual(rejections)
})

it('offers the same to fail a card, after the problems of payouts', () => {
  expect(counted('fail')).toEqual([['payout', 7], ...rejections])
  expect(isReasonFor('fail', 'image_blurry')).toBe(true)
  expect(isReasonFor('reject', 'payout_refused')).toBe(false)
  expect(reasonCodes.filter((code) => isReasonFor('revert', code))).toEqual([])
})

it('offers them beside the payout problems when a payout failed', () => {
  const codesFor = (move: 'reject' | 'fail') => reasonCategoriesFor(move).map(({ code }) => code)
  expect(codesFor('fail')).toEqual(['payout', ...codesFor('reject')])
})

it('has texts to choose from for every move of staff that needs one, each with its own code', () => {
  const asking = moves.filter(({ by, needs }) => by === 'staff' && needs)
  for (const { name } of asking) expect(reasonCategoriesFor(name), name).not.toEqual([])
  expect(new Set(reasonCodes).size).toBe(reasonCodes.length)
})
