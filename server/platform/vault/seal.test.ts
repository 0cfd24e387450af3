import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { makeKeyCheck, verifyKeyCheck } from './key-check.ts'
import { parseKeys } from './key-ring.ts'
import {
  blindIndex,
  encodeParts,
  newDataKey,
  open,
  rewrapKey,
  seal,
  unwrapKey,
  VaultError,
  wrapKey,
  wrappingKeyId,
} from './seal.ts'

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [k1, k2, index] = [entry('k1'), entry('k2'), entry('index')]
const ring = parseKeys([k1, index], 'test')
const rotated = parseKeys([k2, k1, index], 'test')
const context = { table: 'submissions', column: 'card_number', row: '0199-a' }
const elsewhere = [
  { ...context, table: 'gift_cards' },
  { ...context, column: 'pin' },
  { ...context, row: '0199-b' },
  { table: 'submission', column: 'scard_number', row: '0199-a' },
  { ...context, column: '', row: 'card_number0199-a' },
]

describe('a sealed value', () => {
  const key = newDataKey()

  it.each([['6006 4912'], ['ünï•'], [''], [randomBytes(100_000)]])('opens in its context', (value) => {
    const sealed = seal(key, value, context)
    expect(sealed.length).toBe(Buffer.byteLength(value) + 29)
    expect(open(key, sealed, { ...context })).toEqual(Buffer.from(value))
  })

  it('is different every time and does not contain the value', () => {
    expect(seal(key, '60064912', context)).not.toEqual(seal(key, '60064912', context))
    expect(seal(key, '60064912', context).includes('60064912')).toBe(false)
  })

  it('does not open in another row, column or table, or with another key', () => {
    const sealed = seal(key, '1234', context)
    for (const other of elsewhere) expect(() => open(key, sealed, other)).toThrow(VaultError)
    expect(() => open(newDataKey(), sealed, context)).toThrow(VaultError)
  })

  it('does not open when any byte was changed or cut off', () => {
    const sealed = seal(key, '1234', context)
    for (let byte = 0; byte < sealed.length; byte++) {
      const tampered = Buffer.from(sealed)
      tampered[byte] = (tampered[byte] ?? 0) ^ 1
      expect(() => open(key, tampered, context), `byte ${byte}`).toThrow(VaultError)
      expect(() => open(key, sealed.subarray(0, byte), context), `length ${byte}`).toThrow(VaultError)
    }
  })

  it('is refused with an error that reveals nothing', () => {
    const sealed = seal(key, 'secret-1234', context)
    const error = catchError(() => open(newDataKey(), sealed, context))
    expect(`${error} ${error.stack}`).not.toMatch(/secret|1234|submissions|card_number/)
    expect(error.cause).toBeUndefined()
  })
})

describe('a wrapped data key', () => {
  it('opens in its context and nowhere else', () => {
    const key = newDataKey()
    const wrapped = wrapKey(ring, key, context)
    expect(unwrapKey(ring, wrapped, context)).toEqual(key)
    for (const other of elsewhere) expect(() => unwrapKey(ring, wrapped, other)).toThrow(VaultError)
  })

  it('does not open when any byte was changed or cut off', () => {
    const wrapped = wrapKey(rotated, newDataKey(), context)
    for (let byte = 0; byte < wrapped.length; byte++) {
      const tampered = Buffer.from(wrapped)
      tampered[byte] = (tampered[byte] ?? 0) ^ 1
      expect(() => unwrapKey(rotated, tampered, context), `byte ${byte}`).toThrow(VaultError)
      expect(() => unwrapKey(rotated, wrapped.subarray(0, byte), context), `length ${byte}`).toThrow(
        VaultError,
      )
    }
  })

  it('does not open as a sealed value', () => {
    const key = newDataKey()
    const asMaster = parseKeys([`k1:${key.toString('base64')}`, index], 'test')
    const wrapped = wrapKey(asMaster, newDataKey(), context)
    const disguised = Buffer.concat([wrapped.subarray(0, 1), wrapped.subarray(4)])
    expect(() => open(key, disguised, context)).toThrow(VaultError)
  })

  it('has exactly 32 bytes', () => {
    expect(() => wrapKey(ring, Buffer.alloc(31), context)).toThrow(VaultError)
  })
})

describe('rotation', () => {
  it('opens what the old key wrapped and wraps under the new one', () => {
    const key = newDataKey()
    const old = wrapKey(ring, key, context)
    expect(unwrapKey(rotated, old, context)).toEqual(key)
    const moved = rewrapKey(rotated, old, context)
    expect([wrappingKeyId(old), wrappingKeyId(moved)]).toEqual(['k1', 'k2'])
    expect(unwrapKey(parseKeys([k2, index], 'test'), moved, context)).toEqual(key)
    expect(() => unwrapKey(ring, moved, context)).toThrow(/not among SECRET_KEYS/)
  })

  it('does not change the blind index', () => {
    expect(blindIndex(rotated, 'card', '1234')).toEqual(blindIndex(ring, 'card', '1234'))
  })
})

describe('the blind index', () => {
  it('is equal only for equal values of the same purpose', () => {
    expect(blindIndex(ring, 'card', '1234')).toHaveLength(32)
    expect(blindIndex(ring, 'card', '1234')).not.toEqual(blindIndex(ring, 'card', '1235'))
    expect(blindIndex(ring, 'card', '1234')).not.toEqual(blindIndex(ring, 'account', '1234'))
    expect(blindIndex(ring, 'card1', '234')).not.toEqual(blindIndex(ring, 'card', '1234'))
    const otherKey = parseKeys([k1, entry('index')], 'test')
    expect(blindIndex(ring, 'card', '1234')).not.toEqual(blindIndex(otherKey, 'card', '1234'))
  })

  it('never changes between releases', () => {
    const fixed = parseKeys([k1, `index:${Buffer.alloc(32, 7).toString('base64')}`], 'test')
    expect(blindIndex(fixed, 'card', '1234').toString('hex')).toMatchInlineSnapshot(
      `"d37967017ad7659f28a8933c12c20b84bc6330a955cd4b616ae21cbe4e8106b7"`,
    )
  })
})

describe('the key check of a database', () => {
  it('recognizes its keys, rotated or not', () => {
    expect(verifyKeyCheck(ring, makeKeyCheck(ring))).toBe(true)
    expect(verifyKeyCheck(rotated, makeKeyCheck(ring))).toBe(false)
  })

  it.each([
    ['another master key of that name', [entry('k1'), index]],
    ['no such master key', [k2, index]],
    ['another index key', [k1, entry('index')]],
  ])('refuses %s', (_, entries) => {
    expect(() => verifyKeyCheck(parseKeys(entries, 'test'), makeKeyCheck(ring))).toThrow(OperatorError)
  })
})

it('encodes different lists differently', () => {
  expect(encodeParts('ab', 'c')).not.toEqual(encodeParts('a', 'bc'))
  expect(encodeParts('a', '')).not.toEqual(encodeParts('a'))
})

function catchError(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}
