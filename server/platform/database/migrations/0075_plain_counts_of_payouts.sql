-- Lists count what they show, up to 1,000, so that no change of a payout has to count for them.
DROP TRIGGER payouts_states_counted_in ON payouts;
DROP TRIGGER payouts_states_recounted ON payouts;
DROP FUNCTION count_payout_states();
DROP FUNCTION sum_up_payout_counts();
DROP TABLE payout_counts;

-- How many payouts of a batch were paid, and how many came back.
CREATE INDEX payouts_batch_state ON payouts (batch_id, state) WHERE batch_id IS NOT NULL;
ANALYZE payouts;
