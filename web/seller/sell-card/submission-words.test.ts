import { expect, it } from 'vitest'
import { type SubmissionForm, submissionProblems } from '#domain/submission-form.ts'
import { readWords } from '#words/catalogs.ts'
import { problemToast, submitLabel } from './submission-words.ts'

const { en: t } = readWords({ product: 'Unspent' })

const complete: SubmissionForm = {
  brand: 'visa',
  cardFormat: 'physical',
  photos: 2,
  cardNumber: '4111',
  securityCode: '',
  expirationDate: '12/29',
  paymentType: 'paypal',
  paymentAccountName: 'Sally',
  paymentAccountInfo: 'sally@example.com',
  paymentRoutingNumber: '',
  paymentAccountNumber: '',
}

it.each<[Partial<SubmissionForm>, string]>([
  [{ photos: 0 }, 'Images Required'],
  [{ photos: 1 }, 'Two Images Required'],
  [{ paymentType: undefined }, 'Payment Method Required'],
  [{ paymentAccountName: ' ' }, 'Account Name Required'],
  [{ paymentAccountInfo: '' }, 'Account Information Required'],
  [{ paymentAccountInfo: 'sally' }, 'Account Information Invalid'],
  [{ paymentType: 'bank_transfer' }, 'Bank Details Required'],
  [{ paymentType: 'bank_transfer', paymentRoutingNumber: '1' }, 'Bank Details Invalid'],
  [{ cardNumber: '' }, 'Card Number Required'],
  [{ cardNumber: 'ab' }, 'Card Number Invalid'],
  [{ securityCode: '12.34' }, 'PIN or Redemption Code Invalid'],
  [{ expirationDate: '' }, 'Expiration Date Required'],
  [{ expirationDate: '1/29' }, 'Expiration Date Invalid'],
])('a toast about %o says "%s"', (form, title) => {
  const [first] = submissionProblems({ ...complete, ...form })
  expect(first && problemToast(t, first).title).toBe(title)
})

it.each([
  [{ photos: 0 }, 'Upload Front & Back Images Required'],
  [{ photos: 1 }, 'Upload Front & Back Images Required'],
  [{ brand: 'amazon', photos: 0 }, 'Upload Images Required'],
  [{}, 'Submit for Review'],
])('the submit button for %o says "%s"', (form, label) =>
  expect(submitLabel(t, { ...complete, ...form }, false)).toBe(label),
)

it('the submit button says "Submitting..." while the form is sent', () =>
  expect(submitLabel(t, complete, true)).toBe('Submitting...'))
