import { describe, expect, it } from 'vitest'
import { hashRecoveryCode, newRecoveryCode } from './recovery-codes.ts'
import { base32, codeOf, matchingStep, otpauthUri, stepAt } from './totp.ts'

// The key of RFC 6238's appendix B, whose codes have eight digits; ours are their last six.
const secret = Buffer.from('12345678901234567890')

describe('a code', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at second %d is the one of RFC 6238', (seconds, code) => {
    expect(codeOf(secret, stepAt(seconds * 1000))).toBe(code.slice(2))
  })

  it('is taken one step early or late, and no further', () => {
    const now = 1_700_000_000_000
    const taken = (drift: number) =>
      matchingStep(secret, codeOf(secret, stepAt(now) + drift), { now, lastStep: 0 })
    expect([-2, -1, 0, 1, 2].map(taken)).toEqual([
      undefined,
      ...[-1, 0, 1].map((d) => stepAt(now) + d),
      undefined,
    ])
  })

  it('is not taken again once its step, or a later one, is used up', () => {
    const now = 1_700_000_000_000
    const step = stepAt(now)
    const code = codeOf(secret, step)
    expect(matchingStep(secret, code, { now, lastStep: step - 1 })).toBe(step)
    expect(matchingStep(secret, code, { now, lastStep: step })).toBeUndefined()
    expect(matchingStep(secret, code, { now, lastStep: step + 1 })).toBeUndefined()
  })

  it.each(['', '12345', '1234567', '12345a', '１２３４５６'])('is not %j', (code) => {
    expect(matchingStep(secret, code, { now: Date.now(), lastStep: 0 })).toBeUndefined()
  })
})

describe('what an authenticator app reads', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['foobar', 'MZXW6YTBOI'],
  ])('is base32: %s is %s', (text, encoded) => expect(base32(Buffer.from(text))).toBe(encoded))

  it('names the site and the account', () => {
    expect(otpauthUri(secret, { issuer: 'Un & Spent', account: 'ana b' })).toBe(
      'otpauth://totp/Un%20%26%20Spent:ana%20b?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Un%20%26%20Spent',
    )
  })
})

it('recovery codes are read however they are typed', () => {
  const code = newRecoveryCode()
  expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')}`
  expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode(code))
  expect(hashRecoveryCode(newRecoveryCode())).not.toEqual(hashRecoveryCode(code))
})
