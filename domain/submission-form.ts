import { type CardFormat, EXPIRATION_DATE, expirationRequired, photosRequired } from './card.ts'
import { cardNumberProblem } from './card-number.ts'
import {
  accountNumberProblem,
  accountProblem,
  type PaymentType,
  routingNumberProblem,
} from './payment-methods.ts'

/** What the seller has filled in so far; texts are as typed. */
export interface SubmissionForm {
  readonly brand: string
  readonly cardFormat?: CardFormat | undefined
  readonly photos: number
  readonly cardNumber: string
  readonly expirationDate: string
  readonly paymentType?: PaymentType | undefined
  readonly paymentAccountName: string
  readonly paymentAccountInfo: string
  readonly paymentRoutingNumber: string
  readonly paymentAccountNumber: string
}

export type SubmissionField = Exclude<keyof SubmissionForm, 'brand' | 'photos'> | 'images'

export interface SubmissionProblem {
  readonly field: SubmissionField
  readonly kind: 'missing' | 'invalid'
  /** The error text at the field. */
  readonly message: string
}

/** Everything that is missing or invalid, in the order of the spec. */
export function submissionProblems(form: SubmissionForm): SubmissionProblem[] {
  const { brand, paymentType, expirationDate } = form
  return [
    ...photoProblems(form),
    ...problems('paymentType', paymentType ?? '', 'Payment type is required'),
    ...problems('paymentAccountName', form.paymentAccountName, 'Account name is required'),
    ...(paymentType === 'bank_transfer' ? bankProblems(form) : accountProblems(form)),
    ...problems('cardNumber', form.cardNumber, 'Card number is required', cardNumberProblem),
    ...(expirationRequired(brand) || expirationDate.trim()
      ? problems('expirationDate', expirationDate, EXPIRATION_MESSAGE, expirationProblem)
      : []),
  ]
}

/** The problem of one field: missing, or what `check` says about its text. */
function problems(
  field: SubmissionField,
  text: string,
  missing: string,
  check: (text: string) => string | undefined = () => undefined,
): SubmissionProblem[] {
  if (text.trim() === '') return [{ field, kind: 'missing', message: missing }]
  const message = check(text)
  return message ? [{ field, kind: 'invalid', message }] : []
}

function photoProblems({ brand, cardFormat, photos }: SubmissionForm): SubmissionProblem[] {
  if (photos === 0) {
    const message = 'Please upload at least one clear photo of your gift card for verification.'
    return [{ field: 'images', kind: 'missing', message }]
  }
  if (photos >= photosRequired(brand, cardFormat)) return []
  const message = 'Please upload photos of both the front and the back of your card'
  return [{ field: 'images', kind: 'invalid', message }]
}

function bankProblems({ paymentRoutingNumber, paymentAccountNumber }: SubmissionForm): SubmissionProblem[] {
  const missing = 'Routing number and account number are required for bank transfers'
  return [
    ...problems('paymentRoutingNumber', paymentRoutingNumber, missing, routingNumberProblem),
    ...problems('paymentAccountNumber', paymentAccountNumber, missing, accountNumberProblem),
  ]
}

function accountProblems({ paymentType, paymentAccountInfo }: SubmissionForm): SubmissionProblem[] {
  return problems(
    'paymentAccountInfo',
    paymentAccountInfo,
    'Account info is required',
    (account) => paymentType && accountProblem(paymentType, account),
  )
}

const EXPIRATION_MESSAGE = 'Please enter the expiration date as MM/YY'

function expirationProblem(date: string): string | undefined {
  return EXPIRATION_DATE.test(date.trim()) ? undefined : EXPIRATION_MESSAGE
}
