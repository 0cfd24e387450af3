-- Lines of bank statements that settled a batch or booked a fee. The other lines are the shop's other business and are not kept.
CREATE TABLE bank_lines (
  id uuid PRIMARY KEY,
  -- A SHA-256 of what the bank says about the line, the same in every file, so that each line is applied once.
  key text NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('batch', 'fee')),
  booked_on date NOT NULL,
  -- In cents, of money that left.
  amount bigint NOT NULL CHECK (amount > 0),
  -- What the bank wrote, without numbers that could be accounts.
  text text NOT NULL,
  batch_id uuid UNIQUE REFERENCES payout_batches (id),
  imported_by uuid NOT NULL REFERENCES administrators (id),
  imported_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'batch') = (batch_id IS NOT NULL))
);
CREATE INDEX bank_lines_fees ON bank_lines (booked_on) WHERE kind = 'fee';

-- The line that a fee was on.
ALTER TABLE ledger_entries ADD COLUMN bank_line_id uuid REFERENCES bank_lines (id);
