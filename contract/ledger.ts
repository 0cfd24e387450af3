import { z } from 'zod'
import type { FieldCode } from '#words/keys.ts'
import { reportRange } from './reports.ts'
import { route } from './route.ts'
import { decimal } from './values.ts'

/** What happened to an account in a day, week or month. */
export const ledgerRow = z.object({
  period: z.iso.date().describe('The first day. Days before `from` are not counted'),
  account: z.string().describe('`receivable` is what all sellers owe together'),
  debit: decimal,
  credit: decimal,
  balance: decimal.describe('Debits less credits of all time, at the end'),
})
export type LedgerRow = z.infer<typeof ledgerRow>

export const ledgerRoutes = {
  ledger: route({
    method: 'GET',
    path: '/api/admin/ledger',
    summary: 'The accounts of the ledger by day, week or month. Without accounts that did not move',
    access: 'read_reports',
    limit: 'read',
    query: reportRange,
    answers: { 200: z.array(ledgerRow) },
  }),
  exportJournal: route({
    method: 'GET',
    path: '/api/admin/reports/journal.csv',
    summary: 'Every line of the ledger in a month (UTC), as a CSV file',
    access: 'read_reports',
    limit: 'reveal',
    query: z.object({
      month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'month_invalid' satisfies FieldCode),
    }),
    answers: {},
    file: 'text/csv',
  }),
  exportSellerTotals: route({
    method: 'GET',
    path: '/api/admin/reports/sellers.csv',
    summary: 'What each seller was paid in a year (UTC), for tax forms, as a CSV file',
    access: 'read_reports',
    limit: 'reveal',
    query: z.object({
      year: z
        .string()
        .regex(/^20\d\d$/, 'year_invalid' satisfies FieldCode)
        .transform(Number),
    }),
    answers: {},
    file: 'text/csv',
  }),
}
