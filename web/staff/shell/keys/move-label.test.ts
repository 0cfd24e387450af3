import { expect, it } from 'vitest'
import { moves, movesFrom } from '#domain/submission.ts'
import { moveLabel } from './move-label.ts'

it.each([
  ['pending', ['Start Processing', 'Approve & Complete', 'Reject', 'Request Information', 'Make Offer']],
  ['under_review', ['Resume Review', 'Reject', 'Make Offer']],
  ['offered', ['Rescind Offer']],
  ['processing', ['Mark Complete', 'Mark Failed']],
  ['completed', ['Revert to Processing']],
  ['rejected', ['Revert to Processing']],
  ['failed', ['Revert to Processing']],
] as const)('staff see these buttons for a %s submission', (status, labels) => {
  expect(movesFrom(status, 'staff').map(moveLabel)).toEqual(labels)
})

it('every move of staff has its own label', () => {
  const labels = moves.filter(({ by }) => by === 'staff').map(moveLabel)
  expect(labels.filter((label) => label.startsWith('Move to'))).toEqual([])
})
