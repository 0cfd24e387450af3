import type { Sale } from './sale.ts'

/** Cards whose payouts left in one file. */
export const salesPaidInBatch: readonly Sale[] = [
  {
    daysAgo: 7.1,
    seller: 'grace',
    brand: 'ebay',
    value: '120',
    steps: [[2, 'jonas', 'processing']],
  },
  {
    daysAgo: 7,
    seller: 'diego',
    brand: 'best_buy',
    value: '160',
    steps: [[1.5, 'jonas', 'processing']],
  },
  {
    daysAgo: 6.8,
    seller: 'marcus',
    brand: 'target',
    value: '80',
    steps: [[1, 'maya', 'processing']],
  },
]
