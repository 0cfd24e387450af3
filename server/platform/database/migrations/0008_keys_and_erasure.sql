-- What rotating the master keys and erasing old secrets need.

-- The name of the master key that a data key is wrapped under, as server/platform/vault/seal.ts writes it: a version, the length
-- of the name, the name.
CREATE FUNCTION wrapping_key_id(wrapped bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN length(wrapped) > 2 THEN encode(substr(wrapped, 3, get_byte(wrapped, 1)), 'escape') END
$$;

-- Master keys that were dropped. Nothing is wrapped under one of them any more, whatever a server still holds in memory.
CREATE TABLE dropped_keys (
  id text PRIMARY KEY,
  dropped_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION refuse_dropped_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Held until the commit: whoever drops a key waits for this row and finds it, or this row finds the key dropped.
  PERFORM pg_advisory_xact_lock_shared(hashtext('Unspent master keys'));
  IF EXISTS (SELECT FROM dropped_keys WHERE id = wrapping_key_id(NEW.data_key)) THEN
    RAISE EXCEPTION 'wrapped under a dropped key' USING ERRCODE = 'check_violation', CONSTRAINT = 'dropped_keys';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER gift_cards_key BEFORE INSERT OR UPDATE OF data_key ON gift_cards
  FOR EACH ROW WHEN (NEW.data_key IS NOT NULL) EXECUTE FUNCTION refuse_dropped_key();
CREATE TRIGGER payment_methods_key BEFORE INSERT OR UPDATE OF data_key ON payment_methods
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();
CREATE TRIGGER second_factors_key BEFORE INSERT OR UPDATE OF data_key ON second_factors
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();

-- When the secrets of a submission were erased because it had been final for so long; the rest of it stays.
ALTER TABLE gift_cards ADD COLUMN secrets_erased_at timestamptz;
CREATE INDEX gift_cards_to_erase ON gift_cards (updated_at)
  WHERE data_key IS NOT NULL AND status IN ('completed', 'rejected', 'failed', 'cancelled');
