import { photosRequired } from '#domain/card.ts'
import type { SubmissionField, SubmissionForm, SubmissionProblem } from '#domain/submission-form.ts'

const subjects: Readonly<Partial<Record<SubmissionField, string>>> = {
  images: 'Images',
  paymentType: 'Payment Method',
  paymentAccountName: 'Account Name',
  paymentAccountInfo: 'Account Information',
  paymentRoutingNumber: 'Bank Details',
  paymentAccountNumber: 'Bank Details',
  cardNumber: 'Card Number',
  expirationDate: 'Expiration Date',
}

/** The toast about a missing field. Fields that are not listed use the error at the field. */
const missing: Readonly<Partial<Record<SubmissionField, string>>> = {
  paymentType: 'Please choose how you want to be paid.',
  paymentAccountName: 'Please enter the name of the account holder.',
  paymentAccountInfo: 'Please enter the account that we should pay.',
  paymentRoutingNumber: 'Please enter both the routing number and the account number.',
  paymentAccountNumber: 'Please enter both the routing number and the account number.',
  cardNumber: 'Please enter the number that is on your card.',
}

/** The toast about the first problem of the form. */
export function problemToast({ field, kind, message }: SubmissionProblem) {
  const sentence = message.endsWith('.') ? message : `${message}.`
  if (kind === 'missing') {
    return { title: `${subjects[field]} Required`, description: missing[field] ?? sentence }
  }
  const title = field === 'images' ? 'Two Images Required' : `${subjects[field]} Invalid`
  return { title, description: sentence }
}

/** The label of the submit button. */
export function submitLabel({ brand, cardFormat, photos }: SubmissionForm, submitting: boolean): string {
  if (submitting) return 'Submitting...'
  const required = photosRequired(brand, cardFormat)
  if (photos >= required) return 'Submit for Review'
  return required === 2 ? 'Upload Front & Back Images Required' : 'Upload Images Required'
}
