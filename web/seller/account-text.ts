import { readBankAccountInfo } from '#domain/payment-methods.ts'
import type { Translate } from '#words/translate.ts'

/** A payout account as the server sends it, with the names of a bank account's numbers in the reader's language. */
export function accountText(t: Translate, accountInfo: string): string {
  const bank = readBankAccountInfo(accountInfo)
  return bank ? t('payments.bankAccount', { ...bank }) : accountInfo
}
