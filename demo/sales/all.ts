import { earlierSales } from './earlier.ts'
import { salesOfLastWeek } from './last-week.ts'
import { salesPaidInBatch } from './paid-in-batch.ts'
import type { Sale } from './sale.ts'
import { salesToPay } from './to-pay.ts'

/** A smaller demo has the last of them. Each card is drawn by the index of its sale, so that every demo has the same cards. */
export const sales: readonly Sale[] = [
  ...salesToPay,
  ...earlierSales,
  ...salesPaidInBatch,
  ...salesOfLastWeek,
]
