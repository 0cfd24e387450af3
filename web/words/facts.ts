import { paymentRules, paymentTypesOn } from '#domain/payment-methods.ts'

/** Figures that several screens state. The landing page, the FAQ and the confirmation use the spec's own figures. */
export const facts = {
  review: 'typically takes 1 hour, and up to 24 hours for high-value cards',
  paymentArrives: 'within 1-3 business days',
  /** The server's setting ERASE_AFTER_DAYS. */
  eraseAfter: '90 days',
} as const

/** Payout methods of the submission form that the FAQ does not list by name. */
export function otherPayoutMethods(): string {
  const named = ['bank_transfer', 'paypal', 'venmo', 'other']
  const others = paymentTypesOn('submission').filter((type) => !named.includes(type))
  return new Intl.ListFormat('en-US').format(others.map((type) => paymentRules[type].label))
}
