import { describe, expect, it } from 'vitest'
import { matchingStep, newTotp } from './codes.ts'
import { hashRecoveryCode, newRecoveryCode } from './recovery-codes.ts'

// The key of RFC 6238, appendix B. Its codes have eight digits; ours are the last six.
const totp = newTotp(Buffer.from('12345678901234567890'))

describe('a code', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('matches RFC 6238 at second %d', (seconds, code) => {
    const step = matchingStep(totp, code.slice(2), { now: seconds * 1000, lastStep: 0 })
    expect(step).toBe(Math.floor(seconds / 30))
  })

  const now = 1_700_000_000_000
  const step = Math.floor(now / 30_000)

  it('is accepted one step early or late, but not two', () => {
    const taken = (drift: number) => {
      const code = totp.generate({ timestamp: now + drift * 30_000 })
      return matchingStep(totp, code, { now, lastStep: 0 })
    }
    expect([-2, -1, 0, 1, 2].map(taken)).toEqual([undefined, step - 1, step, step + 1, undefined])
  })

  it('is refused if its step or a later one was used', () => {
    const code = totp.generate({ timestamp: now })
    expect(matchingStep(totp, code, { now, lastStep: step - 1 })).toBe(step)
    expect(matchingStep(totp, code, { now, lastStep: step })).toBeUndefined()
    expect(matchingStep(totp, code, { now, lastStep: step + 1 })).toBeUndefined()
  })

  it.each(['', '12345', '1234567', '12345a', '１２３４５６'])('is never %j', (code) => {
    expect(matchingStep(totp, code, { now: Date.now(), lastStep: 0 })).toBeUndefined()
  })
})

it('gives authenticator apps the names of the site and the account', () => {
  const named = newTotp(Buffer.from('12345678901234567890'), { issuer: 'Un & Spent', label: 'ana b' })
  const url = new URL(named.toString())
  expect(decodeURIComponent(url.pathname)).toContain('Un & Spent:ana b')
  expect(url.href).not.toContain('+')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Un & Spent',
  })
})

it('accepts a recovery code in any spelling', () => {
  const code = newRecoveryCode()
  expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')}`
  expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode(code))
  expect(hashRecoveryCode(newRecoveryCode())).not.toEqual(hashRecoveryCode(code))
})
