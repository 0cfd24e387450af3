import { beforeAll, expect, it } from 'vitest'
import { buildProgram } from '#server/operator/program.ts'
import type { Tools } from '#server/operator/tools.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { runCommand } from '#test/operator.ts'
import { submittedIn } from '#test/submissions.ts'
import { compareBooks } from './verify.ts'

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
  const people = { seller: await shop.seller('sam'), staff: await shop.staff() }
  for (const status of ['pending', 'processing', 'completed', 'completed', 'failed'] as const) {
    await submittedIn(status, people)
  }
})

const verify = () => runCommand({ db: shop.db }, 'ledger', 'verify')
const AGREED = 'The ledger, the payouts and the inventory agree.'

it('prints both figures of every account', async () => {
  expect((await verify()).split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'account in the ledger expected',
    'cash:paypal -$186.00 -$186.00',
    'incoming $93.00 $93.00',
    'payouts_payable -$93.00 -$93.00',
    'stock $186.00 $186.00',
    AGREED,
  ])
})

const one = (table: string, where: string) => `(select ctid from ${table} where ${where} limit 1)`
const statusOf = (from: string, to: string) =>
  `update gift_cards set status = '${to}' where ctid = ${one('gift_cards', `status = '${from}'`)}`

const idOf = (status: string) => `(select id from gift_cards where status = '${status}' limit 1)`

/** What somebody with access to the database does, and what the proof says. */
const manipulations: Readonly<Record<string, string>> = {
  'Entries without lines': `delete from ledger_lines where entry_id = (select min(id) from ledger_entries)`,
  'Entries that do not sum to zero': `update ledger_lines set amount = amount + 1 where ctid = ${one('ledger_lines', 'true')}`,
  'Days whose sums are not those of their entries': `select sum_up_ledger(now() + interval '1 hour');
    update ledger_days set debit = debit + 1 where account = 'stock'`,
  'Entries in months that were closed before': `insert into closed_months (month, closed_by) select '2020-01-01', id from administrators limit 1;
    update ledger_entries set value_date = '2020-01-31', at = clock_timestamp() where id = (select min(id) from ledger_entries)`,
  'Submissions with two live payouts': `drop index payouts_one_live;
    insert into payouts (id, gift_card_id, seller_id, amount, payment_type, account_hint)
    select gen_random_uuid(), gift_card_id, seller_id, amount, payment_type, account_hint from payouts where state = 'due'`,
  'Approved submissions that are owed nothing': `update payouts set state = 'void' where state = 'due'`,
  'Completed submissions that are not paid': `update payouts set state = 'due' where ctid = ${one('payouts', "state = 'paid'")}`,
  'Completed submissions that are not in the inventory': `delete from inventory where ctid = ${one('inventory', 'true')}`,
  'Submissions whose payout is not their price': `update payouts set amount = amount - 1 where state = 'due'`,
  'Payouts of submissions that are not approved': statusOf('processing', 'cancelled'),
  'Cards in stock whose submission is not completed': statusOf('completed', 'processing'),
  'Cards that left the stock whose submission is not approved': `${statusOf('completed', 'failed')};
    update inventory set state = 'used', left_at = now()`,
  'Cards in the inventory that did not cost their price': `update inventory set cost = 1 where ctid = ${one('inventory', 'true')}`,
  'Submissions and accounts whose entries are not what happened': `update ledger_entries set gift_card_id = ${idOf('pending')}
    where event = 'approved' and gift_card_id = ${idOf('processing')}`,
  'Fees whose entries are not what a batch or a statement says': `
    insert into payout_batches (id, file_kind, payment_types, count, total, created_by, state, settled_by, settled_at, settled_on, settlement_fee)
    select gen_random_uuid(), 'paypal', '{paypal}', 0, 0, id, 'settled', id, now(), now(), 250 from administrators limit 1;
    with entry as (insert into ledger_entries (event) values ('fee') returning id)
    insert into ledger_lines (entry_id, line, account, amount)
    select id, line, account, amount from entry, (values (1, 'fees', 250), (2, 'cash:paypal', -250)) as lines (line, account, amount)`,
  'Lines of statements whose batch did not settle with them': `
    with batch as (
      insert into payout_batches (id, file_kind, payment_types, count, total, created_by)
      select gen_random_uuid(), 'nacha', '{bank_transfer}', 0, 0, id from administrators limit 1 returning id, created_by
    )
    insert into bank_lines (id, key, kind, booked_on, amount, text, batch_id, imported_by)
    select gen_random_uuid(), 'key', 'batch', '2026-11-24', 9300, '', id, created_by from batch`,
  'Payouts whose entries are not what was paid': `update ledger_entries set payout_id = (select id from payouts where state = 'due')
    where id = (select min(id) from ledger_entries where event = 'paid')`,
  'Payouts and cards of another seller than their submission': `insert into users (id, username, email, password_hash, first_name, last_name)
    values (gen_random_uuid(), 'mallory', 'mallory@example.com', '', 'Mallory', 'M');
    update payouts set seller_id = (select id from users where username = 'mallory') where state = 'due'`,
  'Submissions whose price is neither the quote nor the accepted offer': `update gift_cards set selling_price = 9301 where status = 'pending'`,
  'Submissions with a transaction that is not their price': `update transactions set amount = 9301 where gift_card_id = ${idOf('pending')}`,
  'Accepted prices that were not the last offer': `insert into status_history
      (gift_card_id, version, from_status, to_status, move, amount, by_kind, by_id)
    select id, 99, 'offered', 'processing', 'accept', selling_price, 'seller', seller_id from gift_cards where status = 'pending'`,
  'Quotes that are not the value at their rate': `update gift_cards set quoted_price = 9301, selling_price = 9301 where status = 'pending'`,
  'Quotes at a rate that the brand did not have': `update gift_cards
    set discount_percentage = 0, quoted_price = denomination, selling_price = denomination where status = 'pending'`,
  'Batches that are not the sum of their payouts': `insert into payout_batches (id, file_kind, payment_types, count, total, created_by)
    select gen_random_uuid(), 'paypal', '{paypal}', 1, 9300, id from administrators limit 1`,
  'The balance of cards_used differs': `update inventory set state = 'used', left_at = now()`,
}

