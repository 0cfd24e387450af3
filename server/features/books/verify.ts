import { type SQL, sql } from 'drizzle-orm'
import type { Cents } from '#domain/money.ts'
import { liveStates, owedStates } from '#domain/payout.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'

export interface Balance {
  readonly account: string
  /** The sum of the ledger's lines. */
  readonly ledger: Cents
  /** The same from the submissions, the payouts and the inventory. */
  readonly expected: Cents
}

interface LedgerVerdict {
  readonly balances: readonly Balance[]
  /** The contradictions, one sentence each. Empty if the books agree. */
  readonly problems: readonly string[]
}

/** Maximum ids that a problem names. */
const NAMED = 5

/** Proves that the ledger, the payouts and the inventory agree. Reads one snapshot, and locks nothing. */
export async function verifyLedger(db: Database): Promise<LedgerVerdict> {
  return transaction(db, compareBooks, { isolationLevel: 'repeatable read', accessMode: 'read only' })
}

/** Adds up every account a second time without the ledger, and looks for rows that contradict each other. */
export async function compareBooks(tx: Transaction): Promise<LedgerVerdict> {
  const balances = await readBalances(tx)
  const problems = balances
    .filter(({ ledger, expected }) => ledger !== expected)
    .map(({ account }) => `The balance of ${account} differs`)
  for (const [what, query] of Object.entries(contradictions)) {
    const { total, ids } = await find(tx, query)
    if (total > 0) problems.push(`${what}: ${ids.join(', ')}${total > ids.length ? `, … (${total})` : ''}`)
  }
  return { balances, problems }
}

const statesIn = (states: readonly string[]) => sql.raw(states.map((state) => `'${state}'`).join(', '))

/** Submissions that we owe or have paid, each with its newest payout. */
const approved = sql`
  select gift_cards.id, gift_cards.seller_id, status, selling_price, newest.state, newest.amount, newest.deducted
  from gift_cards left join (
    select distinct on (gift_card_id) gift_card_id, state, amount, deducted
    from payouts where state <> 'void' order by gift_card_id, number desc
  ) as newest on newest.gift_card_id = gift_cards.id
  where status in ('processing', 'completed') and cleared_at is null`

/** Both figures of every account that ever had a line or should have a balance. */
async function readBalances(tx: Transaction): Promise<Balance[]> {
  const { rows } = await tx.execute<{ account: string; ledger: string; expected: string }>(sql`
    with approved as materialized (${approved}),
    parts (account, amount) as (
      select 'incoming', selling_price from approved
        where status = 'processing' and not exists (select from inventory where gift_card_id = approved.id)
      union all select 'payouts_payable', -amount from approved
        where status = 'processing' and state in (${statesIn(owedStates)})
      union all select 'cash:' || payment_type, -amount from payouts where state = 'paid'
      union all select 'stock', cost from inventory where state in ('in_stock', 'listed')
      union all select 'cash:sales', proceeds from inventory where state = 'sold'
      union all select 'proceeds', -proceeds from inventory where state = 'sold'
      union all select 'cost_of_sales', cost from inventory where state = 'sold'
      union all select 'cards_used', cost from inventory where state = 'used'
      union all select 'losses', written_off from inventory where state = 'bad'
      union all select 'receivable:' || seller_id, cost - written_off from inventory where state = 'bad'
      union all select 'receivable:' || seller_id, -deducted from approved where deducted <> 0
    ),
    expected as (select account, sum(amount) as amount from parts group by account),
    ledger as (select account, sum(amount) as amount from ledger_lines group by account)
    select account, coalesce(ledger.amount, 0) as ledger, coalesce(expected.amount, 0) as expected
    from ledger full join expected using (account)
    where ledger.amount is not null or expected.amount <> 0 order by account`)
  return rows.map(({ account, ledger, expected }) => ({
    account,
    ledger: Number(ledger),
    expected: Number(expected),
  }))
}

/** Queries that find nothing when the books are right. Each returns the ids of what is wrong. */
const contradictions: Readonly<Record<string, SQL>> = {
  'Entries without lines': sql`
    select id from ledger_entries where not exists (select from ledger_lines where entry_id = ledger_entries.id)`,
  'Entries that do not sum to zero': sql`
    select entry_id as id from ledger_lines group by entry_id having sum(amount) <> 0`,
  'Days and accounts whose totals are not the sum of their lines': sql`
    select day || ' ' || account as id from (
      select (at at time zone 'UTC')::date as day, account, greatest(amount, 0) as debit, greatest(-amount, 0) as credit
        from ledger_lines join ledger_entries on ledger_entries.id = entry_id
      union all select day, account, -debit, -credit from ledger_totals
    ) as both_sides group by day, account having sum(debit) <> 0 or sum(credit) <> 0`,
  'Submissions with two live payouts': sql`
    select gift_card_id as id from payouts where state in (${statesIn(liveStates)})
    group by gift_card_id having count(*) > 1`,
  'Approved submissions that are owed nothing': sql`
    select id from (${approved}) as approved
    where status = 'processing' and (state is null or state not in (${statesIn(owedStates)}))`,
  'Completed submissions that are not paid': sql`
    select id from (${approved}) as approved where status = 'completed' and state is distinct from 'paid'`,
  'Completed submissions that are not in the inventory': sql`
    select id from gift_cards where status = 'completed' and cleared_at is null
      and not exists (select from inventory where gift_card_id = gift_cards.id)`,
  'Submissions whose payout is not their price': sql`
    select id from (${approved}) as approved where amount + deducted <> selling_price`,
  'Payouts of submissions that are not approved': sql`
    select payouts.id from payouts join gift_cards on gift_cards.id = gift_card_id
    where payouts.state in (${statesIn(liveStates)})
      and (status not in ('processing', 'completed') or cleared_at is not null)`,
  'Cards in stock whose submission is not completed': sql`
    select gift_card_id as id from inventory join gift_cards on gift_cards.id = gift_card_id
    where inventory.state in ('in_stock', 'listed') and (status <> 'completed' or cleared_at is not null)`,
  'Cards that left the stock whose submission is not approved': sql`
    select gift_card_id as id from inventory join gift_cards on gift_cards.id = gift_card_id
    where inventory.state not in ('in_stock', 'listed')
      and (status not in ('processing', 'completed') or cleared_at is not null)`,
  'Cards in the inventory that did not cost their price': sql`
    select gift_card_id as id from inventory join gift_cards on gift_cards.id = gift_card_id
    where cost <> selling_price`,
  'Batches that are not the sum of their payouts': sql`
    select payout_batches.id from payout_batches left join payouts on payouts.batch_id = payout_batches.id
    where payout_batches.state <> 'void' group by payout_batches.id
    having count(payouts.id) <> count or coalesce(sum(amount), 0) <> total`,
}

async function find(tx: Transaction, query: SQL): Promise<{ total: number; ids: string[] }> {
  const { rows } = await tx.execute<{ id: string; total: string }>(sql`
    select id::text, count(*) over () as total from (${query}) as found limit ${NAMED}`)
  return { total: Number(rows[0]?.total ?? 0), ids: rows.map(({ id }) => id) }
}
