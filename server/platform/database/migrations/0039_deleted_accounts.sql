-- Sellers who deleted their account. A row stays if money moved; it says nothing about the person.
ALTER TABLE users ADD COLUMN deleted_at timestamptz;

-- The history is append-only. When the seller deletes the account, entries of submissions without payouts are deleted, and texts
-- of the others are removed.
CREATE FUNCTION is_of_deleted_seller(submission uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM gift_cards JOIN users ON users.id = seller_id WHERE gift_cards.id = submission AND deleted_at IS NOT NULL
  )
$$;

DROP TRIGGER status_history_append_only ON status_history;
CREATE TRIGGER status_history_append_only BEFORE TRUNCATE ON status_history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_deletion_of_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_of_deleted_seller(OLD.gift_card_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER status_history_kept BEFORE DELETE ON status_history
  FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_history();

DROP TRIGGER status_history_conversion_only ON status_history;
CREATE TRIGGER status_history_conversion_only BEFORE UPDATE ON status_history
  FOR EACH ROW WHEN (NOT (
    NEW.reason IS NULL AND NEW.sealed_reason IS NULL
    AND (NEW.gift_card_id, NEW.version, NEW.from_status, NEW.to_status, NEW.reason_code, NEW.move, NEW.amount, NEW.by_kind, NEW.by_id, NEW.at)
      IS NOT DISTINCT FROM (OLD.gift_card_id, OLD.version, OLD.from_status, OLD.to_status, OLD.reason_code, OLD.move, OLD.amount, OLD.by_kind, OLD.by_id, OLD.at)
    AND is_of_deleted_seller(OLD.gift_card_id)
  )) EXECUTE FUNCTION allow_conversion_only();

-- The audit log is append-only, except that the name of a seller and texts that staff typed may be removed from an entry. A later
-- entry lists such entries, and verifying the chain asks for it.
DROP TRIGGER audit_log_append_only ON audit_log;
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_redaction_only BEFORE UPDATE ON audit_log
  FOR EACH ROW WHEN (NOT (
    (NEW.actor_name IS NOT DISTINCT FROM OLD.actor_name OR (NEW.actor_name IS NULL AND OLD.actor_kind = 'seller'))
    AND NEW.details IN (OLD.details, OLD.details - 'reason', OLD.details - 'q')
    AND (NEW.id, NEW.at, NEW.actor_kind, NEW.actor_id, NEW.action, NEW.subject_kind, NEW.subject_id, NEW.previous_hash, NEW.hash)
      IS NOT DISTINCT FROM (OLD.id, OLD.at, OLD.actor_kind, OLD.actor_id, OLD.action, OLD.subject_kind, OLD.subject_id, OLD.previous_hash, OLD.hash)
  )) EXECUTE FUNCTION refuse_change();
