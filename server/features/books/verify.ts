import { type SQL, sql } from 'drizzle-orm'
import type { Cents } from '#domain/money.ts'
import { liveStates, owedStates } from '#domain/payout.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
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
  return transaction(db, compareBooks, 'isolation level repeatable read, read only')
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

/** What batches and bank statements say about fees, and how the ledger should book them. */
const fees = sql`
  fees (batch_id, bank_line_id, payment_type, amount) as (
    select id, null::uuid, payment_types[1], settlement_fee from payout_batches where settlement_fee > 0
    union all select id, null, payment_types[1], provider_fee from payout_batches where provider_fee > 0
    union all select null, id, 'bank_transfer', amount from bank_lines where kind = 'fee'
  ),
  fee_lines (batch_id, bank_line_id, account, amount) as (
    select batch_id, bank_line_id, 'fees', amount from fees
    union all select batch_id, bank_line_id, 'cash:' || payment_type, -amount from fees
  )`

/** What the submissions, the payouts and the inventory say about each account, without the ledger. */
const parts = sql`
  approved as materialized (${approved}),
  ${fees},
  parts (gift_card_id, payout_id, account, amount) as (
    select id, null::uuid, 'incoming', selling_price from approved
      where status = 'processing' and not exists (select from inventory where gift_card_id = approved.id)
    union all select id, null, 'payouts_payable', -amount from approved
      where status = 'processing' and state in (${statesIn(owedStates)})
    union all select gift_card_id, id, 'cash:' || payment_type, -amount from payouts where state = 'paid'
    union all select gift_card_id, null, 'stock', cost from inventory where state in ('in_stock', 'listed')
    union all select gift_card_id, null, 'cash:sales', proceeds from inventory where state = 'sold'
    union all select gift_card_id, null, 'proceeds', -proceeds from inventory where state = 'sold'
    union all select gift_card_id, null, 'cost_of_sales', cost from inventory where state = 'sold'
    union all select gift_card_id, null, 'cards_used', cost from inventory where state = 'used'
    union all select gift_card_id, null, 'losses', written_off from inventory where state = 'bad'
    union all select gift_card_id, null, 'receivable:' || seller_id, cost - written_off from inventory where state = 'bad'
    union all select id, null, 'receivable:' || seller_id, -deducted from approved where deducted <> 0
    union all select null, null, account, amount from fee_lines
  )`

/** The parts and the opposite of the ledger's lines. The opening entry sums up the submissions that were approved before it. */
const bothSides = sql`
  opened as materialized (
    select gift_card_id from payouts group by gift_card_id
    having min(due_at) < (select min(at) from ledger_entries where event = 'opening')
  ),
  both_sides as (
    select gift_card_id, payout_id, account, amount from parts
    union all select gift_card_id, payout_id, account, -amount
      from ledger_lines join ledger_entries on ledger_entries.id = entry_id where event <> 'opening'
  )`

