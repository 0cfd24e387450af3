import { expect, test } from 'vitest'
import { movesFrom, statuses } from '#domain/submission.ts'
import { actionOf, keysOf, keyTable } from './key-table.ts'

test.each(statuses)('no two buttons of a %s submission share a key', (status) => {
  const actions = movesFrom(status, 'staff').map(actionOf)
  expect(new Set(actions).size).toBe(actions.length)
})

test.each(['Submissions', 'Photo viewer', 'Tabs'] as const)('no key does two things in: %s', (where) => {
  const keys = keysOf(where).flatMap((key) => key.keys.map((name) => name.toLowerCase()))
  expect(new Set(keys).size).toBe(keys.length)
})

test('the list of keys calls the moves as their buttons do', () => {
  expect(keyTable.approve.does).toBe('Approve & Complete · Mark Complete')
  expect(keyTable.goBack.does).toBe('Resume Review · Revert to Processing')
})
