import { describe, expect, it } from 'vitest'
import {
  bankAccountInfo,
  isRoutingNumber,
  maskAccountInfo,
  maskedBankAccountInfo,
  paymentTypesOn,
} from './payment-methods.ts'

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
