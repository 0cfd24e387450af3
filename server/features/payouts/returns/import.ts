import { createHash } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { ImportResult } from '#contract/payouts.ts'
import { maskCardLike } from '#domain/card-number.ts'
import { deadFor } from '#domain/dead-accounts.ts'
import { toDollars } from '#domain/money.ts'
import { referenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { markDead } from '#server/features/books/dead-accounts.ts'
import { leadsPayment } from '#server/features/books/entries.ts'
import { findLatestPayout, type Payout } from '#server/features/books/payouts.ts'
import { enqueuePushes } from '#server/features/notifications/actions.ts'
import { lockForPayout, sealCorrection } from '#server/features/submissions/payout-effects.ts'
import { idOf, type Staff, type System } from '#server/http/actor.ts'
import { invalid, Refusal, valuesOf } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, payoutBatches, payoutResults, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { individualOf, TRACE_NUMBERS } from '../files/nacha.ts'
import { lockEntry, lockPayout, recordConfirmed, recordReturned } from '../outcome.ts'
import { findSentPrenote, returnPrenote } from '../prenotes.ts'
import { isNacha, readNachaReturns } from './nacha-returns.ts'
import { readPaypalResults } from './paypal-results.ts'
import type { Individual, PayoutResult, ResultLine } from './result-line.ts'

/** Payouts that came back, or whose accounts differ, processed at once. Each takes a database connection. */
const AT_ONCE = 4
/** Payouts recorded as paid in one transaction, which holds up the audit log for about half a second. */
const PAID_AT_ONCE = 250

/** The account takes payments all the same. Sellers cannot correct further details, such as the name. */
const OTHER_ACCOUNT_TYPE = 'C05'

/** Maximum unmatched lines in the audit log. */
const RECORDED_LINES = 100

/**
 * Applies what a bank or PayPal reports: payments many at once, each other line in its own transaction. After an interruption,
 * import the same file again. Throws `Refusal` if the kind of the file is unknown.
 */
export async function importResults(context: Context, staff: Staff, text: string): Promise<ImportResult> {
  const lines = await readLines(text, context.site.payouts.nacha.odfi)
  const imported = await applyLines(context, staff, lines)
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

/** Applies each line once, however often and from wherever it is reported. */
export async function applyLines(
  context: Context,
  actor: Staff | System,
  lines: readonly ResultLine[],
): Promise<ImportResult> {
  const imported: ImportResult = { matched: 0, already: 0, unmatched: [] }
  const known = await findKnown(context, lines)
  const note = ({ line, shown }: ResultLine, outcome: Outcome) => {
    if (outcome === 'matched' || outcome === 'already') imported[outcome] += 1
    else imported.unmatched.push({ line, text: `${shown}: ${outcome}` })
  }
  // The lines about one payout stay in their order.
  const byPayout = Map.groupBy(lines, ({ line, result }) => ('why' in result ? -line : result.payoutNumber))
  const payments: PaidLine[] = []
  const others: ResultLine[][] = []
  for (const group of byPayout.values()) {
    if (group.every(isPaid)) payments.push(...group)
    else others.push(group)
  }
  for (let start = 0; start < payments.length; start += PAID_AT_ONCE) {
    const chunk = payments.slice(start, start + PAID_AT_ONCE)
    const results = chunk.map(({ result }) => result)
    const outcomes = await applied(context, (tx) =>
      applyPaid(tx, actor, results, { known, mailedBefore: start }),
    )
    // One of them was refused, so each is tried alone.
    if (typeof outcomes === 'string') others.push(...chunk.map((line) => [line]))
    else for (const [index, outcome] of outcomes.entries()) note(chunk[index] as PaidLine, outcome)
  }
  const queue = others.values()
  const applyNext = async () => {
    for (const group of queue) {
      for (const line of group) {
        const { result } = line
        const outcome =
          'why' in result
            ? result.why
            : await applied(context, (tx) => apply(tx, context, actor, result, known))
        note(line, outcome)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, applyNext))
  imported.unmatched.sort((a, b) => a.line - b.line)
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

/** `matched`, `already`, or why the line cannot be applied. */
type Outcome = string

type PaidResult = Extract<PayoutResult, { kind: 'paid' }>
type PaidLine = ResultLine & { readonly result: PaidResult }

const isPaid = (line: ResultLine): line is PaidLine => !('why' in line.result) && line.result.kind === 'paid'

/** What `work` returns, or why it was refused. */
async function applied<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T | string> {
  try {
    return await transaction(context.db, work)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const t = context.words.en
    return t(error.key, valuesOf(error.params, t))
  }
}

/**
 * Records payments and completes their submissions.
 *
 * @param mailedBefore payments that were applied before, whose emails go first
 */
async function applyPaid(
  tx: Transaction,
  actor: Staff | System,
  results: readonly PaidResult[],
  { known, mailedBefore }: { known: ReadonlySet<string>; mailedBefore: number },
): Promise<Outcome[]> {
  const sent = await findSent(tx, results)
  const refused = results.map((result) => {
    if (known.has(result.key)) return 'already'
    return refusalOf(result, sent.get(result.payoutNumber))
  })
  const open = new Map<string, PaidResult>()
  for (const [index, result] of results.entries()) {
    const id = sent.get(result.payoutNumber)?.id
    if (refused[index] === undefined && id !== undefined && !open.has(id)) open.set(id, result)
  }
  const paid = await recordConfirmed(
    tx,
    actor,
    [...open].map(([id, { reference }]) => ({ id, reference })),
    mailedBefore,
  )
  const rows = [...open].filter(([id]) => paid.has(id))
  await storeResults(
    tx,
    actor,
    rows.map(([payoutId, result]) => ({ id: uuidv7(), payoutId, result })),
  )
  const now = await findSent(tx, results)
  return results.map((result, index) => {
    const why = refused[index]
    if (why !== undefined) return why
    const payout = now.get(result.payoutNumber)
    if (payout && paid.has(payout.id) && open.get(payout.id) === result) return 'matched'
    return payout?.state === 'paid' ? 'already' : `the payout is ${payout?.state}`
  })
}

/** Why a report does not fit the payout that was sent under its number, if it does not. */
function refusalOf(result: PayoutResult, sent: Sent | undefined): string | undefined {
  if (!sent) return 'no payout was sent with this number'
  const amount = sent.entryTotal ?? sent.amount
  if (result.amount !== undefined && result.amount !== amount) {
    return `the amount differs, the payout was ${toDollars(amount)}`
  }
  return result.individual && differenceOf(result.individual, sent)
}

async function apply(
  tx: Transaction,
  context: Context,
  actor: Staff | System,
  result: PayoutResult,
  known: ReadonlySet<string>,
): Promise<Outcome> {
  if (known.has(result.key)) return 'already'
  if (result.kind === 'paid')
    return (await applyPaid(tx, actor, [result], { known, mailedBefore: 0 }))[0] ?? 'already'
  const sent = (await findSent(tx, [result])).get(result.payoutNumber)
  const refusal = refusalOf(result, sent)
  if (!sent || refusal) return (await applyToPrenote(tx, context, actor, result)) ?? refusal ?? ''
  if (sent.state === 'returned' && result.kind === 'returned') return 'already'
  // Locked before checking for earlier reports, so that the same file imported twice at once is applied once.
  const others = sent.entryNumber === null ? [] : (await lockEntry(tx, sent.id)).slice(1)
  const card = await lockForPayout(tx, sent.giftCardId)
  if ((await tx.$count(payoutResults, eq(payoutResults.key, result.key))) > 0) return 'already'
  const id = uuidv7()
  const { id: payoutId } = sent
  if (result.kind === 'changed') {
    // The submission no longer has the index of an account that the seller has replaced.
    const isCurrent = (await findLatestPayout(tx, sent.giftCardId))?.id === payoutId
    const paid = { payout: sent, accountIndex: isCurrent ? card.paymentAccountIndex : null }
    await markDead(tx, paid, result.code)
    if (deadFor(sent.paymentType, result.code) || result.code === OTHER_ACCOUNT_TYPE) {
      await enqueue(tx, 'payoutMail', `${id}:account_differs`, { payoutId, kind: 'account_differs' })
      await enqueuePushes(tx, card.sellerId, { about: 'payout', payoutId, event: 'account_differs' })
    }
    const sealedCorrection = sealCorrection(context.keys, card, id, result.correction)
    // Each submission of an entry has the correction under its own data key.
    const ofOthers = others.map((other) => {
      const otherId = uuidv7()
      const sealed = sealCorrection(context.keys, other.card, otherId, result.correction)
      const key = `${result.key} ${other.payout.number}`
      return { id: otherId, payoutId: other.payout.id, result: { ...result, key }, sealedCorrection: sealed }
    })
    await storeResults(tx, actor, [{ id, payoutId, result, sealedCorrection }, ...ofOthers])
    return 'matched'
  }
  const { payout } = await lockPayout(tx, payoutId)
  if (payout.state === 'returned') return 'already'
  await recordReturned(tx, context, actor, { id: payoutId, returnCode: result.code, returnReason: null })
  await storeResults(tx, actor, [{ id, payoutId, result }])
  return 'matched'
}

/**
 * Applies a bank's report about a prenote: its account is dead, or needs another prenote. The report is kept with the payout that
 * waits. Undefined if no prenote was sent with the number.
 */
async function applyToPrenote(
  tx: Transaction,
  context: Context,
  actor: Staff | System,
  result: Exclude<PayoutResult, PaidResult>,
): Promise<Outcome | undefined> {
  const found = result.sentBy === 'nacha' ? await findSentPrenote(tx, result.payoutNumber) : undefined
  if (!found) return undefined
  const { prenote, payout, accountName } = found
  const refusal = refusalOf(result, { ...payout, amount: 0, entryTotal: null, accountName })
  if (refusal) return refusal
  const card = await lockForPayout(tx, payout.giftCardId)
  if ((await tx.$count(payoutResults, eq(payoutResults.key, result.key))) > 0) return 'already'
  const { id: payoutId, giftCardId: submissionId, sellerId: userId } = payout
  const { accountIndex } = prenote
  const id = uuidv7()
  if (result.kind === 'returned') await returnPrenote(tx, prenote.id)
  const checked = { payout: { ...payout, paymentType: 'bank_transfer' as const }, accountIndex }
  const isDead = await markDead(tx, checked, result.code)
  const sealedCorrection =
    result.kind === 'changed' ? sealCorrection(context.keys, card, id, result.correction) : null
  await storeResults(tx, actor, [{ id, payoutId, result, sealedCorrection }])
  await record(tx, {
    actor,
    action: 'payout.prenote_refused',
    subject: { kind: 'payout', id: payoutId },
    details: { giftCardId: submissionId, returnCode: result.code, ...(isDead && { accountDead: true }) },
  })
  if (isDead && payout.sentAt === null && payout.state !== 'void') {
    await enqueue(tx, 'payoutMail', `${id}:account_differs`, { payoutId, kind: 'account_differs' })
    await enqueuePushes(tx, userId, { about: 'payout', payoutId, event: 'account_differs' })
    const message = { type: 'PAYOUT_UPDATE', userId, submissionId } as const
    await publish(tx, [{ to: { userId }, message }])
  }
  return 'matched'
}

async function storeResults(
  tx: Transaction,
  actor: Staff | System,
  stored: readonly { id: string; payoutId: string; result: PayoutResult; sealedCorrection?: Buffer | null }[],
): Promise<void> {
  if (stored.length === 0) return
  await tx.insert(payoutResults).values(
    stored.map(({ result, ...row }) => ({
      ...row,
      key: result.key,
      kind: result.kind,
      code: 'code' in result ? result.code : null,
      administratorId: idOf(actor),
    })),
  )
}

/**
 * Numbers may repeat after a restore, so the person that the bank names must be the one we paid. The name of a seller who has deleted their
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

/** PayPal's ids do not start again. */
const NUMBERS_REPEAT_AFTER = { nacha: TRACE_NUMBERS, paypal: Number.MAX_SAFE_INTEGER } as const

/** The payouts that left in files of the results' kind, by the numbers in the results. */
async function findSent(
  tx: Transaction,
  results: readonly PayoutResult[],
): Promise<ReadonlyMap<number, Sent>> {
  const [first] = results
  if (!first) return new Map()
  const step = NUMBERS_REPEAT_AFTER[first.sentBy]
  const numbers = results.map(({ payoutNumber }) => payoutNumber)
  const rows = await tx
    .select({ payout: payouts, accountName: giftCards.paymentAccountName })
    .from(payouts)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .where(
      and(
        sql`${payouts.number} in (
          select generate_series(reported, (select max(number) from payouts), ${step}::bigint)
          from unnest(${sql.param(numbers)}::bigint[]) as reported)`,
        eq(payoutBatches.fileKind, first.sentBy),
        inArray(payouts.state, ['exported', 'paid', 'returned']),
        isNotNull(payouts.sentAt),
        leadsPayment,
      ),
    )
    .orderBy(asc(payouts.number))
  return new Map(rows.map(({ payout, accountName }) => [payout.number % step, { ...payout, accountName }]))
}
