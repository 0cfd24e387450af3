import { createHash } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { ImportResult } from '#contract/payouts.ts'
import { maskCardLike } from '#domain/card-number.ts'
import { toDollars } from '#domain/money.ts'
import { referenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Payout } from '#server/features/books/payouts.ts'
import { enqueuePushes } from '#server/features/push/actions.ts'
import { lockForPayout, sealCorrection } from '#server/features/submissions/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, Refusal, valuesOf } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, payoutBatches, payoutResults, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { individualOf } from '../files/nacha.ts'
import { lockPayout, recordPaid, recordReturned } from '../outcome.ts'
import { isNacha, readNachaReturns } from './nacha-returns.ts'
import { readPaypalResults } from './paypal-results.ts'
import type { Individual, PayoutResult, ResultLine } from './result-line.ts'

/** Payouts processed at once. Each takes a database connection. */
const AT_ONCE = 4

/** Corrections of an account or routing number. Sellers cannot change the others, such as checking instead of savings (C05). */
const SELLER_CORRECTS: readonly string[] = ['C01', 'C02', 'C03', 'C06', 'C07']

/** Maximum unmatched lines in the audit log. */
const RECORDED_LINES = 100

/**
 * Applies what a bank or PayPal reports, each line in its own transaction. After an interruption, import the same file again.
 * Throws `Refusal` if the kind of the file is unknown.
 */
export async function importResults(context: Context, staff: Staff, text: string): Promise<ImportResult> {
  const lines = await readLines(text, context.site.payouts.nacha.odfi)
  const imported: ImportResult = { matched: 0, already: 0, unmatched: [] }
  const known = await findKnown(context, lines)
  const applyLine = async ({ line, shown, result }: ResultLine) => {
    const outcome = 'why' in result ? result.why : await apply(context, staff, result, known)
    if (outcome === 'matched' || outcome === 'already') imported[outcome] += 1
    else imported.unmatched.push({ line, text: `${shown}: ${outcome}` })
  }
  // The lines about one payout stay in their order.
  const byPayout = Map.groupBy(lines, ({ line, result }) =>
    'why' in result ? -line : result.payoutNumber,
  ).values()
  const applyNext = async () => {
    for (const group of byPayout) for (const line of group) await applyLine(line)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, applyNext))
  imported.unmatched.sort((a, b) => a.line - b.line)
  await transaction(context.db, async (tx) => {
    const { matched, already, unmatched } = imported
    await record(tx, {
      actor: staff,
      action: 'payout.returns_imported',
      subject: { kind: 'payouts', id: 'all' },
      details: {
        sha256: createHash('sha256').update(text).digest('hex'),
        matched,
        already,
        unmatched: unmatched.length,
        unmatchedLines: unmatched.slice(0, RECORDED_LINES).map(({ line }) => line),
      },
    })
    await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
  })
  return imported
}

async function readLines(file: string, odfi: string | undefined): Promise<ResultLine[]> {
  // Programs on Windows put a byte order mark first.
  const text = file.replace(/^\ufeff/, '')
  const lines = await (isNacha(text) ? readNachaReturns(text, odfi) : readPaypalResults(text))
  if (!lines) throw invalid([{ path: 'file', code: 'results_unknown' }])
  return lines
}

/** The keys of reports that were applied before, so that a repeated import is quick. */
async function findKnown({ db }: Context, lines: readonly ResultLine[]): Promise<ReadonlySet<string>> {
  const keys = lines.flatMap(({ result }) => ('key' in result ? [result.key] : []))
  const rows = await db
    .select({ key: payoutResults.key })
    .from(payoutResults)
    .where(sql`${payoutResults.key} = any(${sql.param(keys)}::text[])`)
  return new Set(rows.map(({ key }) => key))
}

