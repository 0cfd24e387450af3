-- Lists and searches of staff that cost the same whether there are thousands of submissions or a million.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- A part of a name or address, three characters or more. Short lists of what is still to be sorted in: they are read
-- through with every search.
CREATE INDEX users_text ON users USING gin (
  lower(username) gin_trgm_ops, lower(email) gin_trgm_ops, lower(first_name || ' ' || last_name) gin_trgm_ops
) WITH (gin_pending_list_limit = 256);
CREATE INDEX contact_sessions_text ON contact_sessions USING gin (
  lower(first_name || ' ' || last_name) gin_trgm_ops, lower(email) gin_trgm_ops
) WITH (gin_pending_list_limit = 256);

-- A part of a submission's id. Here and not on gift_cards: this row keeps its place when the submission moves on, and
-- so the thirty entries that an id makes are made once.
CREATE INDEX transactions_gift_card_text ON transactions USING gin ((gift_card_id::text) gin_trgm_ops)
  WITH (gin_pending_list_limit = 256);

-- What a submission is filtered and found by, each in the order of the list.
CREATE INDEX gift_cards_status_brand ON gift_cards (status, brand, id DESC) WHERE cleared_at IS NULL;
CREATE INDEX gift_cards_denomination ON gift_cards (denomination, id DESC) WHERE cleared_at IS NULL;
CREATE INDEX gift_cards_selling_price ON gift_cards (selling_price, id DESC) WHERE cleared_at IS NULL;
DROP INDEX gift_cards_last_four;
CREATE INDEX gift_cards_last_four ON gift_cards (card_number_last_four, id DESC) WHERE cleared_at IS NULL;

-- Who asks for a brand and its name asks for the brand.
CREATE STATISTICS gift_cards_brand_names (dependencies) ON brand, brand_name FROM gift_cards;

-- How many submissions there are of each status and brand: the sums over these rows, in which clear-all has left its
-- mark. Every change adds rows of its own, so that nobody waits for anybody; now and then they are summed up.
CREATE TABLE submission_counts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  status text NOT NULL,
  brand text NOT NULL,
  brand_name text NOT NULL,
  count bigint NOT NULL
);
CREATE INDEX submission_counts_status_brand ON submission_counts (status, brand);

INSERT INTO submission_counts (status, brand, brand_name, count)
  SELECT status, brand, brand_name, count(*) FROM gift_cards WHERE cleared_at IS NULL GROUP BY status, brand, brand_name;

-- Rows that somebody else is summing up are left to them.
CREATE FUNCTION sum_up_submission_counts() RETURNS void LANGUAGE sql AS $$
  WITH crowded AS (
    SELECT status, brand, brand_name FROM submission_counts GROUP BY status, brand, brand_name HAVING count(*) > 1
  ), locked AS (
    SELECT id FROM submission_counts JOIN crowded USING (status, brand, brand_name)
    FOR UPDATE OF submission_counts SKIP LOCKED
  ), gone AS (
    DELETE FROM submission_counts WHERE id IN (SELECT id FROM locked) RETURNING status, brand, brand_name, count
  )
  INSERT INTO submission_counts (status, brand, brand_name, count)
    SELECT status, brand, brand_name, sum(count) FROM gone GROUP BY status, brand, brand_name HAVING sum(count) <> 0
$$;

CREATE FUNCTION count_submissions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO submission_counts (status, brand, brand_name, count)
      SELECT status, brand, brand_name, count(*) FROM after WHERE cleared_at IS NULL GROUP BY status, brand, brand_name;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO submission_counts (status, brand, brand_name, count)
      SELECT status, brand, brand_name, -count(*) FROM before WHERE cleared_at IS NULL GROUP BY status, brand, brand_name;
  ELSE
    INSERT INTO submission_counts (status, brand, brand_name, count)
      SELECT status, brand, brand_name, sum(change) FROM (
        SELECT status, brand, brand_name, -1 AS change FROM before WHERE cleared_at IS NULL
        UNION ALL
        SELECT status, brand, brand_name, 1 FROM after WHERE cleared_at IS NULL
      ) AS changes
      GROUP BY status, brand, brand_name HAVING sum(change) <> 0;
  END IF;
  IF random() < 0.02 THEN
    PERFORM sum_up_submission_counts();
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER gift_cards_counted_in AFTER INSERT ON gift_cards
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_submissions();
CREATE TRIGGER gift_cards_recounted AFTER UPDATE ON gift_cards
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_submissions();
CREATE TRIGGER gift_cards_counted_out AFTER DELETE ON gift_cards
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_submissions();

-- The planner knows the new indexes by what is in them.
ANALYZE users, contact_sessions, transactions, gift_cards, submission_counts;
