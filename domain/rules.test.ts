import { describe, expect, it } from 'vitest'
import { expirationRequired, photosRequired } from './card.ts'
import {
  bankAccountInfo,
  isRoutingNumber,
  maskAccountInfo,
  maskedBankAccountInfo,
  paymentTypesOn,
} from './payment-methods.ts'
import { reasonCategories } from './reasons.ts'
import {
  clearableStatuses,
  finalStatuses,
  movesFrom,
  sellerWords,
  staffStatus,
  statuses,
} from './submission.ts'
import { type SubmissionForm, submissionProblems, submitLabel } from './submission-form.ts'

describe('the status table', () => {
  it.each([
    ['pending', ['Start Processing', 'Approve & Complete', 'Reject', 'Request Information'], ['Withdraw']],
    ['under_review', ['Resume Review', 'Reject'], ['Answer', 'Withdraw']],
    ['processing', ['Mark Complete', 'Mark Failed'], []],
    ['completed', ['Revert to Processing'], []],
    ['rejected', ['Revert to Processing'], []],
    ['failed', ['Revert to Processing'], []],
    ['cancelled', [], []],
  ] as const)('of %s gives staff and seller these buttons', (status, staff, seller) => {
    expect(movesFrom(status, 'staff').map(({ label }) => label)).toEqual(staff)
    expect(movesFrom(status, 'seller').map(({ label }) => label)).toEqual(seller)
  })

  it('calls processing approved for the seller, and a word it does not know unknown', () => {
    expect(sellerWords('approved').text).toContain('payment is being processed')
    expect(sellerWords('pending').text).toContain('being reviewed')
    expect(sellerWords('under_review').text).toBe('Additional verification required')
    expect(sellerWords('rejected').text).toContain('contact support')
    expect(sellerWords('processing').label).toBe('Unknown')
    expect(staffStatus('frozen')).toBe('pending')
  })

  it('knows what is final and what clear-all removes', () => {
    expect(finalStatuses).toEqual(['completed', 'rejected', 'failed', 'cancelled'])
    expect(clearableStatuses).toEqual(statuses.filter((status) => status !== 'completed'))
  })
})

describe('the reasons', () => {
  it('are 26 in the five categories of the spec, each with a code of its own', () => {
    expect(reasonCategories.map(({ name, reasons }) => [name, reasons.length])).toEqual([
      ['Image Quality Issues', 6],
      ['Card Validity Issues', 6],
      ['Account/Usage Issues', 4],
      ['Card Type Restrictions', 6],
      ['Special Instructions', 4],
    ])
    const codes = reasonCategories.flatMap(({ reasons }) => reasons.map(({ code }) => code))
    expect(new Set(codes).size).toBe(26)
  })
})

describe('payment types', () => {
  it('are offered where the spec has them', () => {
    expect(paymentTypesOn('submission')).toEqual([
      'paypal',
      'venmo',
      'zelle',
      'chime',
      'google_pay',
      'apple_pay',
      'cash_app',
      'bank_transfer',
    ])
    expect(paymentTypesOn('profile')).toEqual([
      'paypal',
      'venmo',
      'zelle',
      'chime',
      'cash_app',
      'bank_transfer',
      'other',
    ])
  })

  it('compose and mask a bank account', () => {
    const account = { routingNumber: '021000021', accountNumber: '123456789' }
    expect(bankAccountInfo(account)).toBe('Routing: 021000021, Account: 123456789')
    expect(maskedBankAccountInfo(account)).toBe('Routing: •••• 0021, Account: •••• 6789')
    expect(['sally@example.com', '@sally-seller', '$ab', 'a@b@c'].map(maskAccountInfo)).toEqual([
      's•••@example.com',
      '•••• ller',
      '•••• b',
      '•••• @c',
    ])
  })

  it.each([
    ['021000021', true],
    ['011401533', true],
    ['021000022', false],
    ['12345678', false],
    ['000000000', false],
    ['02100002a', false],
  ])('check the routing number %s', (number, right) => expect(isRoutingNumber(number)).toBe(right))
})

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
    expect(titles({ ...bank, paymentAccountNumber: '1' })).toEqual([])
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