/** @returns `matched`, `already`, or why the line cannot be applied */
async function apply(
  context: Context,
  staff: Staff,
  result: PayoutResult,
  known: ReadonlySet<string>,
): Promise<'matched' | 'already' | string> {
  if (known.has(result.key)) return 'already'
  try {
    return await transaction(context.db, (tx) => applyIn(tx, context, staff, result))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const t = context.words.en
    return t(error.key, valuesOf(error.params, t))
  }
}

async function applyIn(
  tx: Transaction,
  context: Context,
  staff: Staff,
  result: PayoutResult,
): Promise<'matched' | 'already' | string> {
  const sent = await findSent(tx, result)
  if (!sent) return 'no payout was sent with this number'
  if (result.amount !== undefined && result.amount !== sent.amount) {
    return `the amount differs, the payout was ${toDollars(sent.amount)}`
  }
  const differs = result.individual && differenceOf(result.individual, sent)
  if (differs) return differs
  if (sent.state === 'returned' && result.kind === 'returned') return 'already'
  // Locked before checking for earlier reports, so that the same file imported twice at once is applied once.
  const card = await lockForPayout(tx, sent.giftCardId)
  if ((await tx.$count(payoutResults, eq(payoutResults.key, result.key))) > 0) return 'already'
  const id = uuidv7()
  const { id: payoutId } = sent
  let correction: Buffer | null = null
  if (result.kind === 'changed') {
    correction = sealCorrection(context.keys, card, id, result.correction)
    if (SELLER_CORRECTS.includes(result.code)) {
      await enqueue(tx, 'payoutMail', `${id}:account_differs`, { payoutId, kind: 'account_differs' })
      await enqueuePushes(tx, card.sellerId, { about: 'payout', payoutId, event: 'account_differs' })
    }
  } else {
    const { payout } = await lockPayout(tx, payoutId)
    if (payout.state === result.kind) return 'already'
    if (result.kind === 'paid') {
      if (payout.state !== 'exported') return `the payout is ${payout.state}`
      await recordPaid(tx, context, staff, { id: payoutId, reference: result.reference })
    } else {
      const { code } = result
      await recordReturned(tx, context, staff, { id: payoutId, returnCode: code, returnReason: null })
    }
  }
  await tx.insert(payoutResults).values({
    id,
    key: result.key,
    payoutId,
    kind: result.kind,
    code: 'code' in result ? result.code : null,
    sealedCorrection: correction,
    administratorId: staff.id,
  })
  return 'matched'
}

/**
 * Numbers may repeat after a restore, so whom the bank names must be whom we paid. The name of a seller who has deleted their
 * account is gone, so then only the id is compared.
 */
function differenceOf(named: Individual, { giftCardId, accountName }: Sent): string | undefined {
  const paid = individualOf({ reference: referenceOf(giftCardId), accountName })
  if (named.id !== paid.id) {
    return `the bank names ${maskCardLike(named.id) || 'no id'}, the payout was for ${paid.id}`
  }
  if (accountName === '' || named.name.toUpperCase() === paid.name) return undefined
  return `the name differs, the payout was for ${paid.name}`
}

type Sent = Payout & { readonly accountName: string }

/** The payout that left in a file of this kind under this number. */
async function findSent(tx: Transaction, { sentBy, payoutNumber }: PayoutResult): Promise<Sent | undefined> {
  // The sequence of trace numbers starts again after ten million payouts.
  const number =
    sentBy === 'paypal'
      ? eq(payouts.number, payoutNumber)
      : inArray(
          payouts.number,
          sql`(select generate_series(${payoutNumber}::bigint, (select max(number) from payouts), 10000000))`,
        )
  const [found] = await tx
    .select({ payout: payouts, accountName: giftCards.paymentAccountName })
    .from(payouts)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .where(
      and(
        number,
        eq(payoutBatches.fileKind, sentBy),
        inArray(payouts.state, ['exported', 'paid', 'returned']),
        isNotNull(payouts.sentAt),
      ),
    )
    .orderBy(desc(payouts.number))
    .limit(1)
  return found && { ...found.payout, accountName: found.accountName }
}
