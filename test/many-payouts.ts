import type pg from 'pg'

/**
 * Fills a database with submissions that have a payout each. The newest 5 % are due, the others left in batches, and the cards
 * of those that were paid are in the inventory. Reports and the ledger do not know of them.
 */
export async function fillPayouts(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(`
    ALTER TABLE gift_cards DISABLE TRIGGER USER;

    CREATE TEMP TABLE made AS SELECT number,
      (lpad(to_hex(1760000000000 + number * 60000::bigint), 12, '0') || '7' || left(md5(number::text), 3) || 'a'
        || right(md5(number::text), 15))::uuid AS id,
      md5('seller' || number % (${count} / 15))::uuid AS seller_id,
      CASE WHEN number % 500 = 0 THEN 'rare' ELSE (ARRAY['amazon', 'amazon', 'amazon', 'target', 'steam'])[1 + number * 7 % 5] END AS brand,
      (ARRAY['bank_transfer', 'paypal', 'venmo', 'zelle'])[1 + number * 3 % 4] AS payment_type,
      CASE WHEN number > ${count} * 0.95 THEN 'due' WHEN number % 100 = 1 THEN 'returned' ELSE 'paid' END AS state,
      1 + number * 30 / ${count} AS batch
      FROM generate_series(1, ${count}) AS number;
    ANALYZE made;

    INSERT INTO administrators (id, username, password_hash) VALUES (md5('ana')::uuid, 'ana', '!');
    INSERT INTO users (id, username, email, password_hash, first_name, last_name)
      SELECT DISTINCT seller_id, 'u' || left(seller_id::text, 8), seller_id || '@example.org', '!',
        CASE WHEN seller_id::text LIKE '0%' THEN 'Maria' ELSE 'Jo' END, left(seller_id::text, 6) FROM made;
    INSERT INTO gift_cards (id, seller_id, brand, brand_name, unlisted_brand, denomination, selling_price, quoted_price,
        discount_percentage, payment_type, payment_account_name, payment_account_hint, status, version, fingerprint, created_at, updated_at)
      SELECT id, seller_id, brand, initcap(brand), false, 10000, 9300, 9300, 700, payment_type, 'Jo', 'j***',
        CASE WHEN state = 'paid' THEN 'completed' ELSE 'processing' END, 3, '', now(), now() FROM made ORDER BY number;
    INSERT INTO transactions (id, gift_card_id, seller_id, amount, created_at)
      SELECT md5('t' || number)::uuid, id, seller_id, 9300, now() FROM made;
    INSERT INTO payout_batches (id, file_kind, payment_types, state, count, total, created_by)
      SELECT md5('batch' || number)::uuid, 'worksheet', '{zelle}', 'exported', ${count} / 30, 1, md5('ana')::uuid
      FROM generate_series(1, 30) AS number;
    INSERT INTO payouts (id, gift_card_id, seller_id, amount, payment_type, account_hint, state, batch_id, batch_position,
        sent_at, paid_at, returned_at)
      SELECT md5('p' || number)::uuid, id, seller_id, 9300, payment_type, 'j***', state,
        CASE WHEN state <> 'due' THEN md5('batch' || batch)::uuid END, CASE WHEN state <> 'due' THEN number END,
        CASE WHEN state <> 'due' THEN now() END, CASE WHEN state = 'paid' THEN now() END,
        CASE WHEN state = 'returned' THEN now() END
      FROM made ORDER BY number;
    INSERT INTO inventory (gift_card_id, seller_id, brand, cost, state, channel, sold_at, proceeds, left_at)
      SELECT id, seller_id, brand, 9300, state, CASE WHEN state IN ('sold', 'listed') THEN (ARRAY['eBay', 'Raise'])[1 + number % 2] END,
        CASE state WHEN 'sold' THEN now() END, CASE state WHEN 'sold' THEN 9700 END,
        CASE WHEN state IN ('sold', 'bad') THEN now() END
      FROM (
        SELECT number, id, seller_id, brand, CASE WHEN number % 90 = 0 THEN 'bad' WHEN number < ${count} * 0.8 THEN 'sold'
          WHEN number < ${count} * 0.84 THEN 'listed' ELSE 'in_stock' END AS state
        FROM made WHERE state = 'paid' ORDER BY number
      ) AS items;
    DROP TABLE made;

    ALTER TABLE gift_cards ENABLE TRIGGER USER`)
  await pool.query('VACUUM (ANALYZE) users, gift_cards, transactions, payouts, inventory')
}
