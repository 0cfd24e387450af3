import type { Transaction } from '#contract/submissions.ts'
import { type PaymentType, paymentRules } from '#domain/payment-methods.ts'
import { isStatus, sellerWords, statusRules } from '#domain/submission.ts'

/**
 * What the seller reads for a transaction's stored status: the words of /processing. Only while a payment is being made
 * are there two, Processing here and Approved there; the sentence is the same.
 */
export function transactionWords({ status }: Pick<Transaction, 'status'>): { label: string; text: string } {
  const { label, text } = sellerWords(isStatus(status) ? statusRules[status].sellerStatus : status)
  return { label: status === 'processing' ? statusRules.processing.label : label, text }
}

export function paymentLabel(type: string): string {
  return type in paymentRules ? paymentRules[type as PaymentType].label : type
}
