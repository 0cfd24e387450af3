-- What the reports count, by day in UTC: one row for each day, measure, key and bucket.
CREATE TABLE report_counts (
  measure text NOT NULL,
  day date NOT NULL,
  -- A brand, a payment type, the id of an administrator or the code of a return. Empty if the measure has none.
  key text NOT NULL,
  -- Of a time, see report_bucket. 0 for all other measures.
  bucket smallint NOT NULL,
  count bigint NOT NULL,
  -- Cents.
  amount bigint NOT NULL,
  PRIMARY KEY (measure, day, key, bucket)
);

-- Changes that are not summed up in report_counts yet. They are only added, so that nobody waits for anybody.
CREATE TABLE report_changes (LIKE report_counts);

CREATE VIEW report_totals AS SELECT * FROM report_counts UNION ALL SELECT * FROM report_changes;

-- One at a time. A transaction that finds another one at it leaves the changes to the next.
CREATE FUNCTION sum_up_report_changes() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('report_changes')) THEN
    RETURN;
  END IF;
  WITH gone AS (
    DELETE FROM report_changes RETURNING *
  )
  INSERT INTO report_counts (measure, day, key, bucket, count, amount)
    SELECT measure, day, key, bucket, sum(count), sum(amount) FROM gone GROUP BY measure, day, key, bucket
    ON CONFLICT (measure, day, key, bucket) DO UPDATE
    SET count = report_counts.count + excluded.count, amount = report_counts.amount + excluded.amount;
END
$$;

-- Times are counted in buckets that are 5 % wide, so a median is exact to 2.5 %.
CREATE FUNCTION report_bucket(passed interval) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(ln(greatest(extract(epoch FROM passed)::float8, 1)) / ln(1.05::float8))::smallint
$$;

-- The middle of a bucket, in seconds.
CREATE FUNCTION report_seconds(bucket smallint) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT round(exp((bucket + 0.5) * ln(1.05::float8)))::integer
$$;

CREATE FUNCTION report_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT (at AT TIME ZONE 'UTC')::date
$$;

-- What an entry of the history decided, if anything. Retrying a failed payout decides nothing about the card.
CREATE FUNCTION report_decision(entry status_history) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN entry.move = 'undo' OR entry.from_status IS NULL THEN NULL
    WHEN entry.to_status IN ('rejected', 'offered') THEN entry.to_status
    WHEN entry.to_status IN ('processing', 'completed')
      AND entry.from_status NOT IN ('processing', 'completed', 'failed') THEN 'approved'
  END
$$;

-- What each entry of the history counts as. It depends only on the entries before it. An undo takes back the entry before
-- it, on the day of that entry. A revert is a new decision, and the earlier one stays.
CREATE VIEW report_moves AS
  SELECT entry.gift_card_id, entry.version, counted.measure, report_day(counted.at) AS day, counted.key, counted.bucket,
    counted.count, counted.amount
  FROM status_history AS entry
  JOIN gift_cards AS card ON card.id = entry.gift_card_id
  LEFT JOIN status_history AS previous
    ON previous.gift_card_id = entry.gift_card_id AND previous.version = entry.version - 1
  CROSS JOIN LATERAL (
    SELECT coalesce(entry.move = 'undo', false) AS is_undo,
      CASE WHEN previous.by_kind = 'staff' THEN previous.by_id END AS previous_by
  ) AS about
  CROSS JOIN LATERAL (
    SELECT
      CASE WHEN is_undo THEN -1 ELSE 1 END AS change,
      CASE WHEN is_undo THEN report_decision(previous) ELSE report_decision(entry) END AS decision,
      CASE WHEN is_undo THEN previous.at ELSE entry.at END AS at,
      CASE WHEN is_undo THEN previous.version ELSE entry.version END AS version,
      CASE WHEN is_undo THEN previous_by WHEN entry.by_kind = 'staff' THEN entry.by_id END AS reviewer
  ) AS decided
  CROSS JOIN LATERAL (VALUES
    (entry.from_status IS NULL, 'submitted', entry.at, '', 0::smallint, 1, card.denomination),
    (entry.from_status IS NULL, 'quoted', entry.at, '', 0::smallint, 1, card.quoted_price),
    (decision IS NOT NULL, decision, decided.at, coalesce(reviewer::text, ''), 0::smallint, change, 0),
    -- The first decision of staff that was not undone.
    (decision IS NOT NULL AND reviewer IS NOT NULL AND NOT EXISTS (
      SELECT FROM status_history AS earlier
      WHERE earlier.gift_card_id = entry.gift_card_id AND earlier.version < decided.version
        AND earlier.by_kind = 'staff' AND report_decision(earlier) IS NOT NULL
        AND NOT EXISTS (
          SELECT FROM status_history AS next
          WHERE next.gift_card_id = earlier.gift_card_id AND next.version = earlier.version + 1 AND next.move = 'undo'
        )
    ), 'decision_time', decided.at, reviewer::text, report_bucket(decided.at - card.created_at), change, 0),
    (previous_by IS NOT NULL AND (
      is_undo AND decision IS NOT NULL
      OR NOT is_undo AND entry.from_status = 'rejected' AND entry.to_status IN ('processing', 'completed')
    ), 'taken_back', entry.at, previous_by::text, 0::smallint, 1, 0)
  ) AS counted (applies, measure, at, key, bucket, count, amount)
  WHERE counted.applies;

