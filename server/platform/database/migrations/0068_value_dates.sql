-- When the event of an entry happened for the books. `at` is when it was recorded. Days are days of the shop's time zone, which
-- each connection sets. Earlier entries get the day in UTC on which they were recorded, as their journals have it.
ALTER TABLE ledger_entries ADD COLUMN value_date date;
ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_append_only;
-- Money that came back is an event of its own, not a payment that was taken back.
UPDATE ledger_entries SET value_date = (at AT TIME ZONE 'UTC')::date, event = CASE
  WHEN event = 'paid_undone' AND EXISTS (SELECT FROM payouts WHERE payouts.id = payout_id AND returned_at = at) THEN 'returned'
  ELSE event
END;
ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_append_only;
ALTER TABLE ledger_entries ALTER COLUMN value_date SET NOT NULL;
ALTER TABLE ledger_entries ALTER COLUMN value_date SET DEFAULT now()::date;
CREATE INDEX ledger_entries_value_date ON ledger_entries (value_date, id);
DROP INDEX ledger_entries_at;

-- Balances are sums of the lines.
CREATE OR REPLACE FUNCTION check_ledger_lines() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END
$$;
DROP TABLE ledger_totals;
DROP FUNCTION sum_up_ledger_totals();

ANALYZE ledger_entries;
