-- A bank can reject the whole file of an exported batch. One person reports that, and another confirms it: then the batch is
-- rejected, and its payouts are due again under new numbers.
ALTER TABLE payout_batches
  DROP CONSTRAINT payout_batches_state_check,
  ADD CONSTRAINT payout_batches_state_check
    CHECK (state IN ('open', 'frozen', 'released', 'exported', 'void', 'rejected')),
  -- Somebody recorded that the bank has paid it. A job records that for each payout.
  ADD COLUMN confirmed_at timestamptz,
  ADD COLUMN rejection_reported_by uuid REFERENCES administrators (id),
  ADD COLUMN rejection_reported_at timestamptz,
  ADD COLUMN rejection_reason text,
  ADD COLUMN rejected_by uuid REFERENCES administrators (id),
  ADD COLUMN rejected_at timestamptz,
  ADD CHECK ((rejection_reported_by IS NULL) = (rejection_reported_at IS NULL)
    AND (rejection_reported_by IS NULL) = (rejection_reason IS NULL)),
  ADD CHECK ((state = 'rejected') = (rejected_at IS NOT NULL) AND (rejected_by IS NULL) = (rejected_at IS NULL)),
  ADD CHECK (state <> 'rejected' OR rejection_reported_by IS NOT NULL),
  ADD CHECK (confirmed_at IS NULL OR rejection_reported_by IS NULL);

-- Batches whose payouts are still being recorded as paid.
UPDATE payout_batches SET confirmed_at = now()
  WHERE id IN (SELECT (payload->>'batchId')::uuid FROM jobs WHERE kind = 'confirmBatch');
