import type { Pool } from 'pg'
import { toDecimal } from '#domain/money.ts'
import { DAY_MS } from './browsers.ts'

/** A statement of the shop's bank to import: its batches of bank transfers, a fee, and other business of the account. */
export async function demoStatement(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ total: string }>(
    "SELECT total FROM payout_batches WHERE file_kind = 'nacha' AND state = 'exported' ORDER BY number",
  )
  const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
  const bookings: [day: string, text: string, cents: number][] = [
    ...rows.map(({ total }): [string, string, number] => [dayBefore(1), 'DEMO SHOP PAYOUT', -Number(total)]),
    [dayBefore(1), 'ACH ORIGINATION FEE', -495],
    [dayBefore(2), 'OFFICE RENT', -185_000],
    [dayBefore(2), 'CARD SALES DEPOSIT', 214_050],
  ]
  const lines = bookings.map(
    ([day, text, cents], index) => `${day},${text},${toDecimal(cents)},DB-${4100 + index}\r\n`,
  )
  return ['Date,Description,Amount,Reference\r\n', ...lines].join('')
}
