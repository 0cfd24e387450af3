-- Each row closes its month and all before it. They never open again.
CREATE TABLE closed_months (
  month date PRIMARY KEY CHECK (extract(day FROM month) = 1),
  closed_at timestamptz NOT NULL DEFAULT now(),
  closed_by uuid NOT NULL REFERENCES administrators (id)
);
CREATE TRIGGER closed_months_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON closed_months
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Waits for the transactions that post, so that no entry slips into the month. Those that post next see it closed.
CREATE FUNCTION close_month() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('closed_months'));
  IF EXISTS (SELECT FROM closed_months WHERE month >= NEW.month) THEN
    RAISE EXCEPTION 'the month is closed already' USING ERRCODE = 'check_violation', CONSTRAINT = 'closed_months_in_order';
  END IF;
  IF NEW.month + interval '1 month' > now()::date THEN
    RAISE EXCEPTION 'the month is not over' USING ERRCODE = 'check_violation', CONSTRAINT = 'closed_months_over';
  END IF;
  NEW.closed_at = clock_timestamp();
  RETURN NEW;
END
$$;
CREATE TRIGGER closed_months_inserted BEFORE INSERT ON closed_months FOR EACH ROW EXECUTE FUNCTION close_month();

-- An event of a closed month is booked on the first open day. The lock is taken before the months are read, and only a
-- statement of READ COMMITTED sees what was committed meanwhile.
CREATE FUNCTION book_in_open_month() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first_open_day date;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'entries are posted in READ COMMITTED';
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtext('closed_months'));
  SELECT max(month) + interval '1 month' INTO first_open_day FROM closed_months;
  NEW.value_date = greatest(NEW.value_date, first_open_day);
  RETURN NEW;
END
$$;
CREATE TRIGGER ledger_entries_booked BEFORE INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION book_in_open_month();