it.each(Object.entries(manipulations))('finds: %s', async (problem, statement) => {
  const found = await foundAfter(statement)
  expect(found.filter((sentence) => sentence.startsWith(problem))).toHaveLength(1)
})

/** What the proof finds after a manipulation, which is rolled back. */
async function foundAfter(statement: string): Promise<readonly string[]> {
  let problems: readonly string[] = []
  const manipulated = transaction(shop.db, async (tx) => {
    for (const table of ['ledger_lines', 'ledger_entries']) {
      await tx.execute(`alter table ${table} disable trigger user`)
    }
    await tx.execute(statement)
    problems = (await compareBooks(tx)).problems
    throw new Error('Rollback')
  })
  await expect(manipulated).rejects.toThrow('Rollback')
  return problems
}

const newRate = (until: string) => `
  insert into earlier_brand_terms select brand, 9300, 1, 1000000, ${until} from gift_cards limit 1;
  update brands set rate = 9000 where slug = (select brand from gift_cards limit 1)`

it('accepts a quote under terms that were replaced since, or shortly before', async () => {
  expect(await foundAfter(newRate('now()'))).toEqual([])
  expect(await foundAfter(newRate("now() - interval '10 minutes'"))).toEqual([])
  expect(await foundAfter(newRate("now() - interval '1 day'"))).toEqual([
    expect.stringMatching(/^Quotes at a rate that the brand did not have: /),
  ])
})

it('exits with 1 and lists what does not agree', async () => {
  await shop.pool.query(`update inventory set state = 'used', left_at = now()`)
  const lines: string[] = []
  let succeeded: unknown
  const program = buildProgram(async (action) => {
    const show: Tools['show'] = (_data, shown) => void lines.push(...shown)
    succeeded = await action({ db: shop.db, show } as Tools)
  })
  await program.parseAsync(['ledger', 'verify'], { from: 'user' })
  expect(succeeded).toBe(false)
  expect(lines.slice(-4)).toEqual([
    'The ledger, the payouts and the inventory do not agree:',
    '- The balance of cards_used differs',
    '- The balance of stock differs',
    expect.stringMatching(
      /^- Submissions and accounts whose entries are not what happened: [0-9a-f-]{36} (cards_used|stock), /,
    ),
  ])
})
