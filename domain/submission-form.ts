import { type CardFormat, EXPIRATION_DATE, expirationRequired, photosRequired } from './card.ts'
import { cardCharactersProblem, cardNumberProblem } from './card-number.ts'
import {
  accountNumberProblem,
  accountProblem,
  type PaymentType,
  routingNumberProblem,
} from './payment-methods.ts'
import type { QuoteProblem } from './quote.ts'

/** Maximum cards of one sale. */
export const MAX_SALE_CARDS = 20

/** What the seller has filled in so far; texts are as typed. */
export interface SubmissionForm {
  readonly brand: string
  readonly cardFormat?: CardFormat | undefined
  readonly photos: number
  /** The card was rejected for its photos, and all of these were rejected with it. */
  readonly lacksNewPhoto?: boolean
  readonly cardNumber: string
  /** A card without a number keeps the numbers of its rejected submission. */
  readonly keepsNumbers?: boolean
  readonly securityCode: string
  readonly expirationDate: string
  readonly paymentType?: PaymentType | undefined
  readonly paymentAccountName: string
  readonly paymentAccountInfo: string
  readonly paymentRoutingNumber: string
  readonly paymentAccountNumber: string
  /** What is left on a partially used card. Undefined if the form does not ask for it. */
  readonly balance?: { readonly typed: string; readonly problem?: QuoteProblem | undefined } | undefined
}

export type SubmissionField =
  | Exclude<keyof SubmissionForm, 'brand' | 'photos' | 'lacksNewPhoto' | 'keepsNumbers'>
  | 'images'

type SubmissionCode =
  | `${'payment_type' | 'account_name' | 'account_info' | 'bank_numbers' | 'card_number'}_required`
  | 'balance_required'
  | QuoteProblem['code']
  | 'images_required'
  | 'images_both_sides_required'
  | 'new_photo_required'
  | Exclude<
      ReturnType<typeof cardNumberProblem | typeof accountProblem | typeof expirationProblem>,
      undefined
    >
  | Exclude<ReturnType<typeof routingNumberProblem | typeof accountNumberProblem>, undefined>

export interface SubmissionProblem {
  readonly field: SubmissionField
  readonly kind: 'missing' | 'invalid'
  /** The error at the field. */
  readonly code: SubmissionCode
  /** What the text of the error inserts. */
  readonly params?: QuoteProblem['params']
}

/** Everything that is missing or invalid, in the order of the spec. */
export function submissionProblems(form: SubmissionForm): SubmissionProblem[] {
  const { brand, paymentType, expirationDate } = form
  const isKept = form.keepsNumbers && form.cardNumber.trim() === ''
  return [
    ...photoProblems(form),
    ...problems('paymentType', paymentType ?? '', 'payment_type_required'),
    ...problems('paymentAccountName', form.paymentAccountName, 'account_name_required'),
    ...(paymentType === 'bank_transfer' ? bankProblems(form) : accountProblems(form)),
    ...(isKept ? [] : problems('cardNumber', form.cardNumber, 'card_number_required', cardNumberProblem)),
    ...(form.securityCode.trim()
      ? problems('securityCode', form.securityCode, 'card_characters', cardCharactersProblem)
      : []),
    ...((expirationRequired(brand) && !isKept) || expirationDate.trim()
      ? problems('expirationDate', expirationDate, 'expiration_date_invalid', expirationProblem)
      : []),
    ...balanceProblems(form),
  ]
}

/** The problem of one field: missing, or what `check` says about its text. */
function problems(
  field: SubmissionField,
  text: string,
  missing: SubmissionCode,
  check: (text: string) => SubmissionCode | undefined = () => undefined,
): SubmissionProblem[] {
  if (text.trim() === '') return [{ field, kind: 'missing', code: missing }]
  const code = check(text)
  return code ? [{ field, kind: 'invalid', code }] : []
}

function photoProblems({ brand, cardFormat, photos, lacksNewPhoto }: SubmissionForm): SubmissionProblem[] {
  if (photos === 0) return [{ field: 'images', kind: 'missing', code: 'images_required' }]
  if (photos < photosRequired(brand, cardFormat))
    return [{ field: 'images', kind: 'invalid', code: 'images_both_sides_required' }]
  return lacksNewPhoto ? [{ field: 'images', kind: 'missing', code: 'new_photo_required' }] : []
}

function balanceProblems({ balance }: SubmissionForm): SubmissionProblem[] {
  if (balance?.typed === '') return [{ field: 'balance', kind: 'missing', code: 'balance_required' }]
  return balance?.problem ? [{ field: 'balance', kind: 'invalid', ...balance.problem }] : []
}

function bankProblems({ paymentRoutingNumber, paymentAccountNumber }: SubmissionForm): SubmissionProblem[] {
  const missing = 'bank_numbers_required'
  return [
    ...problems('paymentRoutingNumber', paymentRoutingNumber, missing, routingNumberProblem),
    ...problems('paymentAccountNumber', paymentAccountNumber, missing, accountNumberProblem),
  ]
}

function accountProblems({ paymentType, paymentAccountInfo }: SubmissionForm): SubmissionProblem[] {
  return problems(
    'paymentAccountInfo',
    paymentAccountInfo,
    'account_info_required',
    (account) => paymentType && accountProblem(paymentType, account),
  )
}

function expirationProblem(date: string): `expiration_${'date' | 'month'}_invalid` | undefined {
  if (EXPIRATION_DATE.test(date.trim())) return undefined
  return /^\d{2}\/\d{2}$/.test(date.trim()) ? 'expiration_month_invalid' : 'expiration_date_invalid'
}
