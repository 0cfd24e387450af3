import { z } from 'zod'
import type { FieldCode } from '#words/keys.ts'
import { reportRange } from './reports.ts'
import { route } from './route.ts'
import { instant, money } from './values.ts'

/** What happened to an account in a day, week or month. */
export const ledgerRow = z.object({
  period: z.iso.date().describe('The first day. Days before `from` are not counted'),
  account: z.string().describe('`receivable` is what all sellers owe together'),
  debit: money,
  credit: money,
  balance: money.describe('Debits less credits of all time, at the end'),
})
export type LedgerRow = z.input<typeof ledgerRow>
export type LedgerAnswer = z.output<typeof ledgerRow>

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'month_invalid' satisfies FieldCode)

/** Null as long as no month is closed. */
export const closedMonths = z.object({
  closedThrough: z
    .string()
    .nullable()
    .describe('The last closed month, like 2026-01. It and all earlier ones take no more entries'),
  closedAt: instant.nullable(),
  closedBy: z.string().nullable(),
})
export type ClosedMonthsAnswer = z.output<typeof closedMonths>

export const journalColumns = ['date', 'entry', 'account', 'debit', 'credit', 'memo', 'reference'] as const

export const ledgerRoutes = {
  ledger: route({
    method: 'GET',
    path: '/api/admin/ledger',
    summary: 'The ledger accounts that changed, by day, week or month',
    access: 'read_reports',
    limit: 'read',
    query: reportRange,
    answers: { 200: z.array(ledgerRow) },
  }),
  exportJournal: route({
    method: 'GET',
    path: '/api/admin/reports/journal.csv',
    summary: 'Every line of the ledger in a month, by value date, as a CSV file',
    access: 'read_reports',
    limit: 'reveal',
    query: z.object({ month }),
    answers: {},
    file: 'text/csv',
    columns: journalColumns,
  }),
  closedMonths: route({
    method: 'GET',
    path: '/api/admin/ledger/closed-months',
    summary: 'The last month that is closed',
    access: 'read_reports',
    limit: 'read',
    answers: { 200: closedMonths },
  }),
  closeMonth: route({
    method: 'POST',
    path: '/api/admin/ledger/closed-months',
    summary:
      'Close a month that is over, and all before it. They never open again: what happened in them and is recorded later is booked on the first open day',
    access: 'close_months',
    limit: 'write',
    refuses: ['month_closed'],
    body: z.object({ month }),
    answers: { 200: closedMonths },
  }),
  exportSellerTotals: route({
    method: 'GET',
    path: '/api/admin/reports/sellers.csv',
    summary: 'What each seller was paid in a year, for tax forms, as a CSV file',
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
