-- The money that leaves: one payout per approved submission, sent by hand or in batches.

-- Payouts that leave in one file. One person freezes a batch, and another releases it.
CREATE TABLE payout_batches (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  file_kind text NOT NULL CHECK (file_kind IN ('nacha', 'paypal', 'worksheet')),
  payment_types text[] NOT NULL CHECK (cardinality(payment_types) > 0),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'frozen', 'released', 'exported', 'void')),
  -- Of the payouts it was made of. Only an open batch changes.
  count integer NOT NULL CHECK (count >= 0),
  total bigint NOT NULL CHECK (total >= 0),
  created_by uuid NOT NULL REFERENCES administrators (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  frozen_by uuid REFERENCES administrators (id),
  frozen_at timestamptz,
  released_by uuid REFERENCES administrators (id),
  released_at timestamptz,
  -- The same person froze and released it, because nobody else could.
  released_alone boolean NOT NULL DEFAULT false,
  exported_by uuid REFERENCES administrators (id),
  exported_at timestamptz,
  voided_by uuid REFERENCES administrators (id),
  voided_at timestamptz,
  -- When the money arrives, for the seller.
  expected_on date,
  -- The file holds accounts, so it is sealed. It is made at the release and never changes.
  data_key bytea,
  sealed_file bytea,
  file_sha256 text,
  CHECK ((frozen_by IS NULL) = (frozen_at IS NULL)),
  CHECK ((released_by IS NULL) = (released_at IS NULL) AND (released_by IS NULL) = (sealed_file IS NULL)),
  CHECK ((sealed_file IS NULL) = (file_sha256 IS NULL) AND (sealed_file IS NULL) = (data_key IS NULL)),
  CHECK (released_by IS DISTINCT FROM frozen_by OR released_by IS NULL OR released_alone)
);
CREATE INDEX payout_batches_state ON payout_batches (state, number DESC);
CREATE TRIGGER payout_batches_key BEFORE INSERT OR UPDATE OF data_key ON payout_batches
  FOR EACH ROW WHEN (NEW.data_key IS NOT NULL) EXECUTE FUNCTION refuse_dropped_key();

-- A released batch keeps its contents and its file.
CREATE FUNCTION refuse_batch_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.sealed_file IS NOT NULL AND (OLD.count, OLD.total, OLD.sealed_file, OLD.file_sha256, OLD.released_by)
    IS DISTINCT FROM (NEW.count, NEW.total, NEW.sealed_file, NEW.file_sha256, NEW.released_by) THEN
    RAISE EXCEPTION 'a released batch never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'released_batch';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER payout_batches_released BEFORE UPDATE ON payout_batches
  FOR EACH ROW EXECUTE FUNCTION refuse_batch_change();

CREATE TABLE payouts (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  gift_card_id uuid NOT NULL REFERENCES gift_cards (id),
  seller_id uuid NOT NULL REFERENCES users (id),
  -- What is sent, in cents: the price without what the seller owed.
  amount bigint NOT NULL CHECK (amount >= 0),
  -- Negative if too much was taken from an earlier payout.
  deducted bigint NOT NULL DEFAULT 0,
  payment_type text NOT NULL,
  -- Masked. The account itself is sealed in gift_cards.
  account_hint text NOT NULL,
  state text NOT NULL DEFAULT 'due'
    CHECK (state IN ('due', 'batched', 'released', 'exported', 'paid', 'returned', 'void')),
  due_at timestamptz NOT NULL DEFAULT now(),
  -- A changed account waits until then.
  batchable_at timestamptz NOT NULL DEFAULT now(),
  batch_id uuid REFERENCES payout_batches (id),
  -- From 1, in the order of the file.
  batch_position integer CHECK (batch_position > 0),
  by_hand boolean NOT NULL DEFAULT false,
  -- The confirmation number of the bank or service.
  reference text,
  sent_at timestamptz,
  paid_at timestamptz,
  returned_at timestamptz,
  -- The code of the bank or service. Without one, return_reason says why.
  return_code text,
  return_reason text,
  UNIQUE (batch_id, batch_position),
  CHECK ((batch_id IS NULL) = (batch_position IS NULL)),
  CHECK (batch_id IS NOT NULL OR state NOT IN ('batched', 'released', 'exported')),
  CHECK ((state = 'paid') <= (paid_at IS NOT NULL AND sent_at IS NOT NULL)),
  CHECK ((state = 'returned') = (returned_at IS NOT NULL))
);
-- Nobody is paid twice for a card.
CREATE UNIQUE INDEX payouts_one_live ON payouts (gift_card_id)
  WHERE state IN ('due', 'batched', 'released', 'exported', 'paid');
CREATE INDEX payouts_gift_card ON payouts (gift_card_id, number DESC);
CREATE INDEX payouts_seller ON payouts (seller_id, number DESC);
CREATE INDEX payouts_state ON payouts (state, number);
CREATE INDEX payouts_state_type ON payouts (state, payment_type, number);
CREATE INDEX payouts_type ON payouts (payment_type, number);

-- Earlier submissions: approved ones are due, and completed ones were paid by hand.
INSERT INTO payouts (id, gift_card_id, seller_id, amount, payment_type, account_hint, state, due_at, batchable_at, by_hand, sent_at, paid_at)
  SELECT gen_random_uuid(), id, seller_id, selling_price, payment_type, payment_account_hint,
    CASE status WHEN 'completed' THEN 'paid' ELSE 'due' END, updated_at, updated_at, status = 'completed',
    CASE status WHEN 'completed' THEN updated_at END, CASE status WHEN 'completed' THEN updated_at END
  FROM gift_cards WHERE status IN ('processing', 'completed') AND cleared_at IS NULL ORDER BY updated_at, id;
