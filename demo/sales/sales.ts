import { earlierSales } from './earlier.ts'
import { salesOfLastWeek } from './last-week.ts'
import type { Sale } from './sale.ts'

/** Six weeks of business, oldest first. A sale is known by its place in this list. */
export const sales: readonly Sale[] = [...earlierSales, ...salesOfLastWeek]
