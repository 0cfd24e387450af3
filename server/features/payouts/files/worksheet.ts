import { toDecimal } from '#domain/money.ts'
import { csvLine } from '#server/http/csv.ts'
import type { FileRequest } from './request.ts'

/** A list for people who pay one by one, in the apps of the services. */
export function worksheet({ payments }: FileRequest): string {
  const rows = payments.map((payment) =>
    csvLine([
      String(payment.position),
      String(payment.payoutNumber),
      [payment.reference, ...(payment.otherReferences ?? [])].join(' '),
      payment.paymentType,
      payment.accountName,
      payment.accountInfo,
      toDecimal(payment.amount),
    ]),
  )
  return csvLine(columns) + rows.join('')
}

const columns = [
  'position',
  'payout',
  'reference',
  'paymentType',
  'accountName',
  'account',
  'amount',
] as const