-- What a payout counts as. One that came back stays paid on its day; the return counts on its own.
CREATE FUNCTION report_payout(payout payouts) RETURNS SETOF report_changes LANGUAGE sql STABLE AS $$
  SELECT counted.measure, report_day(counted.at), counted.key, counted.bucket, 1, counted.amount
  FROM gift_cards AS card CROSS JOIN LATERAL (VALUES
    ('paid', payout.paid_at, payout.payment_type, 0::smallint, payout.amount),
    ('payout_time', payout.paid_at, '', report_bucket(payout.paid_at - card.created_at), 0),
    ('returned', payout.returned_at, coalesce(payout.return_code, ''), 0::smallint, payout.amount)
  ) AS counted (measure, at, key, bucket, amount)
  WHERE card.id = payout.gift_card_id AND counted.at IS NOT NULL
$$;

-- What a card in the inventory counts as, by brand.
CREATE FUNCTION report_item(item inventory) RETURNS SETOF report_changes LANGUAGE sql STABLE AS $$
  SELECT counted.measure, report_day(counted.at), CASE WHEN card.unlisted_brand THEN '' ELSE card.brand END, 0::smallint,
    counted.count, counted.amount
  FROM gift_cards AS card CROSS JOIN LATERAL (VALUES
    ('stock', item.entered_at, 1, item.cost),
    ('stock', item.left_at, -1, -item.cost),
    ('sold', item.sold_at, 1, item.proceeds),
    ('cost_of_sales', item.sold_at, 1, item.cost),
    ('bad', CASE WHEN item.state = 'bad' THEN item.left_at END, 1, item.cost)
  ) AS counted (measure, at, count, amount)
  WHERE card.id = item.gift_card_id AND counted.at IS NOT NULL
$$;

CREATE FUNCTION count_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_changes (measure, day, key, bucket, count, amount)
    SELECT measure, day, key, bucket, sum(counted.count), sum(counted.amount)
    FROM after JOIN report_moves AS counted USING (gift_card_id, version) GROUP BY measure, day, key, bucket;
  IF random() < 0.02 THEN
    PERFORM sum_up_report_changes();
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER status_history_counted AFTER INSERT ON status_history
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_moves();

CREATE FUNCTION count_payouts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO report_changes (measure, day, key, bucket, count, amount)
      SELECT measure, day, key, bucket, -sum(counted.count), -sum(counted.amount)
      FROM before CROSS JOIN LATERAL report_payout(ROW (before.*)::payouts) AS counted GROUP BY measure, day, key, bucket;
  END IF;
  INSERT INTO report_changes (measure, day, key, bucket, count, amount)
    SELECT measure, day, key, bucket, sum(counted.count), sum(counted.amount)
    FROM after CROSS JOIN LATERAL report_payout(ROW (after.*)::payouts) AS counted GROUP BY measure, day, key, bucket;
  RETURN NULL;
END
$$;
CREATE TRIGGER payouts_counted_in AFTER INSERT ON payouts
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_payouts();
CREATE TRIGGER payouts_recounted AFTER UPDATE ON payouts
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_payouts();

CREATE FUNCTION count_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO report_changes (measure, day, key, bucket, count, amount)
      SELECT measure, day, key, bucket, -sum(counted.count), -sum(counted.amount)
      FROM before CROSS JOIN LATERAL report_item(ROW (before.*)::inventory) AS counted GROUP BY measure, day, key, bucket;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO report_changes (measure, day, key, bucket, count, amount)
      SELECT measure, day, key, bucket, sum(counted.count), sum(counted.amount)
      FROM after CROSS JOIN LATERAL report_item(ROW (after.*)::inventory) AS counted GROUP BY measure, day, key, bucket;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER inventory_counted_in AFTER INSERT ON inventory
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_items();
CREATE TRIGGER inventory_recounted AFTER UPDATE ON inventory
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_items();
CREATE TRIGGER inventory_counted_out AFTER DELETE ON inventory
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_items();

-- Everything so far.
INSERT INTO report_changes SELECT measure, day, key, bucket, sum(count), sum(amount) FROM report_moves
  GROUP BY measure, day, key, bucket;
INSERT INTO report_changes SELECT counted.* FROM payouts CROSS JOIN LATERAL report_payout(payouts) AS counted;
INSERT INTO report_changes SELECT counted.* FROM inventory CROSS JOIN LATERAL report_item(inventory) AS counted;
SELECT sum_up_report_changes();

ANALYZE report_counts, report_changes;
