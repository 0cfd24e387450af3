-- People who were invited to the staff. At most one invitation per address; accepting it makes it an administrator with
-- the same id. Addresses are in lower case.
CREATE TABLE staff_invitations (
  id uuid PRIMARY KEY,
  email text NOT NULL CONSTRAINT staff_invitations_email_key UNIQUE,
  role text NOT NULL CONSTRAINT staff_invitations_role_check
    CHECK (role IN ('owner', 'manager', 'reviewer', 'payer', 'auditor')),
  -- The hash of the link's token, as for sessions.
  token_hash text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);

-- The invited email address. Null for administrators that the operator created.
ALTER TABLE administrators ADD COLUMN email text CONSTRAINT administrators_email_key UNIQUE;

-- The list of staff counts what each person revealed and decided, and finds their last sign-in.
CREATE INDEX audit_log_actor_id ON audit_log (actor_id, action, at) WHERE actor_kind = 'staff';
CREATE INDEX status_history_by_staff ON status_history (by_id, from_status, to_status) WHERE by_kind = 'staff';
