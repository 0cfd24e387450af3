import { describe, expect, it } from 'vitest'
import { freezersOf, missingReleasers } from './payout-limits.ts'

const made = (createdBy: string, frozenBy: string | null = null, approvedBy: string | null = null) => ({
  createdBy,
  frozenBy,
  approvedBy,
})

describe('people who are missing to release a batch, and who may freeze it so that nobody is missing', () => {
  it.each([
    // [who created, froze and approved it, who may pay, two approvals, always two persons, missing people]
    [made('ana', 'ana'), ['ana'], false, false, 0],
    [made('ana', 'ana'), ['ana'], false, true, 1],
    [made('ana', 'ben'), ['ana', 'ben'], false, true, 0],
    [made('ana', 'ana'), ['ana'], true, false, 2],
    [made('ana', 'ana'), ['ana', 'ben'], true, false, 1],
    [made('ana', 'ben'), ['ana', 'ben', 'cem'], true, false, 1],
    [made('ana', 'ana'), ['ana', 'ben', 'cem'], true, false, 0],
    [made('ana', 'ana', 'ben'), ['ana', 'ben', 'cem'], true, false, 0],
    [made('ana', 'ana', 'ben'), ['ana', 'ben'], true, false, 1],
  ])(
    '%j with %j (two approvals: %j, always two: %j) lacks %j',
    (batch, payers, needsTwo, always, missing) => {
      expect(missingReleasers(batch, payers, { needsTwo, alwaysTwoPersons: always })).toBe(missing)
    },
  )

  it.each([
    [['ana'], false, false, ['ana']],
    [['ana'], false, true, []],
    [['ana', 'ben'], false, true, ['ben']],
    [['ana', 'ben'], true, false, []],
    [['ana', 'ben', 'cem'], true, false, ['ana']],
    [['ana', 'ben', 'cem'], true, true, []],
  ])('ana’s batch with %j (two approvals: %j, always two: %j) is for %j', (payers, needsTwo, always, who) => {
    expect(freezersOf(made('ana'), payers, { needsTwo, alwaysTwoPersons: always })).toEqual(who)
  })
})
