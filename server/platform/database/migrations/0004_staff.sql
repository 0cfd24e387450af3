-- Staff's side: claims, likeness of photos, the catalogue as data, a chained audit log, second factors.

-- Who is working on a submission. A claim informs and runs out by itself; the version decides about moves.
CREATE TABLE claims (
  gift_card_id uuid PRIMARY KEY REFERENCES gift_cards (id),
  administrator_id uuid NOT NULL REFERENCES administrators (id),
  since timestamptz NOT NULL,
  until timestamptz NOT NULL
);

-- Same payout account, newest first.
CREATE INDEX gift_cards_payment_account ON gift_cards (payment_account_index, id DESC) WHERE cleared_at IS NULL;

-- 64 bits that similar pictures share most of; null for a picture without detail. Two that differ in at most
-- seven bits differ in at most one bit of some quarter: each quarter is looked up by itself and its 16 neighbours.
ALTER TABLE photos ADD COLUMN likeness bigint;
CREATE INDEX photos_likeness_0 ON photos (((likeness >> 48) & 65535), gift_card_id DESC) WHERE likeness IS NOT NULL;
CREATE INDEX photos_likeness_1 ON photos (((likeness >> 32) & 65535), gift_card_id DESC) WHERE likeness IS NOT NULL;
CREATE INDEX photos_likeness_2 ON photos (((likeness >> 16) & 65535), gift_card_id DESC) WHERE likeness IS NOT NULL;
CREATE INDEX photos_likeness_3 ON photos ((likeness & 65535), gift_card_id DESC) WHERE likeness IS NOT NULL;

-- The catalogue. Its first content is the one of domain/brands.ts, put in by the server when the table is empty.
CREATE TABLE brands (
  slug text PRIMARY KEY,
  name text NOT NULL,
  category text NOT NULL,
  rate integer NOT NULL CHECK (rate BETWEEN 100 AND 10000),
  minimum bigint NOT NULL CHECK (minimum > 0),
  maximum bigint NOT NULL,
  popular boolean NOT NULL,
  -- The order within a category.
  position integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT brands_limits CHECK (minimum < maximum)
);

-- Terms that were replaced: a quote shown under them is honoured for a while.
CREATE TABLE earlier_brand_terms (
  slug text NOT NULL REFERENCES brands (slug),
  rate integer NOT NULL,
  minimum bigint NOT NULL,
  maximum bigint NOT NULL,
  valid_until timestamptz NOT NULL
);
CREATE INDEX earlier_brand_terms_newest ON earlier_brand_terms (valid_until);

-- Each entry of the audit log carries the hash of the one before it, and the head says how many there are: an edit,
-- a removal or another order breaks the chain, even where somebody switched the triggers off.
ALTER TABLE audit_log ALTER COLUMN id DROP IDENTITY;
ALTER TABLE audit_log ADD COLUMN previous_hash bytea, ADD COLUMN hash bytea;

CREATE TABLE audit_head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  entries bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO audit_head VALUES (true, 0, decode(repeat('00', 32), 'hex'));

-- What is hashed, as one text with one spelling. server/features/audit/verify.ts writes the same by itself.
CREATE FUNCTION audit_text(entry audit_log) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(
    entry.id, to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.actor_kind, entry.actor_id,
    entry.actor_name, entry.action, entry.subject_kind, entry.subject_id, entry.details
  )::text
$$;

-- The lock on the head makes appends wait for one another until the commit, so they come last in their transactions.
CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT entries + 1, hash INTO NEW.id, NEW.previous_hash FROM audit_head FOR UPDATE;
  NEW.at := clock_timestamp();
  NEW.hash := sha256(NEW.previous_hash || convert_to(audit_text(NEW), 'UTF8'));
  UPDATE audit_head SET entries = NEW.id, hash = NEW.hash;
  RETURN NEW;
END
$$;

-- The entries so far, numbered anew without gaps.
ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only;
DO $$
DECLARE
  entry audit_log;
  old_id bigint;
  head audit_head;
BEGIN
  SELECT * INTO head FROM audit_head;
  FOR entry IN SELECT * FROM audit_log ORDER BY id LOOP
    old_id := entry.id;
    head.entries := head.entries + 1;
    entry.id := head.entries;
    entry.previous_hash := head.hash;
    entry.hash := sha256(entry.previous_hash || convert_to(audit_text(entry), 'UTF8'));
    head.hash := entry.hash;
    UPDATE audit_log SET id = entry.id, previous_hash = entry.previous_hash, hash = entry.hash WHERE id = old_id;
  END LOOP;
  UPDATE audit_head SET entries = head.entries, hash = head.hash;
END
$$;
ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only;
ALTER TABLE audit_log ALTER COLUMN previous_hash SET NOT NULL, ALTER COLUMN hash SET NOT NULL;
CREATE TRIGGER audit_log_chained BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

-- Only the chain itself moves the head.
CREATE FUNCTION refuse_moving_audit_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND pg_trigger_depth() > 1 THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'audit_head is append-only';
END
$$;
CREATE TRIGGER audit_head_kept BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_moving_audit_head();

CREATE INDEX audit_log_actor ON audit_log (lower(actor_name), id DESC);
CREATE INDEX audit_log_action ON audit_log (action, id DESC);
CREATE INDEX audit_log_subject ON audit_log (subject_id, id DESC);
CREATE INDEX audit_log_at ON audit_log (at);

-- The secret of an administrator's authenticator app, sealed.
CREATE TABLE second_factors (
  administrator_id uuid PRIMARY KEY REFERENCES administrators (id),
  data_key bytea NOT NULL,
  secret bytea NOT NULL,
  -- Until then nobody is asked for a code.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: no code is taken twice.
  last_step bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  failed_at timestamptz
);

-- Each opens once when the app is lost. They are random, so a plain hash is enough.
CREATE TABLE recovery_codes (
  administrator_id uuid NOT NULL REFERENCES administrators (id),
  hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (administrator_id, hash)
);
