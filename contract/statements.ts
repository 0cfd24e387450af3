import { z } from 'zod'
import { debitKinds } from '#domain/bank-statement.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { id, money } from './values.ts'

export const statementFormats = ['csv', 'ofx', 'camt'] as const
export type StatementFormat = (typeof statementFormats)[number]

/** A debit of the shop's account. */
export const statementLine = z.object({
  line: z.number().int().describe('Its line in the file, from 1'),
  day: z.iso.date(),
  amount: money,
  text: z.string().describe('What the bank wrote, without numbers that could be accounts'),
  suggestion: z
    .enum([...debitKinds, 'choose'])
    .nullable()
    .describe('`choose`: it can be one of `batchIds`, or none. Null: other business of the account'),
  batchIds: z.array(id),
  isApplied: z.boolean().describe('This line was applied before, from this or another file'),
  isFeeBooked: z
    .boolean()
    .describe('A fee of this amount is booked on this day already, from another line or by hand'),
})
export type WireStatementLine = z.input<typeof statementLine>

export const bankStatement = z.object({
  format: z.enum(statementFormats),
  accounts: z.array(z.string()).describe('The last four characters of each account in the file'),
  receivedCount: z.number().int().describe('Credits, which are left out'),
  lines: z.array(statementLine),
  batches: z
    .array(
      z.object({
        id,
        number: z.number().int(),
        total: money,
        exportedOn: z.iso.date(),
        unpaidCount: z.number().int().describe('Payouts that settling the batch records as paid'),
      }),
    )
    .describe('Batches of bank transfers that were exported and are not settled'),
})
export type BankStatement = z.input<typeof bankStatement>
export type BankStatementAnswer = z.output<typeof bankStatement>

/** Maximum lines that are applied at once. */
export const MAX_APPLIED = 500

/** What a payer decides about lines of a statement. Lines without a decision are left out. */
export const statementDecisions = z
  .array(
    z.discriminatedUnion('kind', [
      z.object({ line: z.number().int().min(1), kind: z.literal('batch'), batchId: id }),
      z.object({ line: z.number().int().min(1), kind: z.literal('fee') }),
    ]),
  )
  .max(MAX_APPLIED)
export type StatementDecision = z.output<typeof statementDecisions>[number]

const decisions = z
  .string()
  .transform((json, context) => {
    try {
      return JSON.parse(json)
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'wrong_format' satisfies FieldCode,
        params: { format: 'json' },
      })
      return z.NEVER
    }
  })
  .pipe(statementDecisions)
  .describe(
    'JSON, such as `[{"line": 7, "kind": "batch", "batchId": "…"}, {"line": 9, "kind": "fee"}]`. Lines without a decision are left out',
  )

export const statementResult = z.object({
  settledCount: z.number().int(),
  feeCount: z.number().int(),
  feeTotal: money,
  alreadyCount: z.number().int().describe('Lines that were applied before'),
})
export type StatementResult = z.input<typeof statementResult>
export type StatementResultAnswer = z.output<typeof statementResult>

/** Maximum size of a statement, in bytes. */
export const MAX_STATEMENT_BYTES = 5 * 1024 * 1024

export const statementRoutes = {
  readStatement: route({
    method: 'POST',
    path: '/api/admin/bank-statements/read',
    summary:
      "Read a bank's statement (CSV, OFX, QFX or camt.053) and suggest what its lines are. Changes nothing, and keeps nothing",
    access: 'pay',
    limit: 'write',
    body: z.object({}),
    multipart: true,
    textFile: true,
    answers: { 200: bankStatement },
  }),
  applyStatement: route({
    method: 'POST',
    path: '/api/admin/bank-statements',
    summary:
      'Settle batches and book fees by the lines of a statement, all or none. Applies each line once, whatever file it is in',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_batch_move'],
    body: z.object({ decisions }),
    multipart: true,
    textFile: true,
    answers: { 200: statementResult },
  }),
}
