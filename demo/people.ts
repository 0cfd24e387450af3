import { type AccountType, type PaymentType, paymentTypesOn } from '#domain/payment-methods.ts'
import type { Role } from '#domain/roles.ts'

/** The people of the demo are invented, and their email addresses lead nowhere (RFC 2606). */
export interface Seller {
  readonly firstName: string
  readonly lastName: string
  readonly username: string
  readonly registeredDaysAgo: number
  readonly payment: Payment
}

interface Payment {
  readonly type: PaymentType
  /** The routing number of a bank. */
  readonly account: string
  readonly number?: string
  readonly accountType?: AccountType
}

export const sellers = {
  grace: {
    firstName: 'Grace',
    lastName: 'Nakamura',
    username: 'grace',
    registeredDaysAgo: 41,
    payment: { type: 'paypal', account: 'grace.nakamura@example.com' },
  },
  marcus: {
    firstName: 'Marcus',
    lastName: 'Bell',
    username: 'marcus.bell',
    registeredDaysAgo: 40,
    payment: { type: 'venmo', account: '@marcus-bell' },
  },
  priya: {
    firstName: 'Priya',
    lastName: 'Raman',
    username: 'priya_r',
    registeredDaysAgo: 38,
    payment: { type: 'bank_transfer', account: '021000021', number: '4471009823', accountType: 'savings' },
  },
  tom: {
    firstName: 'Tom',
    lastName: 'Okafor',
    username: 'tom-okafor',
    registeredDaysAgo: 33,
    payment: { type: 'zelle', account: 'tom.okafor@example.org' },
  },
  lena: {
    firstName: 'Lena',
    lastName: 'Hartmann',
    username: 'lena.h',
    registeredDaysAgo: 30,
    payment: { type: 'cash_app', account: '$lena-hartmann' },
  },
  diego: {
    firstName: 'Diego',
    lastName: 'Morales',
    username: 'diego',
    registeredDaysAgo: 26,
    payment: { type: 'paypal', account: 'diego@example.net' },
  },
  ruth: {
    firstName: 'Ruth',
    lastName: 'Abrams',
    username: 'ruth-abrams',
    registeredDaysAgo: 22,
    payment: { type: 'bank_transfer', account: '011401533', number: '900128834' },
  },
  kevin: {
    firstName: 'Kevin',
    lastName: 'Park',
    username: 'kpark',
    registeredDaysAgo: 19,
    payment: { type: 'bank_transfer', account: '021000021', number: '5512007731' },
  },
  walter: {
    firstName: 'Walter',
    lastName: 'Novak',
    username: 'walter.novak',
    registeredDaysAgo: 16,
    // The check digit of the routing number is wrong: it should be 5.
    payment: { type: 'bank_transfer', account: '122105156', number: '6650114020' },
  },
  amara: {
    firstName: 'Amara',
    lastName: 'Osei',
    username: 'amara',
    registeredDaysAgo: 14,
    payment: { type: 'apple_pay', account: '(555) 010-0142' },
  },
  oscar: {
    firstName: 'Oscar',
    lastName: 'Lindqvist',
    username: 'oscar.l',
    registeredDaysAgo: 9,
    payment: { type: 'google_pay', account: 'oscar.l@example.com' },
  },
  nina: {
    firstName: 'Nina',
    lastName: 'Petrova',
    username: 'nina_p',
    registeredDaysAgo: 4,
    payment: { type: 'paypal', account: 'nina.petrova@example.org' },
  },
} as const satisfies Record<string, Seller>
export type SellerName = keyof typeof sellers

/** All have one password, which is printed. */
export const staff = {
  admin: 'owner',
  maya: 'manager',
  jonas: 'reviewer',
  petra: 'payer',
} as const satisfies Record<string, Role>
export type StaffName = keyof typeof staff

export function emailOf({ firstName, lastName }: Pick<Seller, 'firstName' | 'lastName'>): string {
  return `${firstName}.${lastName}@example.com`.toLowerCase()
}

/** A person's payment method, or another one if the shop does not offer it. Every wallet takes an email address. */
export function paymentOf(name: SellerName, offered: readonly PaymentType[]): Payment {
  const { payment } = sellers[name]
  if (offered.includes(payment.type)) return payment
  const wallet = paymentTypesOn('submission', offered).find((type) => type !== 'bank_transfer')
  return wallet ? { type: wallet, account: emailOf(sellers[name]) } : sellers.priya.payment
}
