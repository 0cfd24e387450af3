import type { AccountType, PaymentType } from '#domain/payment-methods.ts'
import type { PayoutSettings } from '#server/platform/config/site.ts'
import type { PayoutProvider } from '#server/platform/payout-provider/payout-provider.ts'

/** A batch that was released. */
export interface FileRequest {
  readonly batchNumber: number
  readonly madeAt: Date
  /** The bank should pay on the day of `madeAt`. */
  readonly sameDay?: boolean
  readonly payments: readonly FilePayment[]
  readonly settings: PayoutSettings
  readonly productName: string
  /** The provider that pays the batch, instead of a file. */
  readonly sentBy?: { readonly provider: PayoutProvider; readonly batchId: string }
}

export interface FilePayment {
  /** Its position in its batch, from 1. */
  readonly position: number
  readonly payoutId: string
  readonly payoutNumber: number
  /** In cents. */
  readonly amount: number
  readonly paymentType: PaymentType
  readonly accountName: string
  readonly accountInfo: string
  /** Null unless it is a bank transfer. */
  readonly routingNumber: string | null
  readonly accountNumber: string | null
  readonly accountType: AccountType
  /** The reference of the submission, such as 2B91-CCF8, by which staff find it. */
  readonly reference: string
  /** The references of the other submissions that the same payment is for. */
  readonly otherReferences?: readonly string[]
}

export interface ComposedFile {
  readonly bytes: Buffer
  /** Such as payouts-12.ach. */
  readonly name: string
  /** The day on which sellers should have the money, like 2026-11-24. Null if that is not known. */
  readonly expectedOn: string | null
}
