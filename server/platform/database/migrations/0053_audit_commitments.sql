-- The hash of an entry of the audit log covers a commitment to each personal part instead of the part. Deleting a seller removes
-- parts and their salts. The commitments stay, so the chain still proves everything else.
ALTER TABLE audit_log
  -- The SHA-256 of each part with its salt, in hex, by the name of the part.
  ADD COLUMN commitments jsonb NOT NULL DEFAULT '{}',
  -- A random salt for each part that is still there. Without it nobody can guess a removed name from its commitment.
  ADD COLUMN salts jsonb NOT NULL DEFAULT '{}';

-- What the deletion of a seller may remove: the seller's name, and texts that staff typed. server/features/audit/actions.ts names
-- the same details.
CREATE FUNCTION audit_personal_parts(entry audit_log) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
    SELECT key, value FROM jsonb_each(entry.details) WHERE key IN ('q', 'reason')
    UNION ALL SELECT 'actor_name', to_jsonb(entry.actor_name)
      WHERE entry.actor_kind = 'seller' AND entry.actor_name IS NOT NULL
  ) AS parts
$$;

CREATE FUNCTION audit_salts(parts jsonb) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(jsonb_object_agg(key, gen_random_uuid()), '{}') FROM jsonb_each(parts)
$$;

CREATE FUNCTION audit_commitments(parts jsonb, salts jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_object_agg(
    key, encode(sha256(convert_to(jsonb_build_array(salts->key, value)::text, 'UTF8')), 'hex')
  ), '{}') FROM jsonb_each(parts)
$$;

-- Earlier entries that lost a part before they had commitments. Nothing proves them any more.
CREATE TEMPORARY TABLE unproven ON COMMIT DROP AS
  SELECT id FROM audit_log WHERE hash <> sha256(previous_hash || convert_to(audit_text(audit_log), 'UTF8'));

-- What is hashed. server/features/audit/verify.ts writes the same by itself.
CREATE OR REPLACE FUNCTION audit_text(entry audit_log) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(
    entry.id, to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.actor_kind, entry.actor_id,
    CASE WHEN NOT entry.commitments ? 'actor_name' THEN entry.actor_name END, entry.action, entry.subject_kind, entry.subject_id,
    entry.details - ARRAY(SELECT jsonb_object_keys(entry.commitments)), entry.commitments
  )::text
$$;

-- The lock on the head makes appends wait for each other until the commit, so everything else comes before it.
CREATE OR REPLACE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts jsonb := audit_personal_parts(NEW);
BEGIN
  NEW.salts := audit_salts(parts);
  NEW.commitments := audit_commitments(parts, NEW.salts);
  SELECT entries + 1, hash INTO NEW.id, NEW.previous_hash FROM audit_head FOR UPDATE;
  NEW.at := clock_timestamp();
  NEW.hash := sha256(NEW.previous_hash || convert_to(audit_text(NEW), 'UTF8'));
  UPDATE audit_head SET entries = NEW.id, hash = NEW.hash;
  RETURN NEW;
END
$$;

-- Earlier entries keep their hashes and get commitments. One new entry seals them: it contains a hash over all of them as they
-- are now, so that a part that is removed later leaves the rest proven.
DROP TRIGGER audit_log_redaction_only ON audit_log;
WITH personal AS MATERIALIZED (
  SELECT id, audit_personal_parts(audit_log) AS parts FROM audit_log WHERE actor_kind = 'seller' OR details ?| '{q,reason}'
), salted AS MATERIALIZED (
  SELECT id, parts, audit_salts(parts) AS salts FROM personal
)
UPDATE audit_log SET salts = salted.salts, commitments = audit_commitments(parts, salted.salts)
  FROM salted WHERE salted.id = audit_log.id;
DO $$
DECLARE
  entry audit_log;
  seal bytea := decode(repeat('00', 32), 'hex');
  count bigint := 0;
BEGIN
  FOR entry IN SELECT * FROM audit_log ORDER BY id LOOP
    seal := sha256(seal || convert_to(audit_text(entry), 'UTF8'));
    count := entry.id;
  END LOOP;
  IF count > 0 THEN
    INSERT INTO audit_log (actor_kind, action, subject_kind, details) VALUES ('system', 'audit.sealed', 'audit_log', jsonb_build_object(
      'entries', count, 'sha256', encode(seal, 'hex'),
      'unproven', (SELECT coalesce(jsonb_agg(id ORDER BY id), '[]') FROM unproven)
    ));
  END IF;
END
$$;

-- Personal parts can be removed, together with their salts. Nothing else changes.
CREATE FUNCTION redact_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kept jsonb := audit_personal_parts(NEW);
  removed text[] := ARRAY(SELECT part FROM jsonb_object_keys(OLD.commitments) AS part WHERE NOT kept ? part);
  redacted audit_log := OLD;
BEGIN
  IF 'actor_name' = ANY (removed) THEN
    redacted.actor_name := NULL;
  END IF;
  redacted.details := OLD.details - removed;
  redacted.salts := OLD.salts - removed;
  NEW.salts := redacted.salts;
  IF NEW IS DISTINCT FROM redacted THEN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_log_redaction_only BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION redact_audit_entry();
