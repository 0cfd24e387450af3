import type { User } from '#contract/accounts.ts'
import { readBankAccountInfo } from '#domain/payment-methods.ts'
import type { Translate } from '#words/translate.ts'

/** A payout account as the server sends it, with the names of a bank account's numbers in the reader's language. */
export function accountText(t: Translate, accountInfo: string): string {
  const bank = readBankAccountInfo(accountInfo)
  return bank ? t('payments.bankAccount', { ...bank }) : accountInfo
}

/** The shortest text that tells a masked payout account from others: of a bank account, the account number. */
export function accountName(account: string): string {
  return readBankAccountInfo(account)?.accountNumber ?? account
}

/** The account holder that a form starts with: most sellers are paid to an account in their own name. */
export const ownName = ({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim()
