import type { Cents } from './money.ts'
import type { PaymentType } from './payment-methods.ts'

/**
 * The ledger in double entry. An entry has lines that sum to zero: debits are positive, credits negative. The table says what
 * each event posts; undoing an event posts the same lines with the opposite sign.
 */

/** Accounts that exist once. Cash has an account per payment type, and each seller who owes us has a receivable. */
const commonAccounts = [
  /** Approved cards that are not paid yet, at cost. */
  'incoming',
  /** Cards in the inventory, at cost. */
  'stock',
  'payouts_payable',
  /** Money that buyers have paid. */
  'cash:sales',
  'proceeds',
  /** The cost of the cards that were sold. */
  'cost_of_sales',
  /** The cost of the cards that we used ourselves. */
  'cards_used',
  'losses',
  /** Fees that banks and services charged for payments. */
  'fees',
] as const
export type Account = (typeof commonAccounts)[number] | `cash:${PaymentType}` | `receivable:${string}`

export interface Line {
  readonly account: Account
  /** Debits are positive, credits negative. */
  readonly amount: Cents
}

const line = (account: Account, amount: Cents): Line => ({ account, amount })

/** The lines of each event. Lines of zero are left out when they are posted. */
export const ledgerEvents = {
  /** A card was approved, so we owe its price. */
  approved: ({ price }: { price: Cents }) => [line('incoming', price), line('payouts_payable', -price)],
  /** A seller's debt was deducted from their payout. A negative amount gives back an excess. */
  netted: ({ amount, sellerId }: { amount: Cents; sellerId: string }) => [
    line('payouts_payable', amount),
    line(`receivable:${sellerId}`, -amount),
  ],
  paid: ({ amount, paymentType }: { amount: Cents; paymentType: PaymentType }) => [
    line('payouts_payable', amount),
    line(`cash:${paymentType}`, -amount),
  ],
  /** The money of a payout came back. */
  returned: ({ amount, paymentType }: { amount: Cents; paymentType: PaymentType }) => [
    line(`cash:${paymentType}`, amount),
    line('payouts_payable', -amount),
  ],
  /** A paid card entered the inventory. */
  stocked: ({ cost }: { cost: Cents }) => [line('stock', cost), line('incoming', -cost)],
  sold: ({ cost, proceeds }: { cost: Cents; proceeds: Cents }) => [
    line('cash:sales', proceeds),
    line('proceeds', -proceeds),
    line('cost_of_sales', cost),
    line('stock', -cost),
  ],
  used: ({ cost }: { cost: Cents }) => [line('cards_used', cost), line('stock', -cost)],
  /** The card did not work, so the seller owes us what we paid. */
  bad: ({ cost, sellerId }: { cost: Cents; sellerId: string }) => [
    line(`receivable:${sellerId}`, cost),
    line('stock', -cost),
  ],
  /** We wrote off a seller's debt. */
  written_off: ({ amount, sellerId }: { amount: Cents; sellerId: string }) => [
    line('losses', amount),
    line(`receivable:${sellerId}`, -amount),
  ],
  /** A bank or service charged a fee. It belongs to no submission. */
  fee: ({ amount, paymentType }: { amount: Cents; paymentType: PaymentType }) => [
    line('fees', amount),
    line(`cash:${paymentType}`, -amount),
  ],
} as const

export type LedgerEvent = keyof typeof ledgerEvents
export type LedgerFacts<E extends LedgerEvent> = Parameters<(typeof ledgerEvents)[E]>[0]

/** `opening`: the balances of submissions that are older than the ledger. */
export type EntryName = 'opening' | LedgerEvent | `${LedgerEvent}_undone`
