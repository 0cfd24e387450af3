-- What payouts are found by.
CREATE INDEX payouts_reference ON payouts (lower(reference)) WHERE reference IS NOT NULL;
CREATE INDEX payouts_short_reference ON payouts (right(id::text, 4));
-- Trace numbers start again after ten million payouts.
CREATE INDEX payouts_trace_number ON payouts ((number % 10000000)) WHERE payment_type = 'bank_transfer';
CREATE INDEX payouts_account_end ON payouts (right(account_hint, 4));
CREATE INDEX payouts_amount ON payouts (amount, number);
CREATE INDEX payouts_sent ON payouts (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX payouts_paid ON payouts (paid_at) WHERE paid_at IS NOT NULL;
CREATE INDEX payouts_returned ON payouts (returned_at) WHERE returned_at IS NOT NULL;
CREATE INDEX payout_batches_total ON payout_batches (total);
