import { expect, test } from 'vitest'
import { movesFrom, statuses } from '#domain/submission.ts'
import { actionOf, deskKeys, keysOf, keyTable } from './key-table.ts'

test.each(statuses)('gives each button of a %s submission its own key', (status) => {
  const actions = movesFrom(status, 'staff').map(actionOf)
  expect(new Set(actions).size).toBe(actions.length)
})

test.each([[deskKeys], [['Photo viewer']], [['Tabs']], [['Chat']], [['Payouts']], [['Inventory']]] as const)(
  'gives each key one action in %s',
  (places) => {
    const keys = keysOf(...places).flatMap((key) => key.keys.map((name) => name.toLowerCase()))
    expect(new Set(keys).size).toBe(keys.length)
  },
)

test('lists moves under the labels of their buttons', () => {
  expect(keyTable.approve.does).toBe('Approve & Complete · Mark Complete')
  expect(keyTable.goBack.does).toBe('Resume Review · Rescind Offer · Revert to Processing')
})
