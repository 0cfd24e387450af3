-- Who sent an invitation: it ends when they may no longer invite. Open ones get their sender from the audit log.
ALTER TABLE staff_invitations ADD COLUMN invited_by uuid REFERENCES administrators (id);
UPDATE staff_invitations SET invited_by = (
  SELECT actor_id FROM audit_log
  WHERE action = 'admin.invited' AND subject_kind = 'administrator' AND subject_id = staff_invitations.email
  ORDER BY id DESC LIMIT 1
);
DELETE FROM staff_invitations WHERE invited_by IS NULL;
ALTER TABLE staff_invitations ALTER COLUMN invited_by SET NOT NULL;

-- Wrong codes since the last right one, or since the owner was last warned of them by email.
ALTER TABLE second_factors ADD COLUMN wrong_codes integer NOT NULL DEFAULT 0;
ALTER TABLE second_factors ADD COLUMN warned_at timestamptz;
