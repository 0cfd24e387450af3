-- Totals of lists that cost the same whether there are thousands of payouts and cards or a million. As with the ledger's
-- totals, every change adds rows, so that nobody waits for anybody. Now and then one transaction sums up what was added.

CREATE TABLE payout_counts (
  batch_id uuid,
  state text NOT NULL,
  payment_type text NOT NULL,
  count bigint NOT NULL,
  summed boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX payout_counts_summed ON payout_counts (batch_id, state, payment_type) NULLS NOT DISTINCT WHERE summed;
CREATE INDEX payout_counts_batch ON payout_counts (batch_id, state);

INSERT INTO payout_counts (batch_id, state, payment_type, count, summed)
  SELECT batch_id, state, payment_type, count(*), true FROM payouts GROUP BY batch_id, state, payment_type;

-- One at a time. A transaction that finds another one at it leaves the rows to the next.
CREATE FUNCTION sum_up_payout_counts() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('payout_counts')) THEN
    RETURN;
  END IF;
  WITH gone AS (
    DELETE FROM payout_counts WHERE NOT summed RETURNING *
  )
  INSERT INTO payout_counts (batch_id, state, payment_type, count, summed)
    SELECT batch_id, state, payment_type, sum(count), true FROM gone GROUP BY batch_id, state, payment_type
    ON CONFLICT (batch_id, state, payment_type) WHERE summed DO UPDATE
    SET count = payout_counts.count + excluded.count;
  DELETE FROM payout_counts WHERE summed AND count = 0;
END
$$;

CREATE FUNCTION count_payout_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO payout_counts (batch_id, state, payment_type, count)
      SELECT batch_id, state, payment_type, count(*) FROM after GROUP BY batch_id, state, payment_type;
  ELSE
    INSERT INTO payout_counts (batch_id, state, payment_type, count)
      SELECT batch_id, state, payment_type, sum(change) FROM (
        SELECT batch_id, state, payment_type, -1 AS change FROM before
        UNION ALL
        SELECT batch_id, state, payment_type, 1 FROM after
      ) AS changes
      GROUP BY batch_id, state, payment_type HAVING sum(change) <> 0;
  END IF;
  IF random() < 0.02 THEN
    PERFORM sum_up_payout_counts();
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payouts_states_counted_in AFTER INSERT ON payouts
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_payout_states();
CREATE TRIGGER payouts_states_recounted AFTER UPDATE ON payouts
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_payout_states();

CREATE INDEX payouts_batch ON payouts (batch_id, number DESC) WHERE batch_id IS NOT NULL;

-- The brand of the card, which never changes, to filter in the order of the list.
ALTER TABLE inventory ADD COLUMN brand text;
ALTER TABLE inventory DISABLE TRIGGER inventory_recounted;
UPDATE inventory SET brand = gift_cards.brand FROM gift_cards WHERE gift_cards.id = inventory.gift_card_id;
ALTER TABLE inventory ENABLE TRIGGER inventory_recounted;
ALTER TABLE inventory ALTER COLUMN brand SET NOT NULL;
CREATE INDEX inventory_brand ON inventory (brand, gift_card_id DESC);
CREATE INDEX inventory_state_brand ON inventory (state, brand, gift_card_id DESC);

CREATE TABLE stock_counts (
  state text NOT NULL,
  brand text NOT NULL,
  -- Empty if the card has none.
  channel text NOT NULL,
  count bigint NOT NULL,
  -- Cents.
  cost bigint NOT NULL,
  proceeds bigint NOT NULL,
  summed boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX stock_counts_summed ON stock_counts (state, brand, channel) WHERE summed;

INSERT INTO stock_counts (state, brand, channel, count, cost, proceeds, summed)
  SELECT state, brand, coalesce(channel, ''), count(*), sum(cost), coalesce(sum(proceeds), 0), true
  FROM inventory GROUP BY state, brand, coalesce(channel, '');

CREATE FUNCTION sum_up_stock_counts() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('stock_counts')) THEN
    RETURN;
  END IF;
  WITH gone AS (
    DELETE FROM stock_counts WHERE NOT summed RETURNING *
  )
  INSERT INTO stock_counts (state, brand, channel, count, cost, proceeds, summed)
    SELECT state, brand, channel, sum(count), sum(cost), sum(proceeds), true FROM gone GROUP BY state, brand, channel
    ON CONFLICT (state, brand, channel) WHERE summed DO UPDATE
    SET count = stock_counts.count + excluded.count, cost = stock_counts.cost + excluded.cost,
      proceeds = stock_counts.proceeds + excluded.proceeds;
  DELETE FROM stock_counts WHERE summed AND count = 0;
END
$$;

CREATE FUNCTION count_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO stock_counts (state, brand, channel, count, cost, proceeds)
      SELECT state, brand, coalesce(channel, ''), -count(*), -sum(cost), -coalesce(sum(proceeds), 0)
      FROM before GROUP BY state, brand, coalesce(channel, '');
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO stock_counts (state, brand, channel, count, cost, proceeds)
      SELECT state, brand, coalesce(channel, ''), count(*), sum(cost), coalesce(sum(proceeds), 0)
      FROM after GROUP BY state, brand, coalesce(channel, '');
  END IF;
  IF random() < 0.02 THEN
    PERFORM sum_up_stock_counts();
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER inventory_stock_counted_in AFTER INSERT ON inventory
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_stock();
CREATE TRIGGER inventory_stock_recounted AFTER UPDATE ON inventory
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_stock();
CREATE TRIGGER inventory_stock_counted_out AFTER DELETE ON inventory
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_stock();

-- The ledger's totals the same way. Summing them up read the whole table, which grows with every seller who owes us.
ALTER TABLE ledger_totals ADD COLUMN summed boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX ledger_totals_summed ON ledger_totals (account, day) WHERE summed;
CREATE INDEX ledger_totals_added ON ledger_totals (id) WHERE NOT summed;

CREATE OR REPLACE FUNCTION sum_up_ledger_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('ledger_totals')) THEN
    RETURN;
  END IF;
  WITH gone AS (
    DELETE FROM ledger_totals WHERE NOT summed RETURNING *
  )
  INSERT INTO ledger_totals (day, account, debit, credit, summed)
    SELECT day, account, sum(debit), sum(credit), true FROM gone GROUP BY day, account
    ON CONFLICT (account, day) WHERE summed DO UPDATE
    SET debit = ledger_totals.debit + excluded.debit, credit = ledger_totals.credit + excluded.credit;
END
$$;

ANALYZE payouts, payout_counts, inventory, stock_counts, ledger_totals;
