import { photosRequired } from '#domain/card.ts'
import type { SubmissionField, SubmissionForm, SubmissionProblem } from '#domain/submission-form.ts'
import type { Key } from '#words/keys.ts'
import type { Translate } from '#words/translate.ts'

interface ToastKeys {
  missing?: Key
  /** Without it, the toast about a missing field repeats the error at the field. */
  missingText?: Key
  invalid?: Key
}

const bank: ToastKeys = {
  missing: 'sellCard.missing.bank',
  missingText: 'sellCard.missing.bank.text',
  invalid: 'sellCard.invalid.bank',
}

const toastKeys: Readonly<Partial<Record<SubmissionField, ToastKeys>>> = {
  balance: { missing: 'sellCard.missing.balance', invalid: 'sellCard.invalid.balance' },
  images: { missing: 'sellCard.missing.images', invalid: 'sellCard.invalid.images' },
  paymentType: {
    missing: 'sellCard.missing.paymentType',
    missingText: 'sellCard.missing.paymentType.text',
  },
  paymentAccountName: {
    missing: 'sellCard.missing.accountName',
    missingText: 'sellCard.missing.accountName.text',
  },
  paymentAccountInfo: {
    missing: 'sellCard.missing.accountInfo',
    missingText: 'sellCard.missing.accountInfo.text',
    invalid: 'sellCard.invalid.accountInfo',
  },
  paymentRoutingNumber: bank,
  paymentAccountNumber: bank,
  cardNumber: {
    missing: 'sellCard.missing.cardNumber',
    missingText: 'sellCard.missing.cardNumber.text',
    invalid: 'sellCard.invalid.cardNumber',
  },
  securityCode: { invalid: 'sellCard.invalid.securityCode' },
  expirationDate: { missing: 'sellCard.missing.expirationDate', invalid: 'sellCard.invalid.expirationDate' },
}

/** The toast about the first problem of the form. */
export function problemToast(t: Translate, { field, kind, code, params }: SubmissionProblem) {
  const keys = toastKeys[field]
  const message = t(`fields.${code}`, params)
  const sentence = message.endsWith('.') ? message : `${message}.`
  const text = kind === 'missing' && keys?.missingText
  return { title: t(keys?.[kind] ?? 'sellCard.failed'), description: text ? t(text) : sentence }
}

/** The label of the submit button for one card. */
export function submitLabel(
  t: Translate,
  { brand, cardFormat, photos }: SubmissionForm,
  submitting: boolean,
): string {
  if (submitting) return t('sellCard.submit.sending')
  const required = photosRequired(brand, cardFormat)
  if (photos >= required) return t('sellCard.submit')
  return t(required === 2 ? 'sellCard.submit.addBothSides' : 'sellCard.submit.addPhoto')
}
