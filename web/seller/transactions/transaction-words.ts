import type { Transaction } from '#contract/submissions.ts'
import { type PaymentType, paymentRules } from '#domain/payment-methods.ts'
import { isStatus, statusRules } from '#domain/submission.ts'

/** The word for a transaction's stored status. */
export function statusWord({ status }: Transaction): string {
  return isStatus(status) ? statusRules[status].label : 'Unknown'
}

export function paymentLabel(type: string): string {
  return type in paymentRules ? paymentRules[type as PaymentType].label : type
}
