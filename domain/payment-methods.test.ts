import { describe, expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import {
  accountIdentity,
  accountNumberProblem,
  accountProblem,
  bankAccountInfo,
  inGroups,
  isRoutingNumber,
  maskAccountInfo,
  maskedBankAccountInfo,
  paymentTypes,
  paymentTypesOn,
  readBankAccountInfo,
  routingNumberProblem,
} from './payment-methods.ts'

describe('payment types', () => {
  it('are offered on the screens of the spec', () => {
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
      'cash_app',
      'chime',
      'bank_transfer',
      'other',
    ])
  })

  it('compose and mask a bank account', () => {
    const account = { routingNumber: '021000021', accountNumber: '123456789' }
    expect(bankAccountInfo(account)).toBe('Routing: 021000021, Account: 123456789')
    expect(maskedBankAccountInfo(account)).toBe('Routing: •••• 0021, Account: •••• 6789')
    expect(readBankAccountInfo('Routing: •••• 0021, Account: •••• 6789')).toEqual({
      routingNumber: '•••• 0021',
      accountNumber: '•••• 6789',
    })
    expect(readBankAccountInfo('sally@example.com')).toBeUndefined()
    const accounts = ['sally@example.com', '@sally-seller', '$sally1', '$sally', '$a', 'a@b@c']
    expect(accounts.map(maskAccountInfo)).toEqual([
      's•••@example.com',
      '@s•••er',
      '$s•••y1',
      '$s•••',
      '$a•••',
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

describe('an account', () => {
  const services = paymentTypes.filter((type) => type !== 'bank_transfer' && type !== 'other')

  it.each([
    'seller@example.com',
    'first.last+tag@sub.example.co',
    'zoë@exämple.com',
    '5551234567',
    '555-123-4567',
    '555.123.4567',
    '555 123 4567',
    '(555) 123-4567',
    '(555)123-4567',
    '+1 555 123 4567',
    '+15551234567',
    '1-555-123-4567',
    '+1 (555) 010-0123',
    '555\u2011123\u20114567',
    ' 555\u00a0123\u00a04567 ',
  ])('can be %j for every type', (account) => {
    for (const type of services) expect(accountProblem(type, account), type).toBeUndefined()
  })

  it.each([
    ['venmo', '@sally'],
    ['venmo', '@Sally-Seller_1'],
    ['cash_app', '$sally'],
    ['cash_app', '$Sally1'],
    ['chime', '$Sally-Seller'],
  ] as const)('of %s may be %s', (type, account) => expect(accountProblem(type, account)).toBeUndefined())

  it.each([
    ['paypal', 'sally'],
    ['paypal', '@sally'],
    ['zelle', '$sally'],
    ['google_pay', 'x'],
    ['apple_pay', 'sally at example.com'],
    ['paypal', 'sally@example'],
    ['paypal', 'a@example.com, b@example.com'],
    ['paypal', '555-1234'],
    ['paypal', '+44 20 7946 0958'],
    ['paypal', '555-123-45678'],
    ['paypal', '555\n1234567'],
    ['venmo', 'sally'],
    ['venmo', '$sally'],
    ['venmo', '@'],
    ['venmo', '@sally seller'],
    ['cash_app', '@sally'],
    ['cash_app', '$'],
    ['cash_app', '$100'],
    ['chime', 'sally'],
  ] as const)('of %s cannot be %j', (type, account) =>
    expect(accountProblem(type, account)).toMatch(/account_invalid$/),
  )

  it('has an error text that says what to enter', () => {
    const { en } = readWords({ product: 'Unspent' })
    const codes = (['venmo', 'cash_app', 'chime', 'zelle'] as const).map((type) => accountProblem(type, '?'))
    expect(codes.map((code) => code && en(`fields.${code}`))).toEqual([
      'Please enter an @handle, an email address or a US phone number',
      'Please enter a $cashtag, an email address or a US phone number',
      'Please enter a $ChimeSign, an email address or a US phone number',
      'Please enter an email address or a US phone number',
    ])
  })

  it('of the type other can be any text', () => expect(accountProblem('other', 'By check')).toBeUndefined())

  it('at a bank has 9 and 4 to 17 digits, in any grouping', () => {
    for (const number of ['021000021', '0210 0002 1', '021-000-021', '123456789'])
      expect(routingNumberProblem(number), number).toBeUndefined()
    for (const number of ['02100002', '0210000210', '02100002a', ''])
      expect(routingNumberProblem(number), number).toBe('routing_number_invalid')
    for (const number of ['1234', '12345678901234567', '0001-2345 6789'])
      expect(accountNumberProblem(number), number).toBeUndefined()
    for (const number of ['123', '123456789012345678', '12a4', '----'])
      expect(accountNumberProblem(number), number).toBe('account_number_invalid')
  })

  it('is shown in groups', () => {
    expect(inGroups('021000021', 3)).toBe('021 000 021')
    expect(inGroups('00-0123 456789', 4)).toBe('0001 2345 6789')
    expect(inGroups('', 4)).toBe('')
  })
})

describe('an account is the same', () => {
  it.each([
    [
      'a phone number with every method and in every spelling',
      [
        ['zelle', '2125555942'],
        ['venmo', '(212) 555-5942'],
        ['cash_app', '+1 212 555 5942'],
        ['chime', '1-212-555-5942'],
        ['apple_pay', '212\u2011555\u20115942'],
        ['other', '212/555/5942\u200b'],
      ],
    ],
    [
      'an email address with every method',
      [
        ['paypal', 'sally@example.com'],
        ['zelle', ' Sally@Example.COM '],
        ['other', 'ｓａｌｌｙ@example.com'],
        ['paypal', 'sa\u3164lly@example.com'],
      ],
    ],
    [
      'a handle of one service',
      [
        ['venmo', '@sally-seller'],
        ['venmo', '@Sally-Seller'],
      ],
    ],
    [
      'a bank account',
      [
        ['bank_transfer', 'Routing: 021000021, Account: 000123'],
        ['bank_transfer', 'Routing: 0210 0002-1, Account: 000-123'],
      ],
    ],
  ] as const)('%s', (_what, accounts) => {
    expect(new Set(accounts.map(([type, info]) => accountIdentity(type, info))).size).toBe(1)
  })

  it('but not another one', () => {
    const accounts = [
      ['zelle', '2125555942'],
      ['venmo', '@2125555942'],
      ['chime', '$sally'],
      ['cash_app', '$sally'],
      ['venmo', '@sally'],
      ['paypal', 'sally@example.com'],
      ['bank_transfer', 'Routing: 021000021, Account: 000123'],
      ['bank_transfer', 'Routing: 021000021, Account: 123'],
      ['other', 'By check'],
    ] as const
    expect(new Set(accounts.map(([type, info]) => accountIdentity(type, info))).size).toBe(accounts.length)
    expect(accountIdentity('other', '?')).toBeUndefined()
  })
})
