-- Cards that a seller submits together. The client chooses the id.
CREATE TABLE sales (
  id uuid PRIMARY KEY,
  seller_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- How many cards were submitted, and how many of them have a receipt, in the order of their positions.
  cards integer NOT NULL,
  receipted integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (receipted BETWEEN 0 AND cards)
);
CREATE INDEX sales_seller ON sales (seller_id);

ALTER TABLE gift_cards ADD COLUMN sale_id uuid REFERENCES sales (id), ADD COLUMN sale_position integer,
  ADD CONSTRAINT gift_cards_sale_check CHECK ((sale_id IS NULL) = (sale_position IS NULL));
CREATE UNIQUE INDEX gift_cards_sale ON gift_cards (sale_id, sale_position) WHERE sale_id IS NOT NULL;
