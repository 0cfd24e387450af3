import { masked, visibleEnd } from './card-number.ts'

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

/** Maximum saved payment methods per seller. */
export const MAX_PAYMENT_METHODS = 20

interface PaymentRule {
  readonly label: string
  /** What the account information is for this type. */
  readonly account: string
  readonly example: string
  /** Accepted besides an email address and a US phone number. */
  readonly handle?: { readonly name: string; readonly pattern: RegExp }
  readonly offeredOn: readonly ('submission' | 'profile')[]
}

// Looser than the services' own rules, because a handle that exists must never be refused.
const CASHTAG = /^\$(?=.*\p{L})[\p{L}\p{N}_.-]{1,50}$/u
const VENMO_HANDLE = /^@[\p{L}\p{N}_.-]{1,50}$/u

export const paymentRules: Readonly<Record<PaymentType, PaymentRule>> = {
  paypal: {
    label: 'PayPal',
    account: 'PayPal email or phone',
    example: 'you@example.com',
    offeredOn: ['submission', 'profile'],
  },
  venmo: {
    label: 'Venmo',
    account: 'Venmo @handle, email or phone',
    example: '@your-name',
    handle: { name: 'an @handle', pattern: VENMO_HANDLE },
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
    account: 'Chime $ChimeSign, email or phone',
    example: '$your-name',
    handle: { name: 'a $ChimeSign', pattern: CASHTAG },
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
    account: 'Apple Pay email or phone',
    example: '(555) 010-0123',
    offeredOn: ['submission'],
  },
  cash_app: {
    label: 'Cash App',
    account: 'Cash App $cashtag, email or phone',
    example: '$your-name',
    handle: { name: 'a $cashtag', pattern: CASHTAG },
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

/** The types offered on a screen, in the spec's order. */
export function paymentTypesOn(screen: 'submission' | 'profile'): readonly PaymentType[] {
  return paymentTypes.filter((type) => paymentRules[type].offeredOn.includes(screen))
}

const EMAIL = /^[^\s@,;:<>()[\]"]+@[^\s@,;:<>()[\]"]+\.[^\s@.,;:<>()[\]"]{2,}$/
// Ten digits in the usual groups, with an optional country code.
const US_PHONE = /^(?:\+?1[ .-]*)?(?:\(\d{3}\)|\d{3})[ ./-]*\d{3}[ .-]*\d{4}$/

/** An error text for an account that does not fit its type, or undefined. Bank transfers have other fields. */
export function accountProblem(type: PaymentType, account: string): string | undefined {
  const rule: PaymentRule | undefined = paymentRules[type]
  if (!rule || type === 'other' || type === 'bank_transfer') return undefined
  const { handle } = rule
  const typed = account
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .trim()
  if (EMAIL.test(typed) || US_PHONE.test(typed) || handle?.pattern.test(typed)) return undefined
  return handle
    ? `Please enter ${handle.name}, an email address or a US phone number`
    : 'Please enter an email address or a US phone number'
}

export function routingNumberProblem(number: string): string | undefined {
  return /^\d{9}$/.test(bankDigits(number)) ? undefined : 'Please enter a routing number of 9 digits'
}

export function accountNumberProblem(number: string): string | undefined {
  return /^\d{4,17}$/.test(bankDigits(number))
    ? undefined
    : 'Please enter an account number of 4 to 17 digits'
}

/** Removes the spaces and dashes with which people group digits. */
export const bankDigits = (number: string): string => number.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '')

/** "000123456789" -> "0001 2345 6789", easier to compare with paper. */
export function inGroups(number: string, size: number): string {
  return (
    bankDigits(number)
      .match(new RegExp(`.{1,${size}}`, 'g'))
      ?.join(' ') ?? ''
  )
}

export interface BankAccount {
  readonly routingNumber: string
  readonly accountNumber: string
}

/** The account information of a bank transfer, composed from its two numbers. */
export function bankAccountInfo({ routingNumber, accountNumber }: BankAccount): string {
  return `Routing: ${routingNumber}, Account: ${accountNumber}`
}

/** The same with masked numbers, as screens show it. */
export function maskedBankAccountInfo(account: BankAccount): string {
  return bankAccountInfo({
    routingNumber: maskNumber(account.routingNumber),
    accountNumber: maskNumber(account.accountNumber),
  })
}

/** "021000021" -> "•••• 0021". Shows at most half of a short number. */
export function maskNumber(number: string): string {
  return masked(visibleEnd(number.replace(/[\s-]/g, '')))
}

/** A masked payout account: "j•••@example.com", "•••• 0123". */
export function maskAccountInfo(info: string): string {
  const [name, host, ...more] = info.split('@')
  if (name && host && more.length === 0) return `${[...name][0]}•••@${host}`
  return maskNumber(info)
}

const ROUTING_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

/**
 * Whether an ABA routing number has nine digits and a correct check digit: 3(d1+d4+d7) + 7(d2+d5+d8) + (d3+d6+d9) is a
 * multiple of ten (ABA Key to Routing Numbers). Staff are warned about a wrong one; it is not refused.
 */
export function isRoutingNumber(number: string): boolean {
  const digits = number.replace(/[\s-]/g, '')
  if (!/^\d{9}$/.test(digits)) return false
  const sum = ROUTING_WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return sum > 0 && sum % 10 === 0
}
