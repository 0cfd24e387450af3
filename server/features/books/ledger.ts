import { sql } from 'drizzle-orm'
import {
  type Account,
  type EntryName,
  type LedgerEvent,
  type LedgerFacts,
  type Line,
  ledgerEvents,
} from '#domain/ledger.ts'
import type { Cents } from '#domain/money.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { executePrepared } from '#server/platform/database/queries.ts'

/** What an entry is about: a submission, or the batch or the line of a bank statement that a fee was for. */
interface Subject {
  readonly giftCardId?: string
  readonly payoutId?: string
  readonly batchId?: string
  readonly bankLineId?: string
  /** The value date, like "2026-03-05". Today by default. The first open day replaces one in a closed month. */
  readonly on?: string | undefined
}

export interface Entry {
  readonly event: EntryName
  readonly lines: readonly Line[]
  readonly subject: Subject
}

/** The entry of an event. */
export function entryOf<E extends LedgerEvent>(event: E, facts: LedgerFacts<E>, subject: Subject): Entry {
  return { event, lines: linesOf(event, facts), subject }
}

/** The entry that takes an event back: the opposite lines. The first entry stays. */
export function undoneEntryOf<E extends LedgerEvent>(
  event: E,
  facts: LedgerFacts<E>,
  subject: Subject,
): Entry {
  const lines = linesOf(event, facts).map(({ account, amount }) => ({ account, amount: -amount }))
  return { event: `${event}_undone`, lines, subject }
}

/** Posts the entry of an event in the transaction that makes it happen. */
export function post<E extends LedgerEvent>(
  tx: Transaction,
  event: E,
  facts: LedgerFacts<E>,
  subject: Subject,
): Promise<void> {
  return postEntries(tx, [entryOf(event, facts, subject)])
}

/** Posts the entry that takes an event back. */
export function postUndone<E extends LedgerEvent>(
  tx: Transaction,
  event: E,
  facts: LedgerFacts<E>,
  subject: Subject,
): Promise<void> {
  return postEntries(tx, [undoneEntryOf(event, facts, subject)])
}

/** The balance of an account in cents: debits less credits. */
async function readBalance(db: Executor, account: Account): Promise<Cents> {
  const { rows } = await db.execute<{ balance: string }>(sql`
    select coalesce(sum(amount), 0) as balance from ledger_lines where account = ${account}`)
  return Number(rows[0]?.balance)
}

/** The balance of what a seller owes us, which cannot change until the transaction ends. */
export async function lockReceivable(tx: Transaction, sellerId: string): Promise<Cents> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('receivable'), hashtext(${sellerId}))`)
  return readBalance(tx, `receivable:${sellerId}`)
}

/** Adds entries that are older than an hour to the sums that reports read: see 0069_plain_reports.sql. */
export async function sumUpLedger(db: Executor): Promise<void> {
  await db.execute(sql`select sum_up_ledger(now() - interval '1 hour')`)
}

function linesOf<E extends LedgerEvent>(event: E, facts: LedgerFacts<E>): Line[] {
  const write = ledgerEvents[event] as (facts: LedgerFacts<E>) => Line[]
  return write(facts).filter(({ amount }) => amount !== 0)
}

/** Posts entries in this order. Leaves out those without lines: every amount is zero. */
export async function postEntries(tx: Transaction, entries: readonly Entry[]): Promise<void> {
  const posted = entries.filter(({ lines }) => lines.length > 0)
  if (posted.length === 0) return
  const lines = posted.flatMap((entry, index) =>
    entry.lines.map(({ account, amount }, line) => ({
      position: index + 1,
      line: line + 1,
      account,
      amount,
    })),
  )
  const array = (values: readonly unknown[]) => sql.param(values)
  await executePrepared(
    tx,
    'post_entries',
    sql`
    with given as materialized (
      select nextval(pg_get_serial_sequence('ledger_entries', 'id')) as id, position, event, gift_card_id, payout_id, batch_id, bank_line_id, value_date
      from unnest(
        ${array(posted.map(({ event }) => event))}::text[],
        ${array(posted.map(({ subject }) => subject.giftCardId ?? null))}::uuid[],
        ${array(posted.map(({ subject }) => subject.payoutId ?? null))}::uuid[],
        ${array(posted.map(({ subject }) => subject.batchId ?? null))}::uuid[],
        ${array(posted.map(({ subject }) => subject.bankLineId ?? null))}::uuid[],
        ${array(posted.map(({ subject }) => subject.on ?? null))}::date[]
      ) with ordinality as subjects (event, gift_card_id, payout_id, batch_id, bank_line_id, value_date, position)
    ), entries as (
      insert into ledger_entries (id, event, gift_card_id, payout_id, batch_id, bank_line_id, value_date) overriding system value
      select id, event, gift_card_id, payout_id, batch_id, bank_line_id, coalesce(value_date, now()::date) from given
    )
    insert into ledger_lines (entry_id, line, account, amount)
    select given.id, line, account, amount from given join unnest(
      ${array(lines.map(({ position }) => position))}::bigint[], ${array(lines.map(({ line }) => line))}::smallint[],
      ${array(lines.map(({ account }) => account))}::text[], ${array(lines.map(({ amount }) => amount))}::bigint[]
    ) as lines (position, line, account, amount) using (position)`,
  )
}
