import type { z } from 'zod'
import type { NewPaymentMethod, newPaymentMethod } from '#contract/payment-methods.ts'
import type { PaymentType } from '#domain/payment-methods.ts'

/** The types of the profile in the spec's order (section 2). */
export const profileTypes = [
  'paypal',
  'venmo',
  'zelle',
  'cash_app',
  'chime',
  'bank_transfer',
  'other',
] as const satisfies readonly PaymentType[]

/** What is typed into the form. */
export type MethodFields = z.input<typeof newPaymentMethod>

/** An empty form; no type is chosen yet. */
export const noMethodFields: Partial<MethodFields> = {
  accountName: '',
  accountInfo: '',
  routingNumber: '',
  accountNumber: '',
}

/** Without what was typed for the other kind of account before. */
export function withoutOtherKind({
  accountInfo,
  routingNumber,
  accountNumber,
  ...rest
}: NewPaymentMethod): MethodFields {
  return rest.type === 'bank_transfer' ? { ...rest, routingNumber, accountNumber } : { ...rest, accountInfo }
}
