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

/** Something that keeps the form from being sent: a toast, and the text at its field. */
export interface SubmissionProblem {
  readonly field: SubmissionField
  /** The toast. */
  readonly title: string
  readonly description: string
  /** The text at the field. */
  readonly message: string
}

const blank = (text: string): boolean => text.trim() === ''

/** Everything that is still missing, in the order in which the spec checks it; the first one is the toast. */
export function submissionProblems(form: SubmissionForm): SubmissionProblem[] {
  return [...photoProblems(form), ...paymentProblems(form), ...cardProblems(form)]
}

function photoProblems(form: SubmissionForm): SubmissionProblem[] {
  if (form.photos === 0) {
    return [
      {
        field: 'images',
        title: 'Images Required',
        description: 'Please upload at least one clear photo of your gift card for verification.',
        message: 'Please upload at least one clear photo of your gift card for verification.',
      },
    ]
  }
  if (form.photos < photosRequired(form.brand, form.cardFormat)) {
    return [
      {
        field: 'images',
        title: 'Two Images Required',
        description: 'Please upload photos of both the front and the back of your card.',
        message: 'Please upload photos of both the front and the back of your card',
      },
    ]
  }
  return []
}

function paymentProblems(form: SubmissionForm): SubmissionProblem[] {
  const problems: SubmissionProblem[] = []
  if (!form.paymentType) {
    problems.push({
      field: 'paymentType',
      title: 'Payment Method Required',
      description: 'Please choose how you want to be paid.',
      message: 'Payment type is required',
    })
  }
  if (blank(form.paymentAccountName)) {
    problems.push({
      field: 'paymentAccountName',
      title: 'Account Name Required',
      description: 'Please enter the name of the account holder.',
      message: 'Account name is required',
    })
  }
  return [...problems, ...accountProblems(form)]
}

function accountProblems(form: SubmissionForm): SubmissionProblem[] {
  if (form.paymentType === 'bank_transfer') {
    return [
      ...bankProblem('paymentRoutingNumber', form.paymentRoutingNumber, routingNumberProblem),
      ...bankProblem('paymentAccountNumber', form.paymentAccountNumber, accountNumberProblem),
    ]
  }
  if (blank(form.paymentAccountInfo)) {
    return [
      {
        field: 'paymentAccountInfo',
        title: 'Account Information Required',
        description: 'Please enter the account that we should pay.',
        message: 'Account info is required',
      },
    ]
  }
  const message = form.paymentType && accountProblem(form.paymentType, form.paymentAccountInfo)
  return message ? [invalid('paymentAccountInfo', 'Account Information Invalid', message)] : []
}

function bankProblem(
  field: 'paymentRoutingNumber' | 'paymentAccountNumber',
  number: string,
  problemOf: (number: string) => string | undefined,
): SubmissionProblem[] {
  if (blank(number)) {
    return [
      {
        field,
        title: 'Bank Details Required',
        description: 'Please enter both the routing number and the account number.',
        message: 'Routing number and account number are required for bank transfers',
      },
    ]
  }
  const message = problemOf(number)
  return message ? [invalid(field, 'Bank Details Invalid', message)] : []
}

function invalid(field: SubmissionField, title: string, message: string): SubmissionProblem {
  return { field, title, description: `${message}.`, message }
}

function cardProblems(form: SubmissionForm): SubmissionProblem[] {
  const problems: SubmissionProblem[] = []
  if (blank(form.cardNumber)) {
    problems.push({
      field: 'cardNumber',
      title: 'Card Number Required',
      description: 'Please enter the number that is on your card.',
      message: 'Card number is required',
    })
  }
  const wrongNumber = blank(form.cardNumber) ? undefined : cardNumberProblem(form.cardNumber)
  if (wrongNumber) problems.push(invalid('cardNumber', 'Card Number Invalid', wrongNumber))
  const expiration = form.expirationDate.trim()
  if (expiration === '' && expirationRequired(form.brand)) {
    problems.push({
      field: 'expirationDate',
      title: 'Expiration Date Required',
      description: 'Please enter the expiration date as MM/YY.',
      message: 'Please enter the expiration date as MM/YY',
    })
  }
  if (expiration !== '' && !EXPIRATION_DATE.test(expiration)) {
    problems.push({
      field: 'expirationDate',
      title: 'Expiration Date Invalid',
      description: 'Please enter the expiration date as MM/YY.',
      message: 'Please enter the expiration date as MM/YY',
    })
  }
  return problems
}

/** The label of the submit button. */
export function submitLabel(form: SubmissionForm, submitting: boolean): string {
  if (submitting) return 'Submitting...'
  const [missing] = photoProblems(form)
  if (!missing) return 'Submit for Review'
  const both = photosRequired(form.brand, form.cardFormat) === 2
  return both ? 'Upload Front & Back Images Required' : 'Upload Images Required'
}
