-- The home of a seller costs the same whether they have sold ten cards or ten thousand.

CREATE INDEX gift_cards_seller_status ON gift_cards (seller_id, status, id DESC) INCLUDE (selling_price)
  WHERE cleared_at IS NULL AND status IN ('pending', 'under_review', 'offered', 'processing');
CREATE INDEX gift_cards_seller_rejected ON gift_cards (seller_id, updated_at DESC)
  WHERE cleared_at IS NULL AND status = 'rejected';
CREATE INDEX payouts_seller_returned ON payouts (seller_id) WHERE state = 'returned';
CREATE INDEX payouts_seller_paid ON payouts (seller_id, paid_at DESC) INCLUDE (amount) WHERE state = 'paid';
