import { createHash } from 'node:crypto'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { BankStatementAnswer, StatementDecision, StatementResultAnswer } from '#contract/statements.ts'
import { type Debit, suggestDebits } from '#domain/bank-statement.ts'
import { maskNumbers } from '#domain/card-number.ts'
import { toDecimal, toDollars } from '#domain/money.ts'
import { MAX_FEE, mayMoveBatch } from '#domain/payout.ts'
import { dayIn } from '#domain/shop-time.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { entryOf, postEntries } from '#server/features/books/ledger.ts'
import { type Batch, lockBatch } from '#server/features/books/payouts.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { bankLines, payoutBatches } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import { sentOn, settle } from '../settle.ts'
import { readCsvStatement } from './csv-statement.ts'
import { readMarkupStatement } from './markup-statement.ts'
import type { Statement, StatementLine } from './statement.ts'

/** What the statement says, and what its lines probably are. */
export async function readStatement({ db, site }: Context, file: string): Promise<BankStatementAnswer> {
  const { format, lines } = await parse(file)
  const debits = toDebits(lines)
  const { id, number, total, exportedAt, createdAt } = payoutBatches
  const found = await db
    .select({
      ...{ id, number, total, exportedAt, createdAt },
      unpaidCount: sql<number>`(select count(*)::int from payouts where batch_id = payout_batches.id and state = 'exported')`,
    })
    .from(payoutBatches)
    .where(
      and(
        eq(payoutBatches.state, 'exported'),
        eq(payoutBatches.fileKind, 'nacha'),
        isNull(payoutBatches.rejectionReportedBy),
      ),
    )
    .orderBy(asc(number))
  const batches = found.map((batch) => ({ ...batch, sentOn: sentOn(batch, site.timeZone) }))
  const suggestions = suggestDebits(debits, batches)
  const applied = await findApplied(db, debits)
  const fees = await findFees(db, debits)
  return {
    format,
    accounts: [...new Set(lines.map(({ account }) => account))].filter(Boolean),
    receivedCount: lines.length - debits.length,
    lines: debits.map(({ line, key, day, amount, text }, index) => {
      const isApplied = applied.has(key)
      const { kind = null, batchIds = [] } = suggestions[index] ?? {}
      return {
        ...{ line, day, amount, text: shownText(text), isApplied },
        suggestion: isApplied ? null : kind,
        batchIds: isApplied ? [] : [...batchIds],
        isFeeBooked: !isApplied && fees.has(`${day} ${amount}`),
      }
    }),
    batches: batches.map(({ id, number, total, sentOn: exportedOn, unpaidCount }) => ({
      ...{ id, number, total, exportedOn, unpaidCount },
    })),
  }
}

/**
 * Settles batches and books fees, all or none. A line that was applied before changes nothing, whatever the decision. Throws `Refusal`
 * which names the line and the batch if the decision does not fit.
 */
export async function applyStatement(
  { db, site }: Context,
  staff: Staff,
  file: string,
  decisions: readonly StatementDecision[],
): Promise<StatementResultAnswer> {
  const { format, lines } = await parse(file)
  const debits = new Map(toDebits(lines).map((debit) => [debit.line, debit]))
  const decided = decisions.map((decision) => {
    const debit = debits.get(decision.line)
    if (!debit)
      throw invalid([{ path: 'decisions', code: 'statement_line', params: { line: decision.line } }])
    return { ...decision, debit }
  })
  requireOnce(decided)
  return transaction(db, async (tx) => {
    // Two imports at once would wait for each other's lines and batches.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('bank_statement'))`)
    const applied = await findApplied(
      tx,
      decided.map(({ debit }) => debit),
    )
    const open = decided.filter(({ debit }) => !applied.has(debit.key))
    const today = dayIn(site.timeZone, new Date((await readClock(tx))()))
    for (const { debit } of open) {
      if (debit.day > today) throw refuseLine('statement_line_future', { line: debit.line })
    }
    const settled = open.filter((one) => one.kind === 'batch')
    for (const { batchId, debit } of settled.toSorted((a, b) => (a.batchId < b.batchId ? -1 : 1))) {
      const batch = await lockBatch(tx, batchId)
      requireFits(batch, debit, site.timeZone)
      await settle(tx, staff, batch, { on: debit.day, reference: debit.reference })
    }
    const fees = open.filter(({ kind }) => kind === 'fee')
    for (const { debit } of fees) {
      if (debit.amount > MAX_FEE) {
        throw refuseLine('statement_fee_too_high', { line: debit.line, maximum: toDollars(MAX_FEE) })
      }
    }
    const rows = open.map(({ debit: { key, day, amount, text }, ...decision }) => ({
      ...{ id: uuidv7(), key, kind: decision.kind, bookedOn: day, amount, text: shownText(text) },
      batchId: decision.kind === 'batch' ? decision.batchId : null,
      importedBy: staff.id,
    }))
    if (rows.length > 0) await tx.insert(bankLines).values(rows)
    const booked = rows.filter(({ kind }) => kind === 'fee')
    await postEntries(
      tx,
      booked.map(({ id: bankLineId, amount, bookedOn: on }) =>
        entryOf('fee', { amount, paymentType: 'bank_transfer' }, { bankLineId, on }),
      ),
    )
    const feeTotal = booked.reduce((sum, { amount }) => sum + amount, 0)
    const result = {
      settledCount: settled.length,
      feeCount: booked.length,
      feeTotal,
      alreadyCount: decided.length - open.length,
    }
    await record(tx, {
      actor: staff,
      action: 'payouts.statement_imported',
      subject: { kind: 'payouts', id: 'all' },
      details: {
        sha256: createHash('sha256').update(file).digest('hex'),
        format,
        ...result,
        feeTotal: toDecimal(feeTotal),
      },
    })
    await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
    return result
  })
}

