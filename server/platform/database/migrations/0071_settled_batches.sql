-- A batch ends at settled: the statement of the bank or service shows that the money left.
ALTER TABLE payout_batches
  DROP CONSTRAINT payout_batches_state_check,
  ADD CONSTRAINT payout_batches_state_check
    CHECK (state IN ('open', 'frozen', 'released', 'exported', 'settled', 'rejected', 'void')),
  -- Null for batches that ended before this: nobody compared them with a statement.
  ADD COLUMN settled_by uuid REFERENCES administrators (id),
  ADD COLUMN settled_at timestamptz,
  -- The day of the statement.
  ADD COLUMN settled_on date,
  ADD COLUMN settlement_reference text,
  -- What the bank or service took, in cents, if it was entered with the batch. A statement has its fees as lines.
  ADD COLUMN settlement_fee bigint NOT NULL DEFAULT 0 CHECK (settlement_fee >= 0);

-- Batches whose every payout was paid or came back.
UPDATE payout_batches
  SET state = 'settled', settled_at = coalesce(confirmed_at, exported_at, created_at),
    settled_on = coalesce(expected_on, coalesce(exported_at, created_at)::date)
  WHERE state = 'exported' AND rejection_reported_by IS NULL AND (count > 0 OR confirmed_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM payouts WHERE batch_id = payout_batches.id AND payouts.state = 'exported');

ALTER TABLE payout_batches
  ADD CHECK ((state = 'settled') = (settled_at IS NOT NULL) AND (settled_at IS NULL) = (settled_on IS NULL)),
  ADD CHECK (settled_by IS NULL OR settled_at IS NOT NULL),
  ADD CHECK ((settlement_reference IS NULL AND settlement_fee = 0) OR settled_by IS NOT NULL),
  ADD CHECK (state <> 'settled' OR rejection_reported_by IS NULL);
-- What somebody still has to do something about.
CREATE INDEX payout_batches_unfinished ON payout_batches (number)
  WHERE state IN ('open', 'frozen', 'released', 'exported');

-- The batch that a fee was for. Such an entry has no submission.
ALTER TABLE ledger_entries ADD COLUMN batch_id uuid REFERENCES payout_batches (id);
