import { eq, sql } from 'drizzle-orm'
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
import { onlyRow } from '#server/platform/database/queries.ts'
import { ledgerTotals } from '#server/platform/database/schema.ts'

interface Subject {
  readonly giftCardId: string
  readonly payoutId?: string
}

/** Posts the entry of an event in the transaction that makes it happen. Posts nothing if every line is zero. */
export async function post<E extends LedgerEvent>(
  tx: Transaction,
  event: E,
  facts: LedgerFacts<E>,
  subject: Subject,
): Promise<void> {
  await insertEntry(tx, event, linesOf(event, facts), subject)
}

/** Takes an event back with an entry of opposite lines. The first entry stays. */
export async function postUndone<E extends LedgerEvent>(
  tx: Transaction,
  event: E,
  facts: LedgerFacts<E>,
  subject: Subject,
): Promise<void> {
  const opposite = linesOf(event, facts).map(({ account, amount }) => ({ account, amount: -amount }))
  await insertEntry(tx, `${event}_undone`, opposite, subject)
}

/** The balance of an account in cents: debits less credits. */
async function readBalance(db: Executor, account: Account): Promise<Cents> {
  const balance = sql`coalesce(sum(${ledgerTotals.debit} - ${ledgerTotals.credit}), 0)`.mapWith(Number)
  return onlyRow(await db.select({ balance }).from(ledgerTotals).where(eq(ledgerTotals.account, account)))
    .balance
}

/** The balance of what a seller owes us, which cannot change until the transaction ends. */
export async function lockReceivable(tx: Transaction, sellerId: string): Promise<Cents> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('receivable'), hashtext(${sellerId}))`)
  return readBalance(tx, `receivable:${sellerId}`)
}

function linesOf<E extends LedgerEvent>(event: E, facts: LedgerFacts<E>): Line[] {
  const write = ledgerEvents[event] as (facts: LedgerFacts<E>) => Line[]
  return write(facts).filter(({ amount }) => amount !== 0)
}

async function insertEntry(
  tx: Transaction,
  event: EntryName,
  lines: readonly Line[],
  subject: Subject,
): Promise<void> {
  if (lines.length === 0) return
  const { giftCardId, payoutId = null } = subject
  const accounts = lines.map(({ account }) => account)
  const amounts = lines.map(({ amount }) => amount)
  await tx.execute(sql`
    with entry as (
      insert into ledger_entries (event, gift_card_id, payout_id) values (${event}, ${giftCardId}, ${payoutId}) returning id
    )
    insert into ledger_lines (entry_id, line, account, amount)
    select entry.id, line, account, amount from entry,
      unnest(${sql.param(accounts)}::text[], ${sql.param(amounts)}::bigint[]) with ordinality as lines (account, amount, line)`)
}
