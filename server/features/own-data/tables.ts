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
  recovery_codes: 'account_id',
  second_factors: 'account_id',
  sessions: 'user_id',
} as const

/** Rows that the deletion removes with the submissions, conversations or sessions they belong to. */
export const deletedTables = [
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

/** Rows that stay if money moved, without what says who the seller is, and why they stay. */
export const keptTables = {
  users: 'An empty account that the records below refer to: its ID, state, language, ratings and times',
  gift_cards:
    'What we bought: brand, values, prices, times, last four digits and the keyed fingerprint of the number, which recognizes the card if it is sold again. Number, PIN and expiration date only while the card is in stock',
  sales: 'Which cards were sold together',
  transactions: 'What was agreed and who completed it',
  status_history: 'Each step with its time, without the texts',
  balance_checks: 'The balances that staff found, without notes',
  payouts: 'Amount, method, times and reference of each payout, without the account',
  payout_batches: 'The sealed files of sent payouts. Each has the accounts of many sellers',
  payout_results: 'What banks reported, without account details',
  inventory: 'What became of the card, and what it cost',
  ledger_entries: 'The books, by submission and payout',
  reviews: 'The rating that staff got, without the comment',
} as const
