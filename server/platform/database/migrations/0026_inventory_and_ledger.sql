-- Completed cards that we own.
CREATE TABLE inventory (
  gift_card_id uuid PRIMARY KEY REFERENCES gift_cards (id),
  seller_id uuid NOT NULL REFERENCES users (id),
  -- What the seller was paid, in cents.
  cost bigint NOT NULL CHECK (cost >= 0),
  state text NOT NULL DEFAULT 'in_stock' CHECK (state IN ('in_stock', 'listed', 'sold', 'used', 'bad')),
  -- Where it is offered or was sold.
  channel text,
  sold_at timestamptz,
  proceeds bigint CHECK (proceeds >= 0),
  -- Of a bad card's cost: what we gave up.
  written_off bigint NOT NULL DEFAULT 0 CHECK (written_off BETWEEN 0 AND cost),
  entered_at timestamptz NOT NULL DEFAULT now(),
  left_at timestamptz,
  CHECK ((state = 'sold') = (proceeds IS NOT NULL) AND (state = 'sold') = (sold_at IS NOT NULL)),
  CHECK ((state IN ('in_stock', 'listed')) = (left_at IS NULL)),
  CHECK (written_off = 0 OR state = 'bad')
);
CREATE INDEX inventory_state ON inventory (state, gift_card_id DESC);
CREATE INDEX inventory_seller ON inventory (seller_id, gift_card_id DESC);

INSERT INTO inventory (gift_card_id, seller_id, cost, entered_at)
  SELECT id, seller_id, selling_price, updated_at FROM gift_cards WHERE status = 'completed' AND cleared_at IS NULL;
-- Released submissions left the stock: their cards were used.
UPDATE inventory SET state = 'used', left_at = gift_cards.released_at
  FROM gift_cards WHERE gift_cards.id = inventory.gift_card_id AND gift_cards.released_at IS NOT NULL;

-- The ledger in double entry: what every event did to every account, in cents. Nothing in it is ever changed.
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  -- A name of domain/ledger.ts.
  event text NOT NULL,
  gift_card_id uuid REFERENCES gift_cards (id),
  payout_id uuid REFERENCES payouts (id)
);
CREATE INDEX ledger_entries_at ON ledger_entries (at, id);
CREATE INDEX ledger_entries_gift_card ON ledger_entries (gift_card_id, id) WHERE gift_card_id IS NOT NULL;

CREATE TABLE ledger_lines (
  entry_id bigint NOT NULL REFERENCES ledger_entries (id),
  line smallint NOT NULL,
  account text NOT NULL,
  -- Debits are positive, credits negative.
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (entry_id, line)
);
CREATE INDEX ledger_lines_account ON ledger_lines (account, entry_id);

-- The sums of the lines by day and account. Every change adds rows, so that nobody waits for anybody; now and then they are
-- summed up.
CREATE TABLE ledger_totals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day date NOT NULL,
  account text NOT NULL,
  debit bigint NOT NULL,
  credit bigint NOT NULL
);
CREATE INDEX ledger_totals_account ON ledger_totals (account, day);
CREATE INDEX ledger_totals_day ON ledger_totals (day, account);

CREATE FUNCTION sum_up_ledger_totals() RETURNS void LANGUAGE sql AS $$
  WITH crowded AS (
    SELECT day, account FROM ledger_totals GROUP BY day, account HAVING count(*) > 1
  ), locked AS (
    SELECT id FROM ledger_totals JOIN crowded USING (day, account) FOR UPDATE OF ledger_totals SKIP LOCKED
  ), gone AS (
    DELETE FROM ledger_totals WHERE id IN (SELECT id FROM locked) RETURNING day, account, debit, credit
  )
  INSERT INTO ledger_totals (day, account, debit, credit)
    SELECT day, account, sum(debit), sum(credit) FROM gone GROUP BY day, account
$$;

-- The lines of an entry are inserted by one statement, in the transaction of the entry. They sum to zero.
CREATE FUNCTION check_ledger_lines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM after GROUP BY entry_id HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'a ledger entry does not sum to zero'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balanced';
  END IF;
  IF EXISTS (
    SELECT FROM ledger_lines WHERE entry_id IN (SELECT entry_id FROM after)
    GROUP BY entry_id HAVING count(*) <> (SELECT count(*) FROM after WHERE after.entry_id = ledger_lines.entry_id)
  ) THEN
    RAISE EXCEPTION 'a ledger entry gets no more lines' USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_complete';
  END IF;
  INSERT INTO ledger_totals (day, account, debit, credit)
    SELECT (at AT TIME ZONE 'UTC')::date, account, sum(greatest(amount, 0)), sum(greatest(-amount, 0))
    FROM after JOIN ledger_entries ON ledger_entries.id = after.entry_id GROUP BY 1, 2;
  IF random() < 0.02 THEN
    PERFORM sum_up_ledger_totals();
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER ledger_lines_checked AFTER INSERT ON ledger_lines
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION check_ledger_lines();

CREATE FUNCTION refuse_empty_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ledger_lines WHERE entry_id = NEW.id) THEN
    RAISE EXCEPTION 'a ledger entry has no lines' USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balanced';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER ledger_entries_not_empty AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION refuse_empty_entry();

CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The balances of earlier submissions.
WITH sums (account, amount) AS (
  SELECT 'incoming', sum(amount) FROM payouts WHERE state = 'due'
  UNION ALL SELECT 'payouts_payable', -sum(amount) FROM payouts WHERE state = 'due'
  UNION ALL SELECT 'cash:' || payment_type, -sum(amount) FROM payouts WHERE state = 'paid' GROUP BY payment_type
  UNION ALL SELECT 'stock', sum(cost) FROM inventory WHERE state = 'in_stock'
  UNION ALL SELECT 'cards_used', sum(cost) FROM inventory WHERE state = 'used'
), lines AS (
  SELECT row_number() OVER (ORDER BY account) AS line, account, amount FROM sums WHERE amount <> 0
), entry AS (
  INSERT INTO ledger_entries (event) SELECT 'opening' WHERE EXISTS (SELECT FROM lines) RETURNING id
)
INSERT INTO ledger_lines (entry_id, line, account, amount) SELECT entry.id, line, account, amount FROM entry, lines;

ANALYZE payouts, inventory, ledger_entries, ledger_lines, ledger_totals;
