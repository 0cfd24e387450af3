import { setImmediate } from 'node:timers/promises'
import { type FileKind, MAX_BATCH } from '#domain/payout.ts'
import { Refusal } from '#server/http/refusal.ts'
import { settings as environment } from '#server/platform/config/settings.ts'
import type { NachaSettings, PayoutSettings } from '#server/platform/config/site.ts'
import { sameDayOf, settlementDay } from './bank-days.ts'
import { nachaFile } from './nacha.ts'
import { paypalFile, providerRequest } from './paypal.ts'
import type { ComposedFile, FileRequest } from './request.ts'
import { worksheet } from './worksheet.ts'

export type { ComposedFile, FilePayment, FileRequest } from './request.ts'

/**
 * Makes the file in which a batch leaves, or the request to its provider. The same request gives the same bytes.
 *
 * @throws {Refusal} if settings are missing
 */
export async function composeFile(kind: FileKind, request: FileRequest): Promise<ComposedFile> {
  if (request.payments.length > MAX_BATCH[kind]) throw new Error(`Too many payments for one ${kind} file`)
  const parts: string[] = []
  for (const part of write[kind](request)) {
    if (parts.push(part) % PARTS_AT_ONCE === 0) await setImmediate()
  }
  return {
    bytes: Buffer.from(parts.join('')),
    name: `payouts-${request.batchNumber}.${request.sentBy ? 'json' : kind === 'nacha' ? 'ach' : 'csv'}`,
    expectedOn: expectedArrival(kind, request.madeAt, request.settings, request.sameDay),
  }
}

/** Records made before other requests get their turn: about 5 ms of work. */
const PARTS_AT_ONCE = 1000

const write: Readonly<Record<FileKind, (request: FileRequest) => Iterable<string>>> = {
  nacha: (request) => nachaFile(request, configured(request.settings)),
  paypal: (request) => [request.sentBy ? providerRequest(request, request.sentBy) : paypalFile(request)],
  worksheet: (request) => [worksheet(request)],
}

/**
 * The day by which sellers should have the money of a file that is sent at a time, like 2026-11-24. Null unless it is for a
 * bank: other services pay at once, or nobody knows.
 */
export function expectedArrival(
  kind: FileKind,
  sentAt: Date,
  { nacha }: Pick<PayoutSettings, 'nacha'>,
  sameDay = false,
): string | null {
  if (kind !== 'nacha') return null
  return (sameDay && sameDayOf(sentAt, nacha)) || settlementDay(sentAt, nacha)
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
