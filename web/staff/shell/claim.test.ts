import { expect, test } from 'vitest'
import { holderAt, laterClaim } from './claim.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')
const at = (seconds: number) => new Date(NOON + seconds * 1000).toISOString()
const claim = (username: string, since: number, until = since + 60) => ({
  id: username,
  username,
  since: at(since),
  until: at(until),
  assignedBy: null,
})

test('expires at its end', () => {
  const ana = claim('ana', 0)
  expect(holderAt(ana, NOON + 59_999)).toBe(ana)
  expect(holderAt(ana, NOON + 60_000)).toBeUndefined()
  expect(holderAt(null, NOON)).toBeUndefined()
})

test('keeps a take-over when an older answer arrives', () => {
  const ana = claim('ana', 0)
  const ben = claim('ben', 10)
  expect(laterClaim(ana, ben)).toBe(ben)
  expect(laterClaim(ben, claim('ana', 0, 70))).toBe(ben)
})

test('is renewed by a later end and released by null', () => {
  const kept = claim('ana', 0, 80)
  expect(laterClaim(claim('ana', 0), kept)).toBe(kept)
  expect(laterClaim(claim('ana', 0), null)).toBeNull()
  expect(laterClaim(null, kept)).toBe(kept)
})
