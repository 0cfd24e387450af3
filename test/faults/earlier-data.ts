const id = (number: number): string => `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`
const [SELLER, ANA, THREAD, VISITOR] = [id(1), id(2), id(3), id(4)]
const card = (number: number): string => id(100 + number)

/** Every status, cleared submissions, one that is released later, and two of one brand. */
const cards = [
  ['pending', 'amazon', false],
  ['pending', 'amazon', true],
  ['under_review', 'steam', false],
  ['processing', 'visa', false],
  ['completed', 'amazon', false],
  ['rejected', 'nike', false],
  ['failed', 'hulu', false],
  ['cancelled', 'uber', false],
  ['processing', 'steam', true],
  ['completed', 'visa', false],
] as const
const RELEASED = card(9)

const insertCards = cards.map(([status, brand, cleared], index) => {
  const key = cleared ? 'NULL' : `'\\x01026b31${'ab'.repeat(40)}'`
  return `
    INSERT INTO gift_cards (id, seller_id, brand, brand_name, unlisted_brand, denomination, selling_price,
      discount_percentage, data_key, card_number, card_number_last_four, payment_type, payment_account_name,
      payment_account_hint, status, version, idempotency_key, fingerprint, created_at, updated_at, cleared_at)
    VALUES ('${card(index)}', '${SELLER}', '${brand}', '${brand}', false, 10000, 9300, 700, ${key}, '\\x0102', '5678',
      'paypal', 'Sally Seller', 's…@example.com', '${status}', ${status === 'pending' ? 1 : 2}, 'key ${index}', '\\x03',
      '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', ${cleared ? 'now()' : 'NULL'});
    INSERT INTO transactions (id, gift_card_id, seller_id, buyer_id, amount, created_at)
    VALUES ('${id(200 + index)}', '${card(index)}', '${SELLER}', ${status === 'completed' ? `'${ANA}'` : 'NULL'}, 9300, now());
    INSERT INTO photos (name, thumbnail_name, gift_card_id, position, width, height)
    VALUES ('photo-${index}-aaaaaaaaaaaaaaaa', 'thumb-${index}-aaaaaaaaaaaaaaaa', '${card(index)}', 0, 320, 200);
    INSERT INTO status_history (gift_card_id, version, from_status, to_status, by_kind, by_id)
    VALUES ('${card(index)}', 1, NULL, 'pending', 'seller', '${SELLER}');
    ${
      status === 'pending'
        ? ''
        : `INSERT INTO status_history (gift_card_id, version, from_status, to_status, reason, by_kind, by_id)
    VALUES ('${card(index)}', 2, 'pending', '${status}', 'why', 'staff', '${ANA}');`
    }`
})

/** Data in the tables of each version, as it was when the next version came. */
export const earlierData: Readonly<Record<string, string>> = {
  '0001': `
    INSERT INTO users (id, username, email, password_hash, first_name, last_name)
    VALUES ('${SELLER}', 'Sally', 'Sally@example.com', 'hash', 'Sally', 'O''Seller');
    INSERT INTO administrators (id, username, password_hash) VALUES ('${ANA}', 'ana', 'hash');
    INSERT INTO sessions (sid, user_id, sess, expire) VALUES ('sid', '${SELLER}', '{}', now() + interval '1 day');
    ${insertCards.join('')}
    INSERT INTO audit_log (actor_kind, action, subject_kind, subject_id)
    VALUES ('system', 'admin.created', 'administrator', 'ana'), ('system', 'admin.created', 'administrator', 'ben');
    INSERT INTO jobs (id, kind, key, payload) VALUES ('${id(300)}', 'statusMail', '${card(2)}:2', '{}');
    INSERT INTO rate_limits VALUES ('signIn:1', 3, 1);`,
  '0002': `
    INSERT INTO contact_sessions (id, session_id, first_name, last_name, email, subject)
    VALUES ('${VISITOR}', 'random', 'Vera', 'Visitor', 'vera@example.com', 'Hello');
    INSERT INTO chat_threads (id, user_id) VALUES ('${THREAD}', '${SELLER}');
    INSERT INTO chat_messages (id, thread_id, message, is_admin_reply, admin_user_id)
    VALUES ('${id(400)}', '${THREAD}', 'Is it there?', false, NULL), ('${id(401)}', '${THREAD}', 'Yes', true, '${ANA}');
    INSERT INTO saved_replies (id, title, text, created_by) VALUES ('${id(402)}', 'Yes', 'It is', '${ANA}');`,
  '0003': `
    INSERT INTO account_tokens (id, token_hash, user_id, purpose, email, expires_at)
    VALUES ('${id(500)}', 'hash', '${SELLER}', 'reset_password', 'sally@example.com', now());
    INSERT INTO known_browsers (token_hash, account_id) VALUES ('hash', '${SELLER}');
    INSERT INTO payment_methods (id, user_id, type, account_name, data_key, account_info)
    VALUES ('${id(501)}', '${SELLER}', 'paypal', 'Sally', '\\x01026b31ab', '\\x02');
    INSERT INTO reviews (id, reviewer_id, reviewee_id, transaction_id, rating)
    VALUES ('${id(502)}', '${SELLER}', '${ANA}', '${id(204)}', 5);`,
  '0004': `
    INSERT INTO claims VALUES ('${card(0)}', '${ANA}', now(), now());
    UPDATE photos SET likeness = 1234567890123 WHERE position = 0;
    INSERT INTO brands VALUES ('amazon', 'Amazon', 'E-commerce', 9300, 2500, 200000, true, 0, now(), now());
    INSERT INTO earlier_brand_terms VALUES ('amazon', 9200, 2500, 200000, now());
    INSERT INTO audit_log (actor_kind, action, subject_kind, subject_id)
    VALUES ('system', 'admin.created', 'administrator', 'cleo');
    INSERT INTO second_factors (administrator_id, data_key, secret) VALUES ('${ANA}', '\\x01026b31ab', '\\x02');
    INSERT INTO recovery_codes VALUES ('${ANA}', '\\x04');`,
  '0005': `INSERT INTO key_check (wrapped, index_check) VALUES ('\\x01', '\\x02');`,
  '0006': `
    INSERT INTO audit_pending (actor_kind, action, subject_kind, subject_id, details)
    VALUES ('system', 'admin.created', 'administrator', 'dana', '{}');`,
  '0007': '',
  '0008': '',
  '0009': `UPDATE gift_cards SET released_at = '2026-02-02T00:00:00Z' WHERE id = '${RELEASED}';`,
}

/** Tables that the database fills, or filled, from other tables. Lists, reports and the ledger now read those others themselves. */
export const derivedTables: ReadonlySet<string> = new Set([
  'submission_counts',
  'audit_head',
  'payout_counts',
  'stock_counts',
  'report_counts',
  'report_changes',
  'ledger_totals',
])
