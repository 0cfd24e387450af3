import { lettersAndDigits, masked, visibleEnd } from './card-number.ts'

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

/** What kind of account a bank account is. Sellers who are not asked have a checking account. */
export const accountTypes = ['checking', 'savings'] as const
export type AccountType = (typeof accountTypes)[number]

/** Maximum saved payment methods per seller. */
export const MAX_PAYMENT_METHODS = 20

type AccountProblem =
  | 'account_invalid'
  | 'venmo_account_invalid'
  | 'chime_account_invalid'
  | 'cash_app_account_invalid'

interface Handle {
  readonly pattern: RegExp
  readonly problem: AccountProblem
}

// Looser than the services' own rules, because a handle that exists must never be refused.
const CASHTAG = /^\$(?=.*\p{L})[\p{L}\p{N}_.-]{1,50}$/u
const VENMO_HANDLE = /^@[\p{L}\p{N}_.-]{1,50}$/u

/** Accepted besides an email address and a US phone number. */
const handles: Readonly<Partial<Record<PaymentType, Handle>>> = {
  venmo: { pattern: VENMO_HANDLE, problem: 'venmo_account_invalid' },
  chime: { pattern: CASHTAG, problem: 'chime_account_invalid' },
  cash_app: { pattern: CASHTAG, problem: 'cash_app_account_invalid' },
}

/** The types to choose from, in the spec's order. */
const choices = {
  submission: ['paypal', 'venmo', 'zelle', 'chime', 'google_pay', 'apple_pay', 'cash_app', 'bank_transfer'],
  profile: ['paypal', 'venmo', 'zelle', 'cash_app', 'chime', 'bank_transfer', 'other'],
} as const satisfies Record<string, readonly PaymentType[]>

/** @param offered the types that the shop offers */
export function paymentTypesOn(
  screen: keyof typeof choices,
  offered: readonly PaymentType[] = paymentTypes,
): readonly PaymentType[] {
  return choices[screen].filter((type) => offered.includes(type))
}

const EMAIL = /^[^\s@,;:<>()[\]"]+@[^\s@,;:<>()[\]"]+\.[^\s@.,;:<>()[\]"]{2,}$/
// Ten digits in the usual groups, with an optional country code.
const US_PHONE = /^(?:\+?1[ .-]*)?(?:\(\d{3}\)|\d{3})[ ./-]*\d{3}[ .-]*\d{4}$/

/** The code of what is wrong with an account of this type. Bank transfers have other fields. */
export function accountProblem(type: PaymentType, account: string): AccountProblem | undefined {
  // A form also checks the account while its type is still missing or wrong.
  if (!paymentTypes.includes(type) || type === 'other' || type === 'bank_transfer') return undefined
  const handle = handles[type]
  const typed = withPlainHyphens(account)
  if (EMAIL.test(typed) || US_PHONE.test(typed) || handle?.pattern.test(typed)) return undefined
  return handle?.problem ?? 'account_invalid'
}

const withPlainHyphens = (account: string): string =>
  account
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .trim()

/**
 * What tells whether two accounts are the same: its kind, and its letters and digits. An email address or a US phone number is one
 * account with every method; a handle belongs to its service. Undefined if there is nothing to compare.
 */
export function accountIdentity(type: PaymentType, info: string): string | undefined {
  const bank = readBankAccountInfo(info)
  if (bank) return `bank ${lettersAndDigits(bank.routingNumber)} ${lettersAndDigits(bank.accountNumber)}`
  const account = withPlainHyphens(info)
  const compared = lettersAndDigits(account)
  if (!compared) return undefined
  if (/^1?\d{10}$/.test(compared) && !/^[@$]/.test(account)) return `phone ${compared.slice(-10)}`
  return `${EMAIL.test(account) ? 'email' : type} ${compared}`
}

export function routingNumberProblem(number: string): 'routing_number_invalid' | undefined {
  return /^\d{9}$/.test(bankDigits(number)) ? undefined : 'routing_number_invalid'
}

export function accountNumberProblem(number: string): 'account_number_invalid' | undefined {
  return /^\d{4,17}$/.test(bankDigits(number)) ? undefined : 'account_number_invalid'
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

/** The numbers in a bank transfer's account information, masked or not. Undefined for other account information. */
export function readBankAccountInfo(info: string): BankAccount | undefined {
  const [, routingNumber, accountNumber] = /^Routing: (.+), Account: (.+)$/.exec(info) ?? []
  return routingNumber && accountNumber ? { routingNumber, accountNumber } : undefined
}

/** "021000021" -> "•••• 0021". Shows at most half of a short number. */
export function maskNumber(number: string): string {
  return masked(visibleEnd(number.replace(/[\s-]/g, '')))
}

/** A masked payout account: "j•••@example.com", "@j•••oe" of a handle with at least six characters, "•••• 0123". */
export function maskAccountInfo(info: string): string {
  const [name, host, ...more] = info.split('@')
  if (name && host && more.length === 0) return `${[...name][0]}•••@${host}`
  const [sign, first, ...rest] = info
  if (!sign || !first || !'@$'.includes(sign)) return maskNumber(info)
  return `${sign}${first}•••${rest.length < 5 ? '' : rest.slice(-2).join('')}`
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
