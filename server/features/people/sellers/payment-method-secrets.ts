import type { NewPaymentMethod } from '#contract/payment-methods.ts'
import { type BankAccount, bankAccountInfo } from '#domain/payment-methods.ts'
import type { paymentMethods } from '#server/platform/database/schema.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { openRow, sealRow } from '#server/platform/vault/seal.ts'

export type MethodRow = typeof paymentMethods.$inferSelect

const rowOf = (row: string) => ({ table: 'payment_methods', row })

/** The secret columns of a new row, encrypted with a key for this row. */
export function sealMethod(keys: KeyRing, id: string, fields: NewPaymentMethod) {
  const bank = bankOf(fields)
  const { dataKey, sealed } = sealRow(keys, rowOf(id), {
    account_info: bank ? bankAccountInfo(bank) : (fields.accountInfo ?? ''),
    routing_number: bank?.routingNumber ?? null,
    account_number: bank?.accountNumber ?? null,
  })
  return {
    dataKey,
    accountInfo: sealed.account_info ?? Buffer.alloc(0),
    routingNumber: sealed.routing_number,
    accountNumber: sealed.account_number,
  }
}

function bankOf({ type, routingNumber, accountNumber }: NewPaymentMethod): BankAccount | undefined {
  if (type !== 'bank_transfer' || !routingNumber || !accountNumber) return undefined
  return { routingNumber, accountNumber }
}

export interface OpenedMethod {
  readonly accountInfo: string
  /** Only for a bank transfer. */
  readonly bank?: BankAccount
}

/** Throws `VaultError` if the row was tampered with. */
export function openMethod(keys: KeyRing, row: MethodRow): OpenedMethod {
  const opened = openRow(keys, rowOf(row.id), row.dataKey, {
    account_info: row.accountInfo,
    routing_number: row.routingNumber,
    account_number: row.accountNumber,
  })
  const { routing_number: routingNumber, account_number: accountNumber } = opened
  const bank = routingNumber !== null && accountNumber !== null ? { routingNumber, accountNumber } : undefined
  return { accountInfo: opened.account_info ?? '', ...(bank && { bank }) }
}
