import { expect, test } from 'vitest'
import { joinMessages, prependMessages, type ThreadMessage } from './message.ts'

const message = (id: string, text = id): ThreadMessage => ({
  id,
  message: text,
  clientId: null,
  createdAt: '2026-03-05T14:30:00Z',
})
const ids = (messages: readonly ThreadMessage[]) => messages.map(({ id }) => id).join('')

test('the newest messages go on where the known ones meet them', () => {
  expect(ids(joinMessages([], [message('a'), message('b')]))).toBe('ab')
  expect(ids(joinMessages([message('a'), message('b')], [message('b'), message('c')]))).toBe('abc')
})

test('what the server says of a known message counts', () => {
  const [joined] = joinMessages([message('a', 'before')], [message('a', 'after')])
  expect(joined?.message).toBe('after')
})

test('an empty answer takes nothing away', () => {
  expect(ids(joinMessages([message('a')], []))).toBe('a')
})

test('a gap is not papered over: older messages are let go', () => {
  expect(ids(joinMessages([message('a'), message('b')], [message('x'), message('y')]))).toBe('xy')
})

test('older messages come before the known ones, where they belong', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => message(id)) as [ThreadMessage, ThreadMessage, ThreadMessage]
  expect(ids(prependMessages([a], b, [b, c]) ?? [])).toBe('abc')
  expect(ids(prependMessages([a], b, [c]) ?? [])).toBe('c')
  expect(prependMessages([a], b, undefined)).toBeUndefined()
})
