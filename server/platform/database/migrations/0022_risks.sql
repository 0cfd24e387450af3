-- What reviewers find out about a card before they approve it. Texts are sealed under the data key of the submission, because
-- they may hold a card number.

CREATE TABLE risk_acknowledgements (
  id uuid PRIMARY KEY,
  gift_card_id uuid NOT NULL REFERENCES gift_cards (id),
  -- A code of domain/risk.ts.
  code text NOT NULL,
  -- The other submission that the risk came from. The same risk from another one has to be acknowledged again.
  other_id uuid REFERENCES gift_cards (id),
  sealed_reason bytea NOT NULL,
  by_id uuid NOT NULL REFERENCES administrators (id),
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX risk_acknowledgements_gift_card ON risk_acknowledgements (gift_card_id, id DESC);

CREATE TABLE balance_checks (
  id uuid PRIMARY KEY,
  gift_card_id uuid NOT NULL REFERENCES gift_cards (id),
  amount bigint NOT NULL CHECK (amount >= 0),
  source text NOT NULL CHECK (source IN ('website', 'phone', 'store', 'other')),
  sealed_note bytea,
  by_id uuid NOT NULL REFERENCES administrators (id),
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX balance_checks_gift_card ON balance_checks (gift_card_id, id DESC);

-- The photo of a balance check is none of the submission's photos. It is sealed and erased like them.
ALTER TABLE photos ADD COLUMN balance_check_id uuid REFERENCES balance_checks (id);
ALTER TABLE photos DROP CONSTRAINT photos_gift_card_id_position_key;
ALTER TABLE photos ADD CONSTRAINT photos_position_key UNIQUE NULLS NOT DISTINCT (gift_card_id, balance_check_id, position);

-- Where the balance of a brand's card is checked.
ALTER TABLE brands ADD COLUMN balance_url text CHECK (balance_url LIKE 'https://%'), ADD COLUMN balance_phone text;

-- The other sellers of a payout account, and how often each has used it.
DROP INDEX gift_cards_payment_account;
CREATE INDEX gift_cards_payment_account ON gift_cards (payment_account_index, id DESC) INCLUDE (seller_id)
  WHERE cleared_at IS NULL;
