-- The file of the batch asks the bank to pay on the day of the release.
ALTER TABLE payout_batches ADD COLUMN same_day boolean NOT NULL DEFAULT false;
