import type { User } from '#contract/accounts.ts'
import type { SubmissionFields } from '#contract/submissions.ts'
import type { CardCondition, CardFormat } from '#domain/card.ts'
import { type Cents, toDecimal } from '#domain/money.ts'
import type { AccountType, PaymentType } from '#domain/payment-methods.ts'
import type { Quote } from '#domain/quote.ts'
import type { SubmissionField, SubmissionProblem } from '#domain/submission-form.ts'
import type { Key } from '#words/keys.ts'
import { ownName } from '../account-text.ts'

/** What the seller has typed so far. */
export interface Draft extends RequiredTexts, OptionalTexts {
  cardFormat: CardFormat
  cardCondition: CardCondition
  /** Dollars left on a partially used card, as typed. We pay for them. */
  balance: string
  /** The card's value when the balance was typed. */
  balanceOf: Cents
  /** Saves the payout account for the next sale. */
  paymentRemembered: boolean
  /** A saved payment method instead of the fields below: '' for none, undefined until the seller chooses. */
  paymentMethodId?: string | undefined
  paymentType: PaymentType | ''
  paymentAccountType: AccountType
}

/** What is submitted, except the quote and the saved payment method. */
type FormField = Exclude<
  keyof SubmissionFields,
  | 'brand'
  | 'denomination'
  | 'sellingPrice'
  | 'discountPercentage'
  | 'paymentMethodId'
  | 'resubmissionOf'
  | 'saleId'
  | 'saleCards'
>

type OptionalTexts = Partial<Record<Exclude<FormField, keyof RequiredTexts>, string>>

/** The texts that the form's own rules read. */
const emptyTexts = {
  cardNumber: '',
  securityCode: '',
  expirationDate: '',
  paymentAccountName: '',
  paymentAccountInfo: '',
  paymentRoutingNumber: '',
  paymentAccountNumber: '',
}
type RequiredTexts = typeof emptyTexts

export const emptyDraft: Draft = {
  ...emptyTexts,
  cardFormat: 'physical',
  cardCondition: 'brand_new',
  balance: '',
  balanceOf: 0,
  paymentRemembered: false,
  paymentType: '',
  paymentAccountType: 'checking',
}

/** What an empty form starts with. */
export const newDraft = (user: User): Draft => ({ ...emptyDraft, paymentAccountName: ownName(user) })

/** Labels for the form and for the list of what is missing, in the order of the form. */
export const fieldLabels = {
  cardFormat: 'sellCard.cardFormat',
  balance: 'sellCard.balance',
  cardNumber: 'sellCard.cardNumber',
  securityCode: 'sellCard.securityCode',
  expirationDate: 'sellCard.expirationDate',
  images: 'sellCard.images',
  paymentType: 'payoutMethod.label',
  paymentAccountName: 'accountFields.holder',
  paymentAccountInfo: 'accountFields.info',
  paymentRoutingNumber: 'accountFields.routingNumber',
  paymentAccountNumber: 'accountFields.accountNumber',
} as const satisfies Readonly<Record<SubmissionField, Key>>

/** The labels of the fields with problems, in the order of the form. */
export function labelsOf(problems: readonly SubmissionProblem[], type: Draft['paymentType']): Key[] {
  const wrong = new Set<string>(problems.map(({ field }) => field))
  const labels = {
    ...fieldLabels,
    ...(problems.some(({ code }) => code === 'new_photo_required') && {
      images: 'sellCard.images.new' as const,
    }),
    ...(type && { paymentAccountInfo: `accountFields.account.${type}` as const }),
  }
  return Object.entries(labels).flatMap(([field, label]) => (wrong.has(field) ? [label] : []))
}

/** Whether a field is about the payout, which is the same for all cards of a sale. */
export const isPayoutField = (name: string): boolean => name.startsWith('payment')

/** The draft of a card with the payout of another draft: several cards are paid to one account. */
export function withPayout(card: Draft, payout: Draft): Draft {
  return { ...card, ...Object.fromEntries(Object.entries(payout).filter(([name]) => isPayoutField(name))) }
}

/**
 * The filled-in fields to submit, with only the payout fields that the payment type needs.
 * @param savedMethod the id of a saved payment method, sent instead of the payout fields
 */
export function toFields(
  draft: Draft,
  quote: Quote,
  savedMethod: string | undefined,
): Record<string, string> {
  const { paymentMethodId: _chosen, balance: _left, balanceOf: _value, ...typed } = draft
  const cardFields = Object.entries(typed).filter(([name]) => !isPayoutField(name))
  const fields: Record<string, string> = {
    brand: quote.brand.value,
    denomination: toDecimal(quote.faceValue),
    sellingPrice: toDecimal(quote.pays),
    discountPercentage: toDecimal(quote.discount),
    ...Object.fromEntries(cardFields),
    ...(savedMethod ? { paymentMethodId: savedMethod } : payoutFields(draft)),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''))
}

function payoutFields(draft: Draft) {
  const { paymentType, paymentAccountName, paymentAccountInfo } = draft
  const { paymentRoutingNumber, paymentAccountNumber, paymentAccountType } = draft
  const account =
    paymentType === 'bank_transfer'
      ? { paymentRoutingNumber, paymentAccountNumber, paymentAccountType }
      : { paymentAccountInfo }
  return { paymentType, paymentAccountName, ...account }
}

/** What each section of the form needs to show and change its part of the draft. */
export interface DraftFields {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  errorAt: (field: keyof Draft) => string | undefined
}

type TextFieldName = Exclude<
  keyof Draft,
  | 'cardFormat'
  | 'cardCondition'
  | 'balanceOf'
  | 'paymentRemembered'
  | 'paymentType'
  | 'paymentAccountType'
  | 'paymentMethodId'
>

/** The props that connect a text field to the draft. */
export function fieldProps({ draft, onChange, errorAt }: DraftFields, name: TextFieldName) {
  return {
    name,
    value: draft[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ [name]: currentTarget.value }),
    error: errorAt(name),
  }
}
