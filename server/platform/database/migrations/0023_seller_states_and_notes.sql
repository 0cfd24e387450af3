-- A held seller is not paid, and a blocked one cannot submit.
ALTER TABLE users ADD COLUMN state text NOT NULL DEFAULT 'active'
  CONSTRAINT users_state_check CHECK (state IN ('active', 'held', 'blocked'));

-- What staff write down about sellers and submissions. Only staff read it. Nobody edits it, but notes of a submission are
-- deleted when it is erased.
CREATE TABLE notes (
  id uuid PRIMARY KEY,
  -- For a note about a submission, its seller.
  user_id uuid NOT NULL REFERENCES users (id),
  gift_card_id uuid REFERENCES gift_cards (id),
  administrator_id uuid NOT NULL REFERENCES administrators (id),
  -- Set if the note is the reason for this state of the seller.
  state text CONSTRAINT notes_state_check CHECK (state IN ('active', 'held', 'blocked')),
  data_key bytea NOT NULL,
  text bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX notes_user ON notes (user_id, id DESC);
CREATE INDEX notes_user_state ON notes (user_id, id DESC) WHERE state IS NOT NULL;
CREATE INDEX notes_gift_card ON notes (gift_card_id, id DESC) WHERE gift_card_id IS NOT NULL;

CREATE TRIGGER notes_key BEFORE INSERT OR UPDATE OF data_key ON notes
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();
-- Rotating keys only changes `data_key`.
CREATE TRIGGER notes_not_edited
  BEFORE UPDATE OF id, user_id, gift_card_id, administrator_id, state, text, created_at ON notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The newest submissions with a card number, without reading all of them.
DROP INDEX gift_cards_card_number;
CREATE INDEX gift_cards_card_number ON gift_cards (card_number_index, id DESC) WHERE cleared_at IS NULL;
