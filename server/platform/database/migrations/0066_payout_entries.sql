-- The payouts of one seller to one account may leave as one payment, an entry. It is formed when the batch is frozen.
ALTER TABLE payout_batches ADD COLUMN one_per_seller boolean NOT NULL DEFAULT false;

ALTER TABLE payouts
  -- The number of the first payout of the entry. Null if the payout leaves alone.
  ADD COLUMN entry_number bigint CHECK (entry_number <= number),
  ADD COLUMN entry_count integer CHECK (entry_count > 1),
  -- In cents, of all its payouts.
  ADD COLUMN entry_total bigint CHECK (entry_total >= amount),
  ADD CHECK ((entry_number IS NULL) = (entry_count IS NULL) AND (entry_number IS NULL) = (entry_total IS NULL)),
  ADD CHECK (entry_number IS NULL OR batch_id IS NOT NULL);
CREATE INDEX payouts_entry ON payouts (entry_number) WHERE entry_number IS NOT NULL;
CREATE INDEX payouts_entry_total ON payouts (entry_total, number) WHERE entry_total IS NOT NULL;
