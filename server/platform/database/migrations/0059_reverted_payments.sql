-- A payment by hand that was reverted may have been sent all the same. Until a payer says that it was not, the submission is not paid
-- in a batch.
ALTER TABLE payouts
  ADD COLUMN reverted_sent_at timestamptz,
  ADD COLUMN reverted_reference text,
  ADD COLUMN not_sent_at timestamptz,
  ADD CHECK (reverted_sent_at IS NOT NULL OR (reverted_reference IS NULL AND not_sent_at IS NULL));
CREATE INDEX payouts_reverted ON payouts (gift_card_id) WHERE reverted_sent_at IS NOT NULL;

-- Payouts that send nothing close themselves.
CREATE INDEX payouts_nothing_to_send ON payouts (due_at) WHERE state = 'due' AND amount = 0;
