-- Entries of zero dollars by which banks check accounts before their first ACH payment. One for each account and type.
CREATE TABLE prenotes (
  id uuid PRIMARY KEY,
  -- From the sequence of payouts, because both have trace numbers.
  number bigint NOT NULL UNIQUE,
  -- The blind index of the account, as in gift_cards: the account itself is not here.
  account_index bytea NOT NULL,
  account_type text NOT NULL CHECK (account_type IN ('checking', 'savings')),
  -- The due payout that waits, and whom it pays.
  payout_id uuid NOT NULL REFERENCES payouts (id),
  seller_id uuid NOT NULL REFERENCES users (id),
  -- Whose file has it. If that is dissolved or rejected, the prenote was never sent.
  batch_id uuid NOT NULL REFERENCES payout_batches (id),
  -- The first day on which the account can be paid. Null until the file is exported.
  payable_on date,
  returned_at timestamptz
);
CREATE INDEX prenotes_account ON prenotes (account_index);
CREATE INDEX prenotes_batch ON prenotes (batch_id);
CREATE INDEX prenotes_seller ON prenotes (seller_id);
CREATE INDEX prenotes_trace_number ON prenotes ((number % 10000000));

-- Which accounts were paid before, also for submissions that were cleared.
CREATE INDEX gift_cards_bank_account ON gift_cards (payment_account_index) WHERE payment_type = 'bank_transfer';
