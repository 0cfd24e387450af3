import { expect, test } from 'vitest'
import { withChange } from '../lists/use-address.ts'
import { closing, readView } from './use-view.ts'

const ID = '01a1fc7d-893a-73e9-8765-cc6d4069e99c'
const read = (address: string) => readView(new URLSearchParams(address))
const changed = (address: string, change: Parameters<typeof closing>[0]) =>
  withChange(new URLSearchParams(address), { ...closing(change) }).toString()

test('reads the view from the address', () => {
  expect(read(`q=maya&status=pending&brand=amazon&id=${ID}`)).toEqual({
    q: 'maya',
    status: 'pending',
    brand: 'amazon',
    id: ID,
  })
})

test('ignores invalid filters', () => {
  expect(read('q=%20&status=lost&brand=A%20B&id=7')).toEqual({
    q: '',
    status: undefined,
    brand: undefined,
    id: undefined,
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
