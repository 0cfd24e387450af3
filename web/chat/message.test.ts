import { expect, test } from 'vitest'
import { groupMessages, joinMessages, prependMessages, type ThreadMessage } from './message.ts'

const message = (id: string, text = id): ThreadMessage => ({
  id,
  message: text,
  clientId: null,
  createdAt: '2026-03-05T14:30:00Z',
})
const ids = (messages: readonly ThreadMessage[]) => messages.map(({ id }) => id).join('')

test('adds the newest messages where they overlap with the known ones', () => {
  expect(ids(joinMessages([], [message('a'), message('b')]))).toBe('ab')
  expect(ids(joinMessages([message('a'), message('b')], [message('b'), message('c')]))).toBe('abc')
})

test('takes the newer version of a known message', () => {
  const [joined] = joinMessages([message('a', 'before')], [message('a', 'after')])
  expect(joined?.message).toBe('after')
})

test('keeps the known messages if there are no new ones', () => {
  expect(ids(joinMessages([message('a')], []))).toBe('a')
})

test('drops the known messages if some are missing in between', () => {
  expect(ids(joinMessages([message('a'), message('b')], [message('x'), message('y')]))).toBe('xy')
})

test('adds older messages before the known ones only if they adjoin', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => message(id)) as [ThreadMessage, ThreadMessage, ThreadMessage]
  expect(ids(prependMessages([a], b, [b, c]) ?? [])).toBe('abc')
  expect(ids(prependMessages([a], b, [c]) ?? [])).toBe('c')
  expect(prependMessages([a], b, undefined)).toBeUndefined()
})

test('groups messages by day, and those of one sender soon after each other', () => {
  // Months count from 0.
  const shown = (key: string, minute: number, sender: { mine: boolean; name?: string }) => ({
    key,
    text: key,
    at: new Date(2026, 2, 5, 23, minute).toISOString(),
    state: 'stored' as const,
    ...sender,
  })
  const ana = { mine: true, name: 'ana' }
  const days = groupMessages([
    shown('a', 40, { mine: false }),
    shown('b', 41, { mine: false }),
    shown('c', 42, ana),
    shown('d', 43, { mine: true, name: 'ben' }),
    shown('e', 50, ana),
    shown('f', 58, ana),
    shown('g', 61, ana),
  ])
  expect(days.map(({ start }) => start)).toEqual([new Date(2026, 2, 5), new Date(2026, 2, 6)])
  expect(days.map(({ runs }) => runs.map((run) => run.map(({ key }) => key).join('')).join(' '))).toEqual([
    'ab c d e f',
    'g',
  ])
})
