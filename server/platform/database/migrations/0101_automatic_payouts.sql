-- Batches that the server makes, freezes and releases, so nobody is named in them.
ALTER TABLE payout_batches
  ALTER COLUMN created_by DROP NOT NULL,
  DROP CONSTRAINT payout_batches_check,
  DROP CONSTRAINT payout_batches_check1,
  ADD CONSTRAINT payout_batches_makers CHECK (CASE WHEN created_by IS NULL
    THEN frozen_by IS NULL AND approved_by IS NULL AND released_by IS NULL
    ELSE (frozen_by IS NULL) = (frozen_at IS NULL) AND (released_by IS NULL) = (released_at IS NULL) END),
  ADD CONSTRAINT payout_batches_file CHECK ((released_at IS NULL) = (sealed_file IS NULL)),
  -- It only leaves through a provider.
  ADD CONSTRAINT payout_batches_automatic CHECK (created_by IS NOT NULL OR released_at IS NULL OR provider IS NOT NULL);
-- Of such a batch, nobody imported the results.
ALTER TABLE payout_results ALTER COLUMN administrator_id DROP NOT NULL;

-- Where the automatic payment of a payout is, or why it is left to a person. Null: nobody tried.
ALTER TABLE payouts ADD COLUMN automatic text;
CREATE INDEX payouts_automatic ON payouts (number) WHERE automatic = 'asking';
-- Whether the question was asked right before the payment.
ALTER TABLE balance_requests ADD COLUMN before_payout boolean NOT NULL DEFAULT false;
