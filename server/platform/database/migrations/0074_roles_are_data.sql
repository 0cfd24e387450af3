-- The table of roles in domain/roles.ts says which roles exist. What writes a role checks it there.
ALTER TABLE administrators DROP CONSTRAINT administrators_role_check;
ALTER TABLE staff_invitations DROP CONSTRAINT staff_invitations_role_check;
