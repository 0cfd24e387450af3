-- A hold keeps a submission, or all of a seller's, from being erased by age and by clear-all, until it is lifted.
CREATE TABLE holds (
  id uuid PRIMARY KEY,
  gift_card_id uuid REFERENCES gift_cards (id),
  user_id uuid REFERENCES users (id),
  data_key bytea NOT NULL,
  sealed_reason bytea NOT NULL,
  placed_by uuid NOT NULL REFERENCES administrators (id),
  placed_at timestamptz NOT NULL DEFAULT now(),
  lifted_by uuid REFERENCES administrators (id),
  lifted_at timestamptz,
  CHECK (num_nonnulls(gift_card_id, user_id) = 1),
  CHECK ((lifted_by IS NULL) = (lifted_at IS NULL))
);
CREATE UNIQUE INDEX holds_one_per_submission ON holds (gift_card_id) WHERE lifted_at IS NULL;
CREATE UNIQUE INDEX holds_one_per_seller ON holds (user_id) WHERE lifted_at IS NULL;
CREATE INDEX holds_gift_card ON holds (gift_card_id) WHERE gift_card_id IS NOT NULL;
CREATE TRIGGER holds_key BEFORE INSERT OR UPDATE OF data_key ON holds
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();

-- Files of card numbers, each for the person who asked for it. Deleted when they expire.
CREATE TABLE code_exports (
  id uuid PRIMARY KEY,
  administrator_id uuid NOT NULL REFERENCES administrators (id),
  count integer NOT NULL CHECK (count > 0),
  data_key bytea NOT NULL,
  sealed_file bytea NOT NULL,
  file_sha256 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours'
);
CREATE INDEX code_exports_administrator ON code_exports (administrator_id, id DESC);
CREATE TRIGGER code_exports_key BEFORE INSERT OR UPDATE OF data_key ON code_exports
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();

-- Channels to filter by.
CREATE INDEX inventory_channel ON inventory (channel, gift_card_id DESC) WHERE channel IS NOT NULL;
