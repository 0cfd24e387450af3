import { describe, expect, it } from 'vitest'
import { expirationRequired, photosRequired } from './card.ts'
import { type SubmissionForm, submissionProblems } from './submission-form.ts'

describe('the submission form', () => {
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
  const found = (form: Partial<SubmissionForm>) =>
    submissionProblems({ ...complete, ...form }).map(({ field, kind }) => `${field} ${kind}`)

  it('has no problems when it is complete', () => expect(found({})).toEqual([]))

  it('lists problems in the order of the spec', () => {
    const empty = {
      photos: 0,
      paymentType: undefined,
      paymentAccountName: ' ',
      paymentAccountInfo: '',
      cardNumber: '',
    }
    expect(found(empty)).toEqual([
      'images missing',
      'paymentType missing',
      'paymentAccountName missing',
      'paymentAccountInfo missing',
      'cardNumber missing',
    ])
  })

  it('requires two photos only for physical Visa, Mastercard and OneVanilla cards', () => {
    expect(found({ photos: 1 })).toEqual(['images invalid'])
    expect(found({ photos: 1, cardFormat: 'digital' })).toEqual([])
    expect(
      ['visa', 'mastercard', 'onevanilla', 'american_express', 'amazon'].map((slug) =>
        photosRequired(slug, 'physical'),
      ),
    ).toEqual([2, 2, 2, 1, 1])
  })

  it('requires both numbers for a bank transfer', () => {
    const bank = {
      paymentType: 'bank_transfer' as const,
      paymentAccountInfo: '',
      paymentRoutingNumber: '021000021',
    }
    expect(found(bank)).toEqual(['paymentAccountNumber missing'])
    expect(found({ ...bank, paymentAccountNumber: '1' })).toEqual(['paymentAccountNumber invalid'])
    expect(found({ ...bank, paymentAccountNumber: '1234' })).toEqual([])
  })

  it('requires an account that fits the payment method, and a whole card number', () => {
    expect(found({ paymentAccountInfo: 'sally' })).toEqual(['paymentAccountInfo invalid'])
    expect(found({ paymentType: 'other', paymentAccountInfo: 'sally' })).toEqual([])
    expect(found({ cardNumber: 'ab' })).toEqual(['cardNumber invalid'])
    expect(found({ securityCode: '12.34' })).toEqual(['securityCode invalid'])
  })

  it('requires the expiration date only for Visa and Mastercard', () => {
    expect(['visa', 'mastercard', 'onevanilla'].map(expirationRequired)).toEqual([true, true, false])
    expect(found({ expirationDate: '' })).toEqual(['expirationDate missing'])
    expect(found({ expirationDate: '1/29' })).toEqual(['expirationDate invalid'])
    const [problem] = submissionProblems({ ...complete, expirationDate: '13/29' })
    expect(problem?.code).toBe('expiration_month_invalid')
    expect(found({ brand: 'amazon', expirationDate: '' })).toEqual([])
  })
})
