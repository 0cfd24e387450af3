import type pg from 'pg'

/** A move as the one update that it is at its heart. */
export async function bareMove(pool: pg.Pool, id: string, status: string, push: boolean): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query({
      name: 'move',
      text: 'update gift_cards set status = $2, version = version + 1, updated_at = now() where id = $1',
      values: [id, status],
    })
    if (push) await client.query(`select pg_notify('limit_push', $1)`, [id])
  })
}

const EVERYTHING = `
  with card as (
    select id, seller_id, status, version, $2::text as next from gift_cards where id = $1 for update
  ), moved as (
    update gift_cards set status = next, version = card.version + 1, updated_at = now() from card
    where gift_cards.id = card.id
  ), told as (
    insert into status_history (gift_card_id, version, from_status, to_status, by_kind, by_id)
    select id, version + 1, status, next, 'staff', $3 from card
  ), paid as (
    update transactions set buyer_id = case when next = 'completed' then $3::uuid end from card where gift_card_id = card.id
  ), counted as (
    update users set trade_count = trade_count + case when next = 'completed' then 1 else -1 end from card
    where users.id = seller_id
  ), mailed as (
    insert into jobs (id, kind, key, payload, done_at)
    select gen_random_uuid(), 'statusMail', id || ':' || version + 1, jsonb_build_object('giftCardId', id), now() from card
  ), audited as (
    insert into audit_pending (actor_kind, actor_id, actor_name, action, subject_kind, subject_id, details)
    select 'staff', $3, 'admin', 'submission.moved', 'submission', id, jsonb_build_object('from', status, 'to', next) from card
  )
  select pg_notify('limit_push', id::text) from card`

/** A move with every row that the product writes for it, chained audit entry and push included; its mail is not sent. */
export async function wholeMove(pool: pg.Pool, id: string, status: string, by: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query({ name: 'whole_move', text: EVERYTHING, values: [id, status, by] })
  })
}

async function inTransaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect()
  await client.query('begin')
  await work(client)
  await client.query('commit')
  client.release()
}
