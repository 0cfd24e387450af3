-- Payout accounts that a bank or service refused. They are not paid again until a payer lifts the mark.
CREATE TABLE dead_accounts (
  id uuid PRIMARY KEY,
  -- The blind index of the account, as in gift_cards: the account itself is not here.
  account_index bytea NOT NULL,
  -- The same email address can be an account of several services.
  payment_type text NOT NULL,
  -- Who was paid to it.
  seller_id uuid NOT NULL REFERENCES users (id),
  -- Whether it is dead for other sellers too.
  everyone boolean NOT NULL,
  payout_id uuid NOT NULL REFERENCES payouts (id),
  -- Of the bank or service, such as R02 or C01. Without one, a payer said so when recording the return.
  code text,
  at timestamptz NOT NULL DEFAULT now(),
  lifted_by uuid REFERENCES administrators (id),
  lifted_at timestamptz,
  CHECK ((lifted_by IS NULL) = (lifted_at IS NULL))
);
CREATE INDEX dead_accounts_account ON dead_accounts (account_index) WHERE lifted_at IS NULL;
CREATE INDEX dead_accounts_seller ON dead_accounts (seller_id);
CREATE INDEX payouts_seller_due ON payouts (seller_id) WHERE state = 'due';

-- Accounts that were refused before and are still those of their submissions. domain/dead-accounts.ts explains the codes.
INSERT INTO dead_accounts (id, account_index, payment_type, seller_id, everyone, payout_id, code, at)
  SELECT gen_random_uuid(), payment_account_index, payouts.payment_type, payouts.seller_id,
    reports.code NOT IN ('R03', 'RETURNED'), payouts.id, reports.code, reports.at
  FROM (
    SELECT id AS payout_id, return_code AS code, returned_at AS at FROM payouts
      WHERE state = 'returned'
        AND return_code IN ('R02', 'R03', 'R04', 'R12', 'R13', 'R14', 'R15', 'R16', 'R20', 'R28', 'RETURNED')
    UNION ALL
    SELECT payout_id, code, at FROM payout_results
      WHERE kind = 'changed' AND code IN ('C01', 'C02', 'C03', 'C06', 'C07')
  ) AS reports
  JOIN payouts ON payouts.id = reports.payout_id
  JOIN gift_cards ON gift_cards.id = payouts.gift_card_id
  WHERE payment_account_index IS NOT NULL AND gift_cards.payment_type = payouts.payment_type
    AND CASE code WHEN 'RETURNED' THEN payouts.payment_type IN ('paypal', 'venmo') ELSE payouts.payment_type = 'bank_transfer' END
    AND NOT EXISTS (
      SELECT FROM payouts later
      WHERE later.gift_card_id = payouts.gift_card_id AND later.number > payouts.number AND later.state <> 'void'
    );
