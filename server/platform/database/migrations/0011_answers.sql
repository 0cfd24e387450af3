-- What sellers and staff wrote with a move is sealed under the submission's data key, like its numbers.

-- Empty when the key was already gone: then only the fact that there was a text remains.
ALTER TABLE status_history ADD COLUMN sealed_reason bytea;

-- Texts of earlier versions. The server seals them when it starts, and this index is empty from then on.
CREATE INDEX status_history_unsealed ON status_history (gift_card_id, version) WHERE reason IS NOT NULL;

-- The history is append-only, except that a plain text may be replaced by its sealed form.
DROP TRIGGER status_history_append_only ON status_history;
CREATE TRIGGER status_history_append_only BEFORE DELETE OR TRUNCATE ON status_history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION allow_sealing_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.reason IS NOT NULL AND OLD.sealed_reason IS NULL AND NEW.reason IS NULL AND NEW.sealed_reason IS NOT NULL
    AND (NEW.gift_card_id, NEW.version, NEW.from_status, NEW.to_status, NEW.by_kind, NEW.by_id, NEW.at)
      IS NOT DISTINCT FROM (OLD.gift_card_id, OLD.version, OLD.from_status, OLD.to_status, OLD.by_kind, OLD.by_id, OLD.at)
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER status_history_sealing_only BEFORE UPDATE ON status_history
  FOR EACH ROW EXECUTE FUNCTION allow_sealing_only();

-- A copy of the reason of the last move, which the history has. Dropping a column leaves its bytes in the rows, so
-- they are overwritten first.
UPDATE gift_cards SET status_reason = NULL WHERE status_reason IS NOT NULL;
ALTER TABLE gift_cards DROP COLUMN status_reason;

-- A submission whose seller has answered is shown before the others until staff move it on.
ALTER TABLE gift_cards ADD COLUMN answered boolean NOT NULL DEFAULT false;
UPDATE gift_cards SET answered = true FROM status_history
  WHERE status_history.gift_card_id = gift_cards.id AND status_history.version = gift_cards.version
    AND status_history.by_kind = 'seller' AND from_status = 'under_review' AND gift_cards.status = 'pending';
CREATE INDEX gift_cards_answered ON gift_cards (id DESC) WHERE answered AND cleared_at IS NULL;

-- The version of the submission that a photo came with: 1 with the submission itself, a later one with an answer.
ALTER TABLE photos ADD COLUMN version integer NOT NULL DEFAULT 1;
