import type { PaymentType } from '#domain/payment-methods.ts'
import type { Translate } from './translate.ts'

/** A payment method inside a sentence: "PayPal", but "bank transfer". */
export function paymentMethodIn(t: Translate, type: PaymentType): string {
  return t(type === 'bank_transfer' ? 'payments.bankTransfer' : `payments.type.${type}`)
}
