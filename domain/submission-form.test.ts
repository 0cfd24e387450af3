import { describe, expect, it } from 'vitest'
import { expirationRequired, photosRequired } from './card.ts'
import { type SubmissionForm, submissionProblems, submitLabel } from './submission-form.ts'

describe('the submission form', () => {
  const complete: SubmissionForm = {
    brand: 'visa',
    cardFormat: 'physical',
    photos: 2,
    cardNumber: '4111',
    expirationDate: '12/29',
    paymentType: 'paypal',
    paymentAccountName: 'Sally',
    paymentAccountInfo: 'sally@example.com',
    paymentRoutingNumber: '',
    paymentAccountNumber: '',
  }
  const titles = (form: Partial<SubmissionForm>) =>
    submissionProblems({ ...complete, ...form }).map(({ title }) => title)

  it('has nothing to say to a complete one', () => expect(titles({})).toEqual([]))

  it('checks in the order of the spec', () => {
    const empty = {
      photos: 0,
      paymentType: undefined,
      paymentAccountName: ' ',
      paymentAccountInfo: '',
      cardNumber: '',
    }
    expect(titles(empty)).toEqual([
      'Images Required',
      'Payment Method Required',
      'Account Name Required',
      'Account Information Required',
      'Card Number Required',
    ])
  })

  it('asks two photos of physical Visa, Mastercard and OneVanilla only', () => {
    expect(titles({ photos: 1 })).toEqual(['Two Images Required'])
    expect(titles({ photos: 1, cardFormat: 'digital' })).toEqual([])
    expect(
      ['visa', 'mastercard', 'onevanilla', 'american_express', 'amazon'].map((slug) =>
        photosRequired(slug, 'physical'),
      ),
    ).toEqual([2, 2, 2, 1, 1])
  })

  it('asks both numbers for a bank transfer', () => {
    const bank = {
      paymentType: 'bank_transfer' as const,
      paymentAccountInfo: '',
      paymentRoutingNumber: '021000021',
    }
    expect(titles(bank)).toEqual(['Bank Details Required'])
    expect(titles({ ...bank, paymentAccountNumber: '1' })).toEqual(['Bank Details Invalid'])
    expect(titles({ ...bank, paymentAccountNumber: '1234' })).toEqual([])
  })

  it('asks for an account that fits the payment method, and for a whole card number', () => {
    expect(titles({ paymentAccountInfo: 'sally' })).toEqual(['Account Information Invalid'])
    expect(titles({ paymentType: 'other', paymentAccountInfo: 'sally' })).toEqual([])
    expect(titles({ cardNumber: 'ab' })).toEqual(['Card Number Invalid'])
  })

  it('asks the expiration date of Visa and Mastercard only', () => {
    expect(['visa', 'mastercard', 'onevanilla'].map(expirationRequired)).toEqual([true, true, false])
    expect(titles({ expirationDate: '' })).toEqual(['Expiration Date Required'])
    expect(titles({ expirationDate: '1/29' })).toEqual(['Expiration Date Invalid'])
    expect(titles({ brand: 'amazon', expirationDate: '' })).toEqual([])
  })

  it.each([
    [{ photos: 0 }, 'Upload Front & Back Images Required'],
    [{ photos: 1 }, 'Upload Front & Back Images Required'],
    [{ brand: 'amazon', photos: 0 }, 'Upload Images Required'],
    [{}, 'Submit for Review'],
  ])('labels its button: %o %s', (form, label) =>
    expect(submitLabel({ ...complete, ...form }, false)).toBe(label),
  )

  it('says Submitting... while it is sent', () => expect(submitLabel(complete, true)).toBe('Submitting...'))
})
