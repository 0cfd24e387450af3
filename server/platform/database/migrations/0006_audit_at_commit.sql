-- Entries of the audit log are chained while their transaction commits, whenever in it they were written: the lock on
-- the head is the last one taken and is held for the commit alone, and not while the server thinks.

-- Holds entries from their writing to the commit of the same transaction; outside of it, it is always empty. What is
-- never there after a crash needs no log of PostgreSQL's.
CREATE UNLOGGED TABLE audit_pending (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor_kind text NOT NULL,
  actor_id uuid,
  actor_name text,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text,
  details jsonb NOT NULL
);

CREATE FUNCTION append_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_log (actor_kind, actor_id, actor_name, action, subject_kind, subject_id, details)
  VALUES (NEW.actor_kind, NEW.actor_id, NEW.actor_name, NEW.action, NEW.subject_kind, NEW.subject_id, NEW.details);
  DELETE FROM audit_pending WHERE id = NEW.id;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER audit_pending_appended AFTER INSERT ON audit_pending DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION append_audit_entry();
