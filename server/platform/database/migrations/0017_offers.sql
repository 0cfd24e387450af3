-- Staff may offer a lower price, which the seller accepts, declines or lets expire.
ALTER TABLE gift_cards DROP CONSTRAINT gift_cards_status_check;
ALTER TABLE gift_cards ADD CONSTRAINT gift_cards_status_check CHECK (status IN
  ('pending', 'under_review', 'offered', 'processing', 'completed', 'rejected', 'failed', 'cancelled'));

-- selling_price is the one current price. quoted_price is what was first quoted, in cents.
ALTER TABLE gift_cards ADD COLUMN quoted_price bigint;
UPDATE gift_cards SET quoted_price = selling_price;
ALTER TABLE gift_cards ALTER COLUMN quoted_price SET NOT NULL;

-- The open offer: a price in cents, and when it ends.
ALTER TABLE gift_cards ADD COLUMN offer_amount bigint,
  ADD COLUMN offer_expires_at timestamptz,
  ADD CONSTRAINT gift_cards_offer_check CHECK (
    (status = 'offered') = (offer_amount IS NOT NULL) AND (status = 'offered') = (offer_expires_at IS NOT NULL)
    AND (offer_amount IS NULL OR offer_amount BETWEEN 1 AND denomination)
  );
CREATE INDEX gift_cards_offers_to_expire ON gift_cards (offer_expires_at) WHERE status = 'offered';

-- A seller may appeal once.
ALTER TABLE gift_cards ADD COLUMN appealed_at timestamptz;

-- The rejected submission that this one was made from.
ALTER TABLE gift_cards ADD COLUMN resubmission_of uuid REFERENCES gift_cards (id);
CREATE UNIQUE INDEX gift_cards_resubmission_of ON gift_cards (resubmission_of);

-- The name of the move, and the price it set, in cents. Earlier moves are named by their statuses.
ALTER TABLE status_history ADD COLUMN move text, ADD COLUMN amount bigint;

-- The server itself moves a submission when a time is over.
ALTER TABLE status_history DROP CONSTRAINT status_history_by_kind_check;
ALTER TABLE status_history ADD CONSTRAINT status_history_by_kind_check CHECK (by_kind IN ('seller', 'staff', 'system'));
ALTER TABLE status_history ALTER COLUMN by_id DROP NOT NULL;
ALTER TABLE status_history ADD CONSTRAINT status_history_by_id_check CHECK ((by_kind = 'system') = (by_id IS NULL));
