-- Bank accounts are checking or savings accounts, which ACH entries name by different codes. Earlier ones were paid as checking
-- accounts. The column says nothing about other methods.
ALTER TABLE gift_cards ADD COLUMN payment_account_type text NOT NULL DEFAULT 'checking'
  CHECK (payment_account_type IN ('checking', 'savings'));
ALTER TABLE payment_methods ADD COLUMN account_type text NOT NULL DEFAULT 'checking'
  CHECK (account_type IN ('checking', 'savings'));
