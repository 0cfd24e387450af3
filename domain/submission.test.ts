import { describe, expect, it } from 'vitest'
import {
  clearableStatuses,
  finalStatuses,
  movesFrom,
  sellerWords,
  staffStatus,
  statuses,
} from './submission.ts'

describe('the status table', () => {
  it.each([
    ['pending', ['processing', 'completed', 'rejected', 'under_review'], ['cancelled']],
    ['under_review', ['pending', 'rejected'], ['pending', 'cancelled']],
    ['processing', ['completed', 'failed'], []],
    ['completed', ['processing'], []],
    ['rejected', ['processing'], []],
    ['failed', ['processing'], []],
    ['cancelled', [], []],
  ] as const)('lets staff and seller move %s to these statuses', (status, staff, seller) => {
    expect(movesFrom(status, 'staff').map(({ to }) => to)).toEqual(staff)
    expect(movesFrom(status, 'seller').map(({ to }) => to)).toEqual(seller)
  })

  it('has texts for the seller, also for an unknown status', () => {
    expect(sellerWords('approved').text).toContain('payment is being processed')
    expect(sellerWords('pending').text).toContain('being reviewed')
    expect(sellerWords('under_review').text).toBe('Additional verification required')
    expect(sellerWords('rejected').text).toContain('contact support')
    expect(sellerWords('processing').label).toBe('Unknown')
    expect(staffStatus('frozen')).toBe('pending')
  })

  it('says which statuses are final and which clear-all removes', () => {
    expect(finalStatuses).toEqual(['completed', 'rejected', 'failed', 'cancelled'])
    expect(clearableStatuses).toEqual(statuses.filter((status) => status !== 'completed'))
  })
})
