-- A decision is stored as the code of its reason, so that each side reads it in its language. The texts of earlier rows are
-- recognized when a server starts.

-- A code of domain/reasons.ts, or 'free_text' for what staff wrote themselves, which is in sealed_reason.
ALTER TABLE status_history ADD COLUMN reason_code text;

-- What a starting server has to convert: plain texts, and texts of staff that nobody has compared with the reasons.
DROP INDEX status_history_unsealed;
CREATE INDEX status_history_unconverted ON status_history (gift_card_id, version)
  WHERE reason IS NOT NULL OR (sealed_reason IS NOT NULL AND reason_code IS NULL AND by_kind = 'staff');

-- The history is append-only, except that a text may be sealed, and may be marked as free or replaced by its code once.
DROP TRIGGER status_history_sealing_only ON status_history;
DROP FUNCTION allow_sealing_only;
CREATE FUNCTION allow_conversion_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.reason_code IS NULL AND NEW.reason IS NULL
    AND (OLD.reason IS NOT NULL OR OLD.sealed_reason IS NOT NULL)
    AND (CASE WHEN coalesce(NEW.reason_code, 'free_text') = 'free_text'
      THEN NEW.sealed_reason IS NOT NULL AND NEW.sealed_reason = coalesce(OLD.sealed_reason, NEW.sealed_reason)
      ELSE NEW.sealed_reason IS NULL
    END)
    AND (NEW.gift_card_id, NEW.version, NEW.from_status, NEW.to_status, NEW.by_kind, NEW.by_id, NEW.at)
      IS NOT DISTINCT FROM (OLD.gift_card_id, OLD.version, OLD.from_status, OLD.to_status, OLD.by_kind, OLD.by_id, OLD.at)
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER status_history_conversion_only BEFORE UPDATE ON status_history
  FOR EACH ROW EXECUTE FUNCTION allow_conversion_only();

-- The language that a visitor's conversation was opened in. Its emails are written in it.
ALTER TABLE contact_sessions ADD COLUMN locale text NOT NULL DEFAULT 'en'
  CONSTRAINT contact_sessions_locale_check CHECK (locale IN ('en', 'es'));
