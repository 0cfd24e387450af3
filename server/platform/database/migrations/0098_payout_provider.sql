-- Batches that a provider sends, such as PayPal through its Payouts API, instead of a file.
ALTER TABLE payout_batches
  ADD COLUMN provider text CHECK (provider IN ('paypal')),
  -- Tells apart the accounts with the provider. A batch is only sent from the one that was asked first.
  ADD COLUMN provider_account text,
  ADD COLUMN provider_state text
    CHECK (provider_state IN ('waiting', 'sending', 'pending', 'processing', 'success', 'denied', 'canceled')),
  -- The provider's id of the batch.
  ADD COLUMN provider_batch_id text UNIQUE,
  ADD COLUMN provider_attempts integer NOT NULL DEFAULT 0,
  -- Why the last step failed, and what the provider called it.
  ADD COLUMN provider_problem text,
  ADD COLUMN provider_detail text,
  -- When a server sends or reads it next. Null: never, unless a webhook arrives.
  ADD COLUMN provider_next_at timestamptz,
  -- What the provider took, in cents.
  ADD COLUMN provider_fee bigint NOT NULL DEFAULT 0 CHECK (provider_fee >= 0),
  ADD CHECK ((provider IS NULL) = (provider_state IS NULL)),
  ADD CHECK (provider IS NULL OR sealed_file IS NOT NULL),
  ADD CHECK (provider_fee = 0 OR provider IS NOT NULL),
  -- The payouts of a void batch are due again, so the provider must not have it.
  ADD CONSTRAINT void_batch_not_sent
    CHECK (state <> 'void' OR provider_state IS NULL OR provider_state IN ('waiting', 'denied', 'canceled'));
CREATE INDEX payout_batches_provider_next ON payout_batches (provider_next_at) WHERE provider_next_at IS NOT NULL;

-- Why a payout that was sent is neither paid nor returned yet.
ALTER TABLE payouts ADD COLUMN provider_state text CHECK (provider_state IN ('pending', 'unclaimed', 'on_hold'));
