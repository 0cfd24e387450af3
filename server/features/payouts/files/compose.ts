import type { PaymentType } from '#domain/payment-methods.ts'
import type { FileKind } from '#domain/payout.ts'
import { Refusal } from '#server/http/refusal.ts'
import { settings as environment } from '#server/platform/config/settings.ts'
import type { NachaSettings, PayoutSettings } from '#server/platform/config/site.ts'

/** A batch that was released. */
export interface FileRequest {
  readonly batchNumber: number
  readonly madeAt: Date
  readonly payments: readonly FilePayment[]
  readonly settings: PayoutSettings
  readonly productName: string
}

export interface FilePayment {
  /** Where it is in its batch, from 1. */
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
  /** The reference of the submission, such as 2B91-CCF8. */
  readonly reference: string
}

export interface ComposedFile {
  readonly bytes: Buffer
  /** Such as payouts-12.ach. */
  readonly name: string
  /** The day on which sellers should have the money, like 2026-11-24. Null if that differs between them. */
  readonly expectedOn: string | null
}

/** Makes the file in which a batch leaves. */
export function composeFile(kind: FileKind, request: FileRequest): ComposedFile {
  requireConfigured(kind, request.settings)
  const lines = request.payments.map(({ accountInfo, amount }) => `${accountInfo},${amount}\r\n`)
  return {
    bytes: Buffer.from(lines.join('')),
    name: `payouts-${request.batchNumber}.csv`,
    expectedOn: null,
  }
}

/** @throws {Refusal} which names the settings without which the file cannot be made */
export function requireConfigured(kind: FileKind, { nacha }: PayoutSettings): void {
  if (kind === 'nacha') configured(nacha)
}

function configured(nacha: PayoutSettings['nacha']): NachaSettings {
  if (isComplete(nacha)) return nacha
  const missing = Object.entries(variables).filter(([name]) => !nacha[name as keyof NachaSettings])
  throw new Refusal('payout_file_not_configured', 'refusals.payout_file_not_configured', {
    params: { settings: missing.map(([, variable]) => variable).join(', ') },
  })
}

const isComplete = (nacha: PayoutSettings['nacha']): nacha is NachaSettings =>
  (Object.keys(variables) as (keyof NachaSettings)[]).every((name) => nacha[name])

/** The others have defaults. */
const variables = {
  destination: environment.nachaDestination.name,
  destinationName: environment.nachaDestinationName.name,
  origin: environment.nachaOrigin.name,
  companyName: environment.nachaCompanyName.name,
  companyId: environment.nachaCompanyId.name,
} as const
