-- Reports read the tables themselves, so that no move has to count for them.
DROP TRIGGER status_history_counted ON status_history;
DROP TRIGGER payouts_counted_in ON payouts;
DROP TRIGGER payouts_recounted ON payouts;
DROP TRIGGER inventory_counted_in ON inventory;
DROP TRIGGER inventory_recounted ON inventory;
DROP TRIGGER inventory_counted_out ON inventory;
DROP FUNCTION count_moves();
DROP FUNCTION count_payouts();
DROP FUNCTION count_items();
DROP FUNCTION report_item(inventory);
DROP FUNCTION report_payout(payouts);
DROP VIEW report_moves;
DROP FUNCTION report_decision(status_history);
DROP FUNCTION report_day(timestamptz);
DROP FUNCTION report_seconds(smallint);
DROP FUNCTION report_bucket(interval);
DROP FUNCTION sum_up_report_changes();
DROP VIEW report_totals;
DROP TABLE report_changes;
DROP TABLE report_counts;

-- What was decided about cards. Trying a failed payout again decides nothing.
CREATE VIEW all_decisions AS
  SELECT gift_card_id, version, at, by_kind, by_id,
    CASE WHEN to_status IN ('rejected', 'offered') THEN to_status ELSE 'approved' END AS decision
  FROM status_history
  WHERE from_status IS NOT NULL AND move IS DISTINCT FROM 'undo'
    AND (
      to_status IN ('rejected', 'offered')
      OR to_status IN ('processing', 'completed') AND from_status NOT IN ('processing', 'completed', 'failed')
    );
-- Without those that were undone.
CREATE VIEW decisions AS
  SELECT * FROM all_decisions WHERE NOT EXISTS (
    SELECT FROM status_history AS undo
    WHERE undo.gift_card_id = all_decisions.gift_card_id AND undo.version = all_decisions.version + 1 AND undo.move = 'undo'
  );

-- Rows are in the order of their time, so an index of page ranges finds the days of a report and costs moves nothing.
CREATE INDEX status_history_at ON status_history USING brin (at);
CREATE INDEX status_history_undone ON status_history (gift_card_id, version) WHERE move = 'undo';
CREATE INDEX gift_cards_created ON gift_cards (created_at) INCLUDE (id, denomination, quoted_price);

-- The lines of entries as reports count them. What sellers owe is one account. The opening entry has no cards: see below.
CREATE VIEW counted_lines AS
  SELECT entry_id, value_date, event,
    CASE WHEN account LIKE 'receivable:%' THEN 'receivable' ELSE account END AS account,
    CASE WHEN account IN ('stock', 'proceeds', 'cost_of_sales') AND NOT unlisted_brand THEN brand ELSE '' END AS brand,
    sign(amount)::integer AS count, greatest(amount, 0) AS debit, greatest(-amount, 0) AS credit
  FROM ledger_entries JOIN ledger_lines ON entry_id = ledger_entries.id
  LEFT JOIN gift_cards ON gift_cards.id = ledger_entries.gift_card_id
  WHERE NOT (event = 'opening' AND account = 'stock');

-- Their sums, without the newest entries. A job adds those that are older than an hour: nothing with a lower number can still be
-- committed then, because no transaction lives that long.
CREATE TABLE ledger_days (
  value_date date NOT NULL,
  event text NOT NULL,
  account text NOT NULL,
  brand text NOT NULL,
  count bigint NOT NULL,
  debit bigint NOT NULL,
  credit bigint NOT NULL,
  PRIMARY KEY (value_date, event, account, brand)
);
CREATE TABLE ledger_summed (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- The last entry that is in ledger_days.
  entry_id bigint NOT NULL
);
INSERT INTO ledger_summed (entry_id) VALUES (0);

CREATE VIEW ledger_sums AS
  SELECT value_date, event, account, brand, count, debit, credit FROM ledger_days
  UNION ALL
  SELECT value_date, event, account, brand, count, debit, credit FROM counted_lines
  WHERE entry_id > (SELECT entry_id FROM ledger_summed);

CREATE FUNCTION sum_up_ledger(before timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  summed bigint;
  newest bigint;
BEGIN
  SELECT entry_id INTO summed FROM ledger_summed FOR UPDATE;
  SELECT id INTO newest FROM ledger_entries WHERE at < before ORDER BY id DESC LIMIT 1;
  INSERT INTO ledger_days (value_date, event, account, brand, count, debit, credit)
    SELECT value_date, event, account, brand, sum(count), sum(debit), sum(credit)
    FROM counted_lines WHERE entry_id > summed AND entry_id <= newest GROUP BY value_date, event, account, brand
    ON CONFLICT (value_date, event, account, brand) DO UPDATE
    SET count = ledger_days.count + excluded.count, debit = ledger_days.debit + excluded.debit,
      credit = ledger_days.credit + excluded.credit;
  UPDATE ledger_summed SET entry_id = greatest(summed, newest);
END
$$;
SELECT sum_up_ledger(now() - interval '1 hour');

-- The cards that the opening entry sums up: they left the stock without having entered it, or are still in it.
WITH stocked AS (
  SELECT DISTINCT ON (gift_card_id) gift_card_id, amount FROM ledger_lines JOIN ledger_entries ON ledger_entries.id = entry_id
  WHERE account = 'stock' AND gift_card_id IS NOT NULL ORDER BY gift_card_id, entry_id
), opening AS (
  SELECT value_date, amount FROM ledger_entries JOIN ledger_lines ON entry_id = id WHERE event = 'opening' AND account = 'stock'
), cards AS (
  SELECT gift_card_id, -amount AS cost FROM stocked WHERE amount < 0
  UNION ALL
  SELECT gift_card_id, cost FROM inventory
  WHERE state IN ('in_stock', 'listed') AND gift_card_id NOT IN (SELECT gift_card_id FROM stocked)
), brands AS (
  SELECT CASE WHEN unlisted_brand THEN '' ELSE brand END AS brand, 1 AS count, cost
  FROM cards JOIN gift_cards ON gift_cards.id = gift_card_id
  -- What was in no card that we know.
  UNION ALL SELECT '', 0, amount - (SELECT coalesce(sum(cost), 0) FROM cards) FROM opening
)
INSERT INTO ledger_days (value_date, event, account, brand, count, debit, credit)
  SELECT value_date, 'opening', 'stock', brand, sum(count), sum(cost), 0 FROM opening, brands GROUP BY value_date, brand;

ANALYZE status_history, gift_cards, payouts, ledger_days;
