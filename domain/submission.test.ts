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
    ['pending', ['Start Processing', 'Approve & Complete', 'Reject', 'Request Information'], ['Withdraw']],
    ['under_review', ['Resume Review', 'Reject'], ['Answer', 'Withdraw']],
    ['processing', ['Mark Complete', 'Mark Failed'], []],
    ['completed', ['Revert to Processing'], []],
    ['rejected', ['Revert to Processing'], []],
    ['failed', ['Revert to Processing'], []],
    ['cancelled', [], []],
  ] as const)('of %s gives staff and seller these buttons', (status, staff, seller) => {
    expect(movesFrom(status, 'staff').map(({ label }) => label)).toEqual(staff)
    expect(movesFrom(status, 'seller').map(({ label }) => label)).toEqual(seller)
  })

  it('calls processing approved for the seller, and a word it does not know unknown', () => {
    expect(sellerWords('approved').text).toContain('payment is being processed')
    expect(sellerWords('pending').text).toContain('being reviewed')
    expect(sellerWords('under_review').text).toBe('Additional verification required')
    expect(sellerWords('rejected').text).toContain('contact support')
    expect(sellerWords('processing').label).toBe('Unknown')
    expect(staffStatus('frozen')).toBe('pending')
  })

  it('knows what is final and what clear-all removes', () => {
    expect(finalStatuses).toEqual(['completed', 'rejected', 'failed', 'cancelled'])
    expect(clearableStatuses).toEqual(statuses.filter((status) => status !== 'completed'))
  })
})
