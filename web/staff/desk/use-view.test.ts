import { expect, test } from 'vitest'
import { withChange } from '../list/use-address.ts'
import { closing, noFilters, readView, toQuery } from './use-view.ts'

const ID = '01a1fc7d-893a-73e9-8765-cc6d4069e99c'
const read = (address: string) => readView(new URLSearchParams(address))
const changed = (address: string, change: Parameters<typeof closing>[0]) =>
  withChange(new URLSearchParams(address), { ...closing(change) }).toString()

test('reads the view from the address', () => {
  const all = {
    q: 'maya',
    view: 'pay',
    status: 'pending',
    brand: 'amazon',
    age: '3',
    minAmount: '25',
    maxAmount: '100.50',
    paymentType: 'venmo',
    claimed: 'none',
    id: ID,
  }
  expect(read(new URLSearchParams(all).toString())).toEqual(all)
})

test('looks in all submissions for a search or a status, unless the address names a view', () => {
  expect(read('').view).toBe('review')
  expect(read('brand=amazon').view).toBe('review')
  expect(read('q=maya').view).toBe('all')
  expect(read('status=failed').view).toBe('all')
  expect(read('q=maya&view=done').view).toBe('done')
})

test('ignores invalid filters', () => {
  const nonsense =
    'q=%20&view=lost&status=lost&brand=A%20B&age=2&minAmount=-1&paymentType=gold&claimed=ben&id=7'
  expect(read(nonsense)).toEqual({ ...noFilters, q: '', view: 'review', id: undefined })
})

test('asks the server for submissions from before a time', () => {
  const { id, ...filters } = read('age=3&brand=amazon')
  expect(toQuery(filters, Date.parse('2026-03-05T12:00:00Z'))).toMatchObject({
    view: 'review',
    brand: 'amazon',
    to: '2026-03-05T09:00:00.000Z',
  })
})

test('closes the open submission when a filter changes, and keeps the rest of the address', () => {
  expect(changed('tab=submissions&q=maya&id=7', { status: 'failed' })).toBe(
    'tab=submissions&q=maya&status=failed',
  )
})

test('keeps the filters when another submission opens', () => {
  expect(changed('q=maya&id=7', { id: '8' })).toBe('q=maya&id=8')
})

test('removes an empty filter from the address', () => {
  expect(changed('q=maya&status=failed', { q: '' })).toBe('status=failed')
})
