-- What banks and payment services reported about payouts. Each report is applied once, also if its file is imported again.
CREATE TABLE payout_results (
  id uuid PRIMARY KEY,
  -- Names the report: the bank's trace number and code, or PayPal's transaction and status.
  key text NOT NULL UNIQUE,
  payout_id uuid NOT NULL REFERENCES payouts (id),
  kind text NOT NULL CHECK (kind IN ('returned', 'changed', 'paid')),
  -- Of the bank or service, such as R03, C01 or FAILED.
  code text,
  -- The account details that a bank has on file, sealed under the data key of the submission.
  sealed_correction bytea,
  administrator_id uuid NOT NULL REFERENCES administrators (id),
  at timestamptz NOT NULL DEFAULT now(),
  CHECK (sealed_correction IS NULL OR kind = 'changed')
);
CREATE INDEX payout_results_payout ON payout_results (payout_id, at DESC);
