import { masked, visibleEnd } from './mask.ts'

/** The ways a seller can be paid, and what each one needs to know. */
export const paymentTypes = [
  'paypal',
  'venmo',
  'zelle',
  'chime',
  'google_pay',
  'apple_pay',
  'cash_app',
  'bank_transfer',
  'other',
] as const
export type PaymentType = (typeof paymentTypes)[number]

/** So many one seller can save. */
export const MAX_PAYMENT_METHODS = 20

interface PaymentRule {
  readonly label: string
  /** What the account information is for this type: the label of its field. */
  readonly account: string
  readonly example: string
  readonly offeredOn: readonly ('submission' | 'profile')[]
}

export const paymentRules: Readonly<Record<PaymentType, PaymentRule>> = {
  paypal: {
    label: 'PayPal',
    account: 'PayPal email',
    example: 'you@example.com',
    offeredOn: ['submission', 'profile'],
  },
  venmo: {
    label: 'Venmo',
    account: 'Venmo username',
    example: '@your-name',
    offeredOn: ['submission', 'profile'],
  },
  zelle: {
    label: 'Zelle',
    account: 'Zelle email or phone',
    example: 'you@example.com',
    offeredOn: ['submission', 'profile'],
  },
  chime: {
    label: 'Chime',
    account: 'Chime $ChimeSign',
    example: '$your-name',
    offeredOn: ['submission', 'profile'],
  },
  google_pay: {
    label: 'Google Pay',
    account: 'Google Pay email or phone',
    example: 'you@example.com',
    offeredOn: ['submission'],
  },
  apple_pay: {
    label: 'Apple Pay',
    account: 'Apple Pay phone',
    example: '(555) 010-0123',
    offeredOn: ['submission'],
  },
  cash_app: {
    label: 'Cash App',
    account: 'Cash App $Cashtag',
    example: '$your-name',
    offeredOn: ['submission', 'profile'],
  },
  bank_transfer: {
    label: 'Bank Transfer',
    account: 'Routing and account number',
    example: '',
    offeredOn: ['submission', 'profile'],
  },
  other: {
    label: 'Other',
    account: 'Account information',
    example: 'How we can pay you',
    offeredOn: ['profile'],
  },
}

/** The types that a screen offers, in the spec's order. */
export function paymentTypesOn(screen: 'submission' | 'profile'): readonly PaymentType[] {
  return paymentTypes.filter((type) => paymentRules[type].offeredOn.includes(screen))
}

export interface BankAccount {
  readonly routingNumber: string
  readonly accountNumber: string
}

/** The account information of a bank transfer, composed from its two numbers. */
export function bankAccountInfo({ routingNumber, accountNumber }: BankAccount): string {
  return `Routing: ${routingNumber}, Account: ${accountNumber}`
}

/** The same with the last four digits only, which is all that a screen shows. */
export function maskedBankAccountInfo(account: BankAccount): string {
  return bankAccountInfo({
    routingNumber: maskNumber(account.routingNumber),
    accountNumber: maskNumber(account.accountNumber),
  })
}

/** "021000021" -> "•••• 0021"; of something short at most half is shown. */
export function maskNumber(number: string): string {
  return masked(visibleEnd(number.replace(/[\s-]/g, '')))
}

/** What staff see of a payout account before they reveal it: "j•••@example.com", "•••• 0123". */
export function maskAccountInfo(info: string): string {
  const [name, host, ...more] = info.split('@')
  if (name && host && more.length === 0) return `${[...name][0]}•••@${host}`
  return maskNumber(info)
}

const ROUTING_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

/**
 * Whether an ABA routing number has nine digits and its check digit is right: 3(d1+d4+d7) + 7(d2+d5+d8) +
 * (d3+d6+d9) is a multiple of ten (ABA Key to Routing Numbers). A wrong one is warned about and not refused.
 */
export function isRoutingNumber(number: string): boolean {
  const digits = number.replace(/[\s-]/g, '')
  if (!/^\d{9}$/.test(digits)) return false
  const sum = ROUTING_WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return sum > 0 && sum % 10 === 0
}
