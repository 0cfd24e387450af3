import { type PaymentType, paymentTypesOn } from '#domain/payment-methods.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

/** The questions of /faq in their order, also found by the search on /help. Each is an anchor, as in /faq#fees. */
export const questionIds = [
  'fees',
  'brands',
  'partial-balance',
  'united-states',
  'payout-methods',
  'payout-time',
  'approval',
  'verification-time',
  'safety',
  'change-my-mind',
] as const
export type QuestionId = (typeof questionIds)[number]

/** The answer's paragraphs, with an empty line between them. */
export function answerTo(id: QuestionId, t: Translate): string {
  if (id !== 'payout-methods') return t(`faq.${id}.answer`)
  const all = paymentTypesOn('submission')
  const offered = paymentTypesOn('submission', shopBrand.payoutMethods)
  if (offered.length < all.length) return t('faq.payout-methods.fewer', { methods: listed(offered, t) })
  const others = all.filter((type) => !namedInAnswer.includes(type))
  return t('faq.payout-methods.answer', { others: listed(others, t) })
}

const namedInAnswer: readonly PaymentType[] = ['bank_transfer', 'paypal', 'venmo']

function listed(types: readonly PaymentType[], t: Translate): string {
  return new Intl.ListFormat(intlLocales[t.locale]).format(types.map((type) => t(`payments.type.${type}`)))
}
