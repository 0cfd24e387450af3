import { describe, expect, it } from 'vitest'
import {
  clearableStatuses,
  endedUnpaid,
  finalStatuses,
  movesFrom,
  sellerStatusOf,
  staffStatus,
  statuses,
} from './submission.ts'

describe('the status table', () => {
  it.each([
    ['pending', ['processing', 'completed', 'rejected', 'under_review', 'offered'], ['cancelled']],
    ['under_review', ['pending', 'rejected', 'offered'], ['pending', 'cancelled']],
    ['offered', ['pending'], ['processing', 'cancelled']],
    ['processing', ['completed', 'failed'], []],
    ['completed', ['processing'], []],
    ['rejected', ['processing'], ['pending']],
    ['failed', ['processing'], ['processing']],
    ['cancelled', [], []],
  ] as const)('lets staff and seller move %s to these statuses', (status, staff, seller) => {
    expect(movesFrom(status, 'staff').map(({ to }) => to)).toEqual(staff)
    expect(movesFrom(status, 'seller').map(({ to }) => to)).toEqual(seller)
  })

  it('names the status for the seller, also for an unknown one', () => {
    expect(statuses.map(sellerStatusOf)).toEqual([
      'pending',
      'under_review',
      'offered',
      'approved',
      'completed',
      'rejected',
      'failed',
      'cancelled',
    ])
    expect(sellerStatusOf('approved')).toBe('approved')
    expect(sellerStatusOf('frozen')).toBe('unknown')
    expect(staffStatus('frozen')).toBe('pending')
  })

  it('says which statuses are final and which clear-all removes', () => {
    expect(finalStatuses).toEqual(['completed', 'rejected', 'failed', 'cancelled'])
    expect(['rejected', 'completed', 'approved', 'frozen'].map(endedUnpaid)).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(clearableStatuses).toEqual(statuses.filter((status) => status !== 'completed'))
  })
})
