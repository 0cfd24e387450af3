import type { BasisPoints } from '#domain/money.ts'
import { toPlainDollars } from '#domain/money.ts'

/** 9300 -> "93%", 9250 -> "92.50%". */
export function percent(rate: BasisPoints): string {
  return `${toPlainDollars(rate)}%`
}
