-- Card numbers and payout accounts are compared by their letters and digits, so earlier rows need other blind indexes. A starting
-- server computes them, because that takes the keys.
ALTER TABLE gift_cards ADD COLUMN index_version integer NOT NULL DEFAULT 1;
ALTER TABLE gift_cards ALTER COLUMN index_version SET DEFAULT 2;

-- What it has to compute. Erased numbers keep the index that they have.
CREATE INDEX gift_cards_outdated_indexes ON gift_cards (id) WHERE index_version < 2 AND card_number IS NOT NULL;