/** Both figures of every account that ever had a line or should have a balance. */
async function readBalances(tx: Transaction): Promise<Balance[]> {
  const { rows } = await tx.execute<{ account: string; ledger: string; expected: string }>(sql`
    with ${parts},
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

/** How much older than its submission a quote can be: a quote holds that long, and sending photos takes a while. */
const QUOTED_BEFORE = `${QUOTE_HOLDS_MINUTES + 30} minutes`

/** Queries that find nothing when the books are right. Each returns the ids of what is wrong. */
const contradictions: Readonly<Record<string, SQL>> = {
  'Entries without lines': sql`
    select id from ledger_entries where not exists (select from ledger_lines where entry_id = ledger_entries.id)`,
  'Entries that do not sum to zero': sql`
    select entry_id as id from ledger_lines group by entry_id having sum(amount) <> 0`,
  'Days whose sums are not those of their entries': sql`
    with summed as (
      select value_date, event, account, brand, count, debit, credit from counted_lines
        where entry_id <= (select entry_id from ledger_summed)
      union all
      select value_date, event, account, brand, -count, -debit, -credit from ledger_days
        where not (event = 'opening' and account = 'stock')
    )
    select value_date || ' ' || event || ' ' || account as id from summed group by value_date, event, account, brand
    having sum(count) <> 0 or sum(debit) <> 0 or sum(credit) <> 0`,
  'Entries in months that were closed before': sql`
    select id from ledger_entries join closed_months on value_date < month + interval '1 month' and at > closed_at`,
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
  'Submissions and accounts whose entries are not what happened': sql`
    with ${parts}, ${bothSides}
    select coalesce(gift_card_id::text, 'no submission') || ' ' || account as id from both_sides
    where gift_card_id is null or gift_card_id not in (select gift_card_id from opened)
    group by gift_card_id, account having sum(amount) <> 0`,
  'Payouts whose entries are not what was paid': sql`
    with ${parts}, ${bothSides}
    select coalesce(payout_id::text, 'no payout of ' || gift_card_id) as id from both_sides
    where account like 'cash:%' and account <> 'cash:sales' and gift_card_id not in (select gift_card_id from opened)
    group by payout_id, gift_card_id, account having sum(amount) <> 0`,
  'Fees whose entries are not what a batch or a statement says': sql`
    with ${fees}, both_sides as (
      select batch_id, bank_line_id, account, amount from fee_lines
      union all select batch_id, bank_line_id, account, -amount
        from ledger_lines join ledger_entries on ledger_entries.id = entry_id
        where event = 'fee' or batch_id is not null or bank_line_id is not null
    )
    select coalesce('batch ' || batch_id, 'line ' || bank_line_id, 'no batch and no line') as id from both_sides
    group by batch_id, bank_line_id, account having sum(amount) <> 0`,
  'Lines of statements whose batch did not settle with them': sql`
    select bank_lines.id from bank_lines join payout_batches on payout_batches.id = batch_id
    where state <> 'settled' or total <> amount or settled_on <> booked_on`,
  'Payouts and cards of another seller than their submission': sql`
    select gift_cards.id from gift_cards join payouts on gift_card_id = gift_cards.id
    where payouts.seller_id <> gift_cards.seller_id
    union select gift_cards.id from gift_cards join inventory on gift_card_id = gift_cards.id
    where inventory.seller_id <> gift_cards.seller_id
    union select gift_cards.id from gift_cards join transactions on gift_card_id = gift_cards.id
    where transactions.seller_id <> gift_cards.seller_id`,
  'Submissions whose price is neither the quote nor the accepted offer': sql`
    select gift_cards.id from gift_cards left join (
      select distinct on (gift_card_id) gift_card_id, amount from status_history
      where move = 'accept' order by gift_card_id, version desc
    ) as accepted on accepted.gift_card_id = gift_cards.id
    where cleared_at is null and selling_price <> coalesce(accepted.amount, quoted_price)`,
  'Submissions with a transaction that is not their price': sql`
    select gift_cards.id from gift_cards join transactions on gift_card_id = gift_cards.id
    where cleared_at is null and transactions.amount <> selling_price`,
  'Accepted prices that were not the last offer': sql`
    select gift_card_id as id from (
      select gift_card_id, move, amount, lag(move) over earlier as offered, lag(amount) over earlier as offer
      from status_history where move in ('offer', 'accept')
      window earlier as (partition by gift_card_id order by version)
    ) as prices where move = 'accept' and (offered is distinct from 'offer' or amount is distinct from offer)`,
  'Quotes that are not the value at their rate': sql`
    select id from gift_cards
    where cleared_at is null and quoted_price <> (denomination * (10000 - discount_percentage) + 5000) / 10000`,
  'Quotes at a rate that the brand did not have': sql`
    with terms (slug, rate, since, until) as (
      select slug, rate, coalesce(lag(valid_until) over (partition by slug order by valid_until), '-infinity'), valid_until
        from earlier_brand_terms
      union all select slug, rate, coalesce(
        (select max(valid_until) from earlier_brand_terms where earlier_brand_terms.slug = brands.slug), '-infinity'
      ), 'infinity' from brands
    )
    select gift_cards.id from gift_cards join brands on slug = brand
    where cleared_at is null and gift_cards.created_at > brands.created_at + ${QUOTED_BEFORE}::interval and not exists (
      select from terms where terms.slug = brand and rate = 10000 - discount_percentage
        and since < gift_cards.created_at and until > gift_cards.created_at - ${QUOTED_BEFORE}::interval
    )`,
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
