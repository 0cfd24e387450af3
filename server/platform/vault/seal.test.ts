import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { blindIndex } from './blind-index.ts'
import { encodeParts, VaultError } from './context.ts'
import { makeKeyCheck, verifyKeyCheck } from './key-check.ts'
import { KeySettingError, parseKeys } from './key-ring.ts'
import { newDataKey, open, rewrapKey, seal, unwrapKey, wrapKey, wrappingKeyId } from './seal.ts'

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [k1, k2, index] = [entry('k1'), entry('k2'), entry('index')]
const ring = parseKeys([k1, index], 'test')
const rotated = parseKeys([k2, k1, index], 'test')
const place = { table: 'submissions', column: 'card_number', row: '0199-a' }
const elsewhere = [
  { ...place, table: 'gift_cards' },
  { ...place, column: 'pin' },
  { ...place, row: '0199-b' },
  { table: 'submission', column: 'scard_number', row: '0199-a' },
  { ...place, column: '', row: 'card_number0199-a' },
]

describe('a sealed value', () => {
  const key = newDataKey()

  it.each([['6006 4912'], ['ünï•'], [''], [randomBytes(100_000)]])('opens where it belongs', (value) => {
    const sealed = seal(key, value, place)
    expect(sealed.length).toBe(Buffer.byteLength(value) + 29)
    expect(open(key, sealed, { ...place })).toEqual(Buffer.from(value))
  })

  it('never looks the same twice and does not contain the value', () => {
    expect(seal(key, '60064912', place)).not.toEqual(seal(key, '60064912', place))
    expect(seal(key, '60064912', place).includes('60064912')).toBe(false)
  })

  it('does not open in another row, column or table, nor with another key', () => {
    const sealed = seal(key, '1234', place)
    for (const other of elsewhere) expect(() => open(key, sealed, other)).toThrow(VaultError)
    expect(() => open(newDataKey(), sealed, place)).toThrow(VaultError)
  })

  it('does not open when any byte was changed or cut off', () => {
    const sealed = seal(key, '1234', place)
    for (let at = 0; at < sealed.length; at++) {
      const tampered = Buffer.from(sealed)
      tampered[at] = (tampered[at] ?? 0) ^ 1
      expect(() => open(key, tampered, place), `byte ${at}`).toThrow(VaultError)
      expect(() => open(key, sealed.subarray(0, at), place), `length ${at}`).toThrow(VaultError)
    }
  })

  it('is refused in words that tell nothing', () => {
    const sealed = seal(key, 'secret-1234', place)
    const error = catchError(() => open(newDataKey(), sealed, place))
    expect(`${error} ${error.stack}`).not.toMatch(/secret|1234|submissions|card_number/)
    expect(error.cause).toBeUndefined()
  })
})

describe('a wrapped data key', () => {
  it('opens in its place and nowhere else', () => {
    const key = newDataKey()
    const wrapped = wrapKey(ring, key, place)
    expect(unwrapKey(ring, wrapped, place)).toEqual(key)
    for (const other of elsewhere) expect(() => unwrapKey(ring, wrapped, other)).toThrow(VaultError)
  })

  it('does not open when any byte was changed or cut off', () => {
    const wrapped = wrapKey(rotated, newDataKey(), place)
    for (let at = 0; at < wrapped.length; at++) {
      const tampered = Buffer.from(wrapped)
      tampered[at] = (tampered[at] ?? 0) ^ 1
      expect(() => unwrapKey(rotated, tampered, place), `byte ${at}`).toThrow(VaultError)
      expect(() => unwrapKey(rotated, wrapped.subarray(0, at), place), `length ${at}`).toThrow(VaultError)
    }
  })

  it('is not taken for a sealed value, nor the other way round', () => {
    const key = newDataKey()
    const asMaster = parseKeys([`k1:${key.toString('base64')}`, index], 'test')
    const wrapped = wrapKey(asMaster, newDataKey(), place)
    const disguised = Buffer.concat([wrapped.subarray(0, 1), wrapped.subarray(4)])
    expect(() => open(key, disguised, place)).toThrow(VaultError)
  })

  it('is 32 bytes and nothing else', () => {
    expect(() => wrapKey(ring, Buffer.alloc(31), place)).toThrow(VaultError)
  })
})

describe('rotation', () => {
  it('opens what the old key wrapped and wraps under the new one', () => {
    const key = newDataKey()
    const old = wrapKey(ring, key, place)
    expect(unwrapKey(rotated, old, place)).toEqual(key)
    const moved = rewrapKey(rotated, old, place)
    expect([wrappingKeyId(old), wrappingKeyId(moved)]).toEqual(['k1', 'k2'])
    expect(unwrapKey(parseKeys([k2, index], 'test'), moved, place)).toEqual(key)
    expect(() => unwrapKey(ring, moved, place)).toThrow(/not among SECRET_KEYS/)
  })

  it('leaves the blind index as it was', () => {
    expect(blindIndex(rotated, 'card', '1234')).toEqual(blindIndex(ring, 'card', '1234'))
  })
})

describe('the blind index', () => {
  it('is equal for equal values of one purpose only', () => {
    expect(blindIndex(ring, 'card', '1234')).toHaveLength(32)
    expect(blindIndex(ring, 'card', '1234')).not.toEqual(blindIndex(ring, 'card', '1235'))
    expect(blindIndex(ring, 'card', '1234')).not.toEqual(blindIndex(ring, 'account', '1234'))
    expect(blindIndex(ring, 'card1', '234')).not.toEqual(blindIndex(ring, 'card', '1234'))
    const otherKey = parseKeys([k1, entry('index')], 'test')
    expect(blindIndex(ring, 'card', '1234')).not.toEqual(blindIndex(otherKey, 'card', '1234'))
  })

  it('stays what it is from release to release', () => {
    const fixed = parseKeys([k1, `index:${Buffer.alloc(32, 7).toString('base64')}`], 'test')
    expect(blindIndex(fixed, 'card', '1234').toString('hex')).toMatchInlineSnapshot(
      `"d37967017ad7659f28a8933c12c20b84bc6330a955cd4b616ae21cbe4e8106b7"`,
    )
  })
})

describe('what a database remembers of its keys', () => {
  it('recognises them, rotated or not', () => {
    expect(verifyKeyCheck(ring, makeKeyCheck(ring))).toBe('current')
    expect(verifyKeyCheck(rotated, makeKeyCheck(ring))).toBe('rotated')
  })

  it.each([
    ['another master key of that name', [entry('k1'), index]],
    ['no such master key', [k2, index]],
    ['another index key', [k1, entry('index')]],
  ])('refuses %s', (_, entries) => {
    expect(() => verifyKeyCheck(parseKeys(entries, 'test'), makeKeyCheck(ring))).toThrow(KeySettingError)
  })
})

it('encodes no two lists alike', () => {
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
