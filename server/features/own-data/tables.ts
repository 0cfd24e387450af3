/**
 * What deleting an account does with each table that refers to a seller, to a submission, or to a conversation. The test of the
 * deletion fails for a table that is missing here.
 */

/** Rows that are deleted by the column that names the seller. */
export const ownTables = {
  account_tokens: 'user_id',
  cart_items: 'user_id',
  dead_accounts: 'seller_id',
  known_browsers: 'account_id',
  notification_settings: 'user_id',
  passkeys: 'user_id',
  payment_methods: 'user_id',
  prenotes: 'seller_id',
  recovery_codes: 'account_id',
  second_factors: 'account_id',
  sessions: 'user_id',
  tax_details: 'user_id',
} as const

/** Rows that the deletion removes with the submissions, conversations or sessions they belong to. */
export const deletedTables = [
  'balance_requests',
  'chat_messages',
  'chat_threads',
  'claims',
  'contact_sessions',
  'holds',
  'notes',
  'photos',
  'push_subscriptions',
  'risk_acknowledgements',
] as const

/** Rows that stay if money moved, without what identifies the seller, and why they stay. */
export const keptTables = {
  users: 'An empty account that the records below refer to: its ID, state, language, ratings and times',
  gift_cards:
    'What we bought: brand, values, prices, times, last four digits and the keyed fingerprint of the number, which recognizes the card if it is sold again. Number, PIN and expiration date only while the card is in stock',
  sales: 'Which cards were sold together',
  transactions: 'What was agreed and who completed it',
  status_history: 'Each step with its time, without the texts',
  policy_decisions: 'What policies said about a card, with its price, for their limits and reports',
  balance_checks: 'The balances that staff found, without notes',
  payouts: 'Amount, method, times and reference of each payout, without the account',
  payout_batches: 'The sealed files of sent payouts. Each has the accounts of many sellers',
  payout_results: 'What banks reported, without account details',
  inventory: 'The status of the card, and what it cost',
  ledger_entries: 'The books, by submission and payout',
  reviews: 'The rating that staff got, without the comment and the name',
} as const

/**
 * The columns of each of these tables that the deletion erases. `keptColumns` are the others: a new column belongs to one of the two,
 * and what a person typed is erased. Number, PIN and expiration date of a card stay while it is in stock.
 */
export const erasedColumns: Readonly<Record<keyof typeof keptColumns, readonly string[]>> = {
  users: [
    ...['username', 'email', 'password_hash', 'first_name', 'last_name', 'phone_number', 'verified'],
    ...['previous_email', 'previous_email_verified', 'confirmation_waived', 'bounce', 'last_visit'],
  ],
  gift_cards: [
    ...['data_key', 'card_number', 'security_code', 'expiration_date', 'submission_notes'],
    ...['payment_account_name', 'payment_account_info', 'payment_account_index', 'payment_account_hint'],
    ...['payment_routing_number', 'payment_routing_hint', 'payment_account_number'],
    ...['payment_account_number_hint', 'idempotency_key', 'fingerprint'],
  ],
  status_history: ['reason', 'sealed_reason'],
  policy_decisions: [],
  balance_checks: ['sealed_note'],
  payouts: ['account_hint', 'return_reason'],
  payout_results: ['sealed_correction'],
  reviews: ['comment', 'first_name'],
}

export const keptColumns = {
  users: [
    ...['id', 'role', 'locale', 'state', 'rating', 'review_count', 'trade_count'],
    ...['credentials_changed_at', 'created_at', 'deleted_at'],
  ],
  gift_cards: [
    ...['id', 'seller_id', 'sale_id', 'sale_position', 'resubmission_of'],
    ...['brand', 'brand_name', 'unlisted_brand', 'search_text', 'card_format', 'card_condition'],
    ...['denomination', 'selling_price', 'quoted_price', 'discount_percentage'],
    ...['offer_amount', 'offer_expires_at', 'appealed_at', 'answered'],
    ...['card_number_index', 'card_number_last_four', 'index_version'],
    ...[
      'payment_type',
      'payment_account_type',
      'routing_number_suspect',
      'available',
      'verified',
      'status',
      'version',
    ],
    ...['created_at', 'updated_at', 'cleared_at', 'secrets_erased_at', 'released_at'],
  ],
  status_history: [
    ...['gift_card_id', 'version', 'from_status', 'to_status', 'reason_code', 'move', 'amount'],
    ...['by_kind', 'by_id', 'policy_id', 'policy_version', 'at'],
  ],
  policy_decisions: [
    ...['id', 'gift_card_id', 'policy_id', 'policy_version', 'mode', 'outcome', 'reason', 'draw'],
    ...['price', 'at'],
  ],
  balance_checks: ['id', 'gift_card_id', 'amount', 'source', 'by_id', 'at'],
  payouts: [
    ...['id', 'number', 'gift_card_id', 'seller_id', 'amount', 'deducted', 'payment_type', 'state'],
    ...['batch_id', 'batch_position', 'entry_number', 'entry_count', 'entry_total'],
    ...['by_hand', 'automatic', 'reference', 'return_code', 'provider_state'],
    ...['due_at', 'batchable_at', 'sent_at', 'paid_at', 'returned_at'],
    ...['reverted_sent_at', 'reverted_reference', 'not_sent_at'],
  ],
  payout_results: ['id', 'key', 'payout_id', 'kind', 'code', 'administrator_id', 'at'],
  reviews: ['id', 'transaction_id', 'reviewer_id', 'reviewee_id', 'rating', 'created_at', 'state', 'locale'],
} as const