function parse(file: string): Promise<Statement> {
  // Programs on Windows put a byte order mark first.
  const text = file.replace(/^\ufeff/, '')
  return /^\s*(<|OFXHEADER)/i.test(text) ? readMarkupStatement(text) : readCsvStatement(text)
}

/** A line on which money left, with the amount above zero. */
interface FileDebit extends Debit {
  readonly line: number
  readonly reference: string | undefined
  /** The same for this line in every statement of the account. */
  readonly key: string
}

/** A line is known by the id that the bank gave it. Without one, equal lines of a day count up. */
function toDebits(lines: readonly StatementLine[]): FileDebit[] {
  const repeated = new Map<string, number>()
  const debits = lines.map(({ line, account, id, reference, day, amount, text, isFee }) => {
    const parts = [account, day, amount, id ?? [reference ?? '', text]]
    const content = JSON.stringify(parts)
    const count = (repeated.get(content) ?? 0) + 1
    repeated.set(content, count)
    const key = createHash('sha256')
      .update(id === undefined ? `${content} ${count}` : content)
      .digest('hex')
    return { line, day, amount: -amount, text, isFee, reference: reference?.slice(0, 100), key }
  })
  // A bank can list the same booking twice.
  const keys = new Set<string>()
  return debits.filter(({ amount, key }) => amount > 0 && !keys.has(key) && keys.add(key))
}

const shownText = (text: string): string =>
  maskNumbers(text.replace(/[\p{Cc}\s]+/gu, ' '))
    .trim()
    .slice(0, 200)

async function findApplied(db: Executor, debits: readonly FileDebit[]): Promise<ReadonlySet<string>> {
  const keys = debits.map(({ key }) => key)
  const rows = await db
    .select({ key: bankLines.key })
    .from(bankLines)
    .where(sql`${bankLines.key} = any(${sql.param(keys)}::text[])`)
  return new Set(rows.map(({ key }) => key))
}

/** The days and amounts of fees that are booked, from lines or by hand. */
async function findFees(db: Executor, debits: readonly FileDebit[]): Promise<ReadonlySet<string>> {
  const days = [...new Set(debits.map(({ day }) => day))]
  if (days.length === 0) return new Set()
  const [lines, batches] = await Promise.all([
    db
      .select({ day: bankLines.bookedOn, amount: bankLines.amount })
      .from(bankLines)
      .where(and(eq(bankLines.kind, 'fee'), inArray(bankLines.bookedOn, days))),
    db
      .select({ day: payoutBatches.settledOn, amount: payoutBatches.settlementFee })
      .from(payoutBatches)
      .where(inArray(payoutBatches.settledOn, days)),
  ])
  return new Set([...lines, ...batches].map(({ day, amount }) => `${day} ${amount}`))
}

/** Throws `Refusal` if a line or a batch has two decisions. */
function requireOnce(decided: readonly (StatementDecision & { readonly debit: FileDebit })[]): void {
  const seen = new Set<string>()
  for (const decision of decided) {
    const names = [decision.debit.key, ...(decision.kind === 'batch' ? [decision.batchId] : [])]
    if (names.some((name) => seen.has(name)))
      throw refuseLine('statement_line_twice', { line: decision.line })
    for (const name of names) seen.add(name)
  }
}

/** Throws `Refusal` which names the batch if the line cannot be its payment. */
function requireFits(
  batch: Batch | undefined,
  { line, amount, day }: FileDebit,
  timeZone: string,
): asserts batch is Batch {
  if (batch?.fileKind !== 'nacha') throw refuseLine('statement_no_batch', { line })
  const { number, state, total } = batch
  if (!mayMoveBatch(state, 'settle')) throw refuseLine('statement_batch_state', { line, number, state })
  if (batch.rejectionReportedBy) throw refuseLine('statement_batch_reported', { line, number })
  if (total !== amount) {
    const params = { line, number, amount: toDollars(amount), total: toDollars(total) }
    throw refuseLine('statement_batch_total', params)
  }
  if (day < sentOn(batch, timeZone)) throw refuseLine('statement_batch_later', { line, number })
}

type LineRefusal =
  | 'statement_line_twice'
  | 'statement_line_future'
  | 'statement_fee_too_high'
  | 'statement_no_batch'
  | 'statement_batch_state'
  | 'statement_batch_reported'
  | 'statement_batch_total'
  | 'statement_batch_later'

function refuseLine(why: LineRefusal, params: Record<string, string | number>): Refusal {
  return new Refusal('illegal_batch_move', `refusals.${why}`, { params })
}
