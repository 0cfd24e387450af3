-- The views of the review desk, filtered by amount, payment type and claim, each in the order of the list.

-- With the face value, so that a filter by amount reads the index and not the rows.
DROP INDEX gift_cards_status;
CREATE INDEX gift_cards_status ON gift_cards (status, id DESC) INCLUDE (denomination) WHERE cleared_at IS NULL;

CREATE INDEX gift_cards_payment_type ON gift_cards (status, payment_type, id DESC) WHERE cleared_at IS NULL;

-- Only a few claims have not expired. The others stay until somebody claims the submission again.
CREATE INDEX claims_until ON claims (until);
