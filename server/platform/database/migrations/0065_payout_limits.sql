-- A batch above an amount needs two approvers besides the people who created and froze it. The second one releases it.
ALTER TABLE payout_batches
  ADD COLUMN approved_by uuid REFERENCES administrators (id),
  ADD COLUMN approved_at timestamptz,
  ADD CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
  ADD CHECK (approved_by IS NULL OR (approved_by <> created_by AND approved_by IS DISTINCT FROM frozen_by
    AND approved_by IS DISTINCT FROM released_by));

-- What was released today.
CREATE INDEX payout_batches_released ON payout_batches (released_at) WHERE released_at IS NOT NULL;
