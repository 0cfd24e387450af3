import { paymentRules, paymentTypesOn } from '#domain/payment-methods.ts'

/**
 * Figures that several pages state, in one place so that they cannot contradict each other. The landing page, the FAQ
 * and the confirmation use the specification's own figures.
 */
export const facts = {
  review: 'typically takes 1 hour, and up to 24 hours for high-value cards',
  paymentArrives: 'within 1-3 business days',
  /** The setting ERASE_AFTER_DAYS of the server. */
  eraseAfter: '90 days',
} as const

/** The payout methods of the submission form that the FAQ's first sentence does not name. */
export function otherPayoutMethods(): string {
  const named = ['bank_transfer', 'paypal', 'venmo', 'other']
  const others = paymentTypesOn('submission').filter((type) => !named.includes(type))
  return new Intl.ListFormat('en-US').format(others.map((type) => paymentRules[type].label))
}
