import { sql } from 'drizzle-orm'
import { journalColumns } from '#contract/ledger.ts'
import type { EntryName, LedgerEvent } from '#domain/ledger.ts'
import { toDecimal } from '#domain/money.ts'
import { referenceOf } from '#domain/reference.ts'
import { csvLine, csvPages } from '#server/http/csv.ts'
import type { Executor } from '#server/platform/database/pool.ts'

/** Lines of the ledger that are read at once. Entries have at most four. */
const ENTRIES = 500

interface JournalLine extends Record<string, unknown> {
  readonly day: string
  readonly entry: string
  readonly event: EntryName
  readonly account: string
  readonly amount: string
  readonly card: string | null
  readonly username: string | null
  /** The reference of the payment that paid several cards. */
  readonly payment: string | null
  /** The number of the batch that a fee was for. */
  readonly batch: string | null
}

/** Every line of the entries with a value date in a month as CSV. @param month like 2026-11 */
export function writeJournal(db: Executor, month: string): AsyncGenerator<string> {
  const first = { day: `${month}-01`, entry: '0' }
  return csvPages<JournalLine>(journalColumns, (last) => readLines(db, month, last ?? first), toCsv)
}

async function readLines(
  db: Executor,
  month: string,
  after: Pick<JournalLine, 'day' | 'entry'>,
): Promise<JournalLine[]> {
  const { rows } = await db.execute<JournalLine>(sql`
    with entries as (
      select * from ledger_entries
      where (value_date, id) > (${after.day}::date, ${after.entry}::bigint)
        and value_date < ${`${month}-01`}::date + interval '1 month'
      order by value_date, id limit ${ENTRIES}
    )
    select value_date::text as day, entries.id as entry, event,
      account, ledger_lines.amount, entries.gift_card_id as card, username,
      case when entry_number is not null then coalesce(reference, 'payout-' || entry_number) end as payment,
      (select number from payout_batches where payout_batches.id = entries.batch_id) as batch
    from entries join ledger_lines on entry_id = entries.id
    left join gift_cards on gift_cards.id = entries.gift_card_id left join users on users.id = gift_cards.seller_id
    left join payouts on payouts.id = payout_id and event in ('paid', 'paid_undone', 'returned')
    order by value_date, entries.id, line`)
  return rows
}

const memos: Readonly<Record<LedgerEvent, string>> = {
  approved: 'Card approved',
  netted: 'Debt deducted from the payout',
  paid: 'Payout paid',
  returned: 'Payout returned',
  stocked: 'Card put into the stock',
  sold: 'Card sold',
  used: 'Card used',
  bad: 'Card found bad',
  written_off: 'Debt written off',
  fee: 'Fee',
}

function toCsv({ day, entry, event, account, amount, card, username, payment, batch }: JournalLine): string {
  const cents = Number(amount)
  return csvLine([
    day,
    entry,
    account,
    cents > 0 ? toDecimal(cents) : '',
    cents < 0 ? toDecimal(-cents) : '',
    [
      memoOf(event),
      username && `seller ${username}`,
      payment && `in payment ${payment}`,
      batch && `batch ${batch}`,
    ]
      .filter(Boolean)
      .join(', '),
    card === null ? '' : referenceOf(card),
  ])
}

function memoOf(event: EntryName): string {
  if (event === 'opening') return 'Balances when the ledger began'
  const isUndone = event.endsWith('_undone')
  const memo = memos[event.replace(/_undone$/, '') as LedgerEvent]
  return isUndone ? `${memo}: taken back` : memo
}
