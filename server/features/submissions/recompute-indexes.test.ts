import { beforeAll, describe, expect, it } from 'vitest'
import { newDataKey, seal, wrapKey } from '#server/platform/vault/seal.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { cardColumns } from '#test/card-columns.ts'
import { exportedBatch, payoutReturned } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { submitted, submittedIn } from '#test/submissions.ts'
import { recomputeIndexes } from './recompute-indexes.ts'
import { dataKeyContext } from './secrets.ts'

let server: TestApp
let staff: Person
let sellers: [Person, Person]
beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  sellers = [await server.seller(), await server.seller()]
})

interface Stored {
  readonly cardNumber: string
  readonly account: string
}

/** Makes submissions what an earlier version stored: with these secrets, and indexes that match nothing else. */
async function storedBefore(ids: readonly string[], { cardNumber, account }: Stored): Promise<void> {
  const rows = ids.map((id) => {
    const dataKey = newDataKey()
    const sealed = (column: string, text: string) =>
      seal(dataKey, text, { table: 'gift_cards', column, row: id })
    return {
      key: wrapKey(server.context.keys, dataKey, dataKeyContext(id)),
      number: sealed('card_number', cardNumber),
      account: sealed('payment_account_info', account),
    }
  })
  await server.pool.query(
    `update gift_cards set index_version = 1, data_key = key, card_number = number, payment_account_info = account,
       security_code = null, card_number_last_four = '78.', card_number_index = sha256(id::text::bytea),
       payment_account_index = sha256($5::text::bytea)
     from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[]) as new (row, key, number, account) where id = row`,
    [
      ids,
      rows.map(({ key }) => key),
      rows.map(({ number }) => number),
      rows.map((row) => row.account),
      account,
    ],
  )
}
const risksOf = async (id: string) =>
  (await staff.get(`/api/admin/submissions/${id}`)).json.risks.map(({ code }: { code: string }) => code)
const outdated = async () =>
  (await server.pool.query('select id from gift_cards where index_version < 2 order by id')).rows.map(
    ({ id }) => id,
  )

describe('submissions of an earlier version', () => {
  it.each(['6006.4930/1234_0001\u034f', '6006493012340001\u0430', '６００６４９３０１２３４０００１\u3164'])(
    'are found by the letters and digits of %j',
    async (cardNumber) => {
      const bought = await submittedIn('completed', { seller: sellers[0], staff })
      await storedBefore([bought], { cardNumber, account: '(212) 555-5942' })
      const id = await submitted(sellers[1], {
        cardNumber: '6006 4930 1234 0001',
        paymentType: 'zelle',
        paymentAccountInfo: '2125555942',
      })
      expect(await risksOf(id)).not.toContain('shared_account')
      expect(await recomputeIndexes(server.context)).toBe(1)
      expect(await risksOf(id)).toEqual(expect.arrayContaining(['same_number_completed', 'shared_account']))
      expect((await staff.get(`/api/admin/submissions/${bought}`)).json.cardNumber).toBe('•••• 0001')
      expect(await recomputeIndexes(server.context)).toBe(0)
      await server.pool.query('update gift_cards set card_number_index = null, payment_account_index = null')
    },
  )

  it('keep their index when they are erased, but share the account of those that are not', async () => {
    const account = 'erased@example.com'
    const [erased, other] = [await submitted(sellers[0]), await submitted(sellers[0])]
    await storedBefore([erased, other], { cardNumber: '6006 4930 1234 0002', account })
    await server.pool.query(
      'update gift_cards set data_key = null, card_number = null, payment_account_info = null where id = $1',
      [erased],
    )
    const { rows: before } = await server.pool.query(
      'select card_number_index from gift_cards where id = $1',
      [erased],
    )
    expect(await recomputeIndexes(server.context)).toBe(1)
    const { rows } = await server.pool.query(
      'select card_number_index, payment_account_index from gift_cards where id = any($1) order by id',
      [[erased, other]],
    )
    expect(rows[0].card_number_index).toEqual(before[0].card_number_index)
    expect(rows[0].payment_account_index).toEqual(rows[1].payment_account_index)
  })

  it('take a dead account with them', async () => {
    const id = await submittedIn('processing', { seller: sellers[0], staff })
    await storedBefore([id], { cardNumber: '6006 4930 1234 0005', account: 'dead@example.com' })
    await exportedBatch(server, [id])
    await payoutReturned(server, id, { code: 'RETURNED' })
    await recomputeIndexes(server.context)
    expect(await risksOf(id)).toContain('dead_account')
  })

  it('are left alone while their key is missing', async () => {
    const id = await submitted(sellers[0])
    await storedBefore([id], { cardNumber: '6006 4930 1234 0003', account: 'x@example.com' })
    const { rows } = await server.pool.query('select data_key from gift_cards where id = $1', [id])
    await server.pool.query("update gift_cards set data_key = '\\x01026b31ff' where id = $1", [id])
    expect(await recomputeIndexes(server.context)).toBe(0)
    await server.pool.query('update gift_cards set data_key = $2 where id = $1', [id, rows[0].data_key])
    expect(await recomputeIndexes(server.context)).toBe(1)
  })

  it('are continued after an interrupted start, by several servers', async () => {
    const id = await submitted(sellers[0])
    await server.pool.query(
      `insert into gift_cards (${cardColumns}) select ${cardColumns} from (select copy.* from gift_cards, generate_series(1, 1100) n, lateral jsonb_populate_record(null::gift_cards,
         to_jsonb(gift_cards) || jsonb_build_object('id', md5(n::text)::uuid, 'idempotency_key', null)) copy
       where gift_cards.id = $1) as copies`,
      [id],
    )
    const { rows: all } = await server.pool.query('select id from gift_cards where seller_id = $1', [
      sellers[0].id,
    ])
    const copies = all.map((row) => row.id as string)
    await storedBefore(copies, { cardNumber: '6006 4930 1234 0004', account: 'y@example.com' })
    let opened = 0
    const failing = {
      ...server.context.keys,
      get masters() {
        if (++opened > 1500) throw new Error('killed')
        return server.context.keys.masters
      },
    }
    await expect(recomputeIndexes({ ...server.context, keys: failing })).rejects.toThrow('killed')
    const left = (await outdated()).length
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(copies.length)
    const counts = await Promise.all([1, 2, 3].map(() => recomputeIndexes(server.context)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(left)
    const { rows } = await server.pool.query(
      'select count(distinct card_number_index)::int as numbers, count(distinct payment_account_index)::int as accounts from gift_cards where id = any($1)',
      [copies],
    )
    expect(rows).toEqual([{ numbers: 1, accounts: 1 }])
  })
})
