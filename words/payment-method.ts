import type { Key } from './keys.ts'
import type { Translate } from './translate.ts'

type PaymentTypeIn<K> = K extends `payments.type.${infer Type}` ? Type : never

/** A payment method inside a sentence: "PayPal", but "bank transfer". */
export function paymentMethodIn(t: Translate, type: PaymentTypeIn<Key>): string {
  return t(type === 'bank_transfer' ? 'payments.bankTransfer' : `payments.type.${type}`)
}
