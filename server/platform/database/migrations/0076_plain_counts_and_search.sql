-- Lists count what they show, up to 1,000, so that no change of a submission or of the inventory has to count for them.
DROP TRIGGER gift_cards_counted_in ON gift_cards;
DROP TRIGGER gift_cards_recounted ON gift_cards;
DROP TRIGGER gift_cards_counted_out ON gift_cards;
DROP FUNCTION count_submissions();
DROP FUNCTION sum_up_submission_counts();
DROP TABLE submission_counts;

DROP TRIGGER inventory_stock_counted_in ON inventory;
DROP TRIGGER inventory_stock_recounted ON inventory;
DROP TRIGGER inventory_stock_counted_out ON inventory;
DROP FUNCTION count_stock();
DROP FUNCTION sum_up_stock_counts();
DROP TABLE stock_counts;

-- What staff find a submission by, besides its seller, its amounts and its number. The id comes last, so that its end is the end.
ALTER TABLE gift_cards ADD COLUMN search_text text NOT NULL
  GENERATED ALWAYS AS (lower(brand || E'\n' || brand_name || E'\n' || id::text)) STORED;
CREATE INDEX gift_cards_search_text ON gift_cards USING gin (search_text gin_trgm_ops) WITH (gin_pending_list_limit = 256);
DROP INDEX transactions_gift_card_text;
DROP STATISTICS gift_cards_brand_names;

-- What sellers are found by, besides their names and addresses.
CREATE INDEX users_reference ON users (right(id::text, 8));
CREATE INDEX users_phone ON users (right(regexp_replace(phone_number, '\D', '', 'g'), 7));

ANALYZE gift_cards, users;
