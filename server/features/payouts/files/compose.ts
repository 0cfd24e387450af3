import { type FileKind, MAX_BATCH } from '#domain/payout.ts'
import { Refusal } from '#server/http/refusal.ts'
import { settings as environment } from '#server/platform/config/settings.ts'
import type { NachaSettings, PayoutSettings } from '#server/platform/config/site.ts'
import { easternTime, settlementDay } from './bank-days.ts'
import { nachaFile } from './nacha.ts'
import { paypalFile } from './paypal.ts'
import type { ComposedFile, FileRequest } from './request.ts'
import { worksheet } from './worksheet.ts'

export type { ComposedFile, FilePayment, FileRequest } from './request.ts'

/**
 * Makes the file in which a batch leaves. The same request gives the same bytes.
 *
 * @throws {Refusal} if settings are missing
 */
export function composeFile(kind: FileKind, request: FileRequest): ComposedFile {
  if (request.payments.length > MAX_BATCH[kind]) throw new Error(`Too many payments for one ${kind} file`)
  const { batchNumber, madeAt, settings } = request
  switch (kind) {
    case 'nacha':
      return {
        bytes: Buffer.from(nachaFile(request, configured(settings)), 'ascii'),
        name: `payouts-${batchNumber}.ach`,
        expectedOn: settlementDay(madeAt),
      }
    case 'paypal':
      return {
        bytes: Buffer.from(paypalFile(request)),
        name: `payouts-${batchNumber}.csv`,
        expectedOn: easternTime(madeAt).day,
      }
    case 'worksheet':
      return { bytes: Buffer.from(worksheet(request)), name: `payouts-${batchNumber}.csv`, expectedOn: null }
  }
}

/** @throws {Refusal} which names the settings without which the file cannot be made */
export function requireConfigured(kind: FileKind, settings: PayoutSettings): void {
  if (kind === 'nacha') configured(settings)
}

function configured({ nacha }: PayoutSettings): NachaSettings {
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
