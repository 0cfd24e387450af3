-- Sellers who registered before addresses were confirmed are paid without it, until they change their address. It waives
-- nothing else: a stranger may have registered the address, so a reset by mail still removes what the stranger added.
ALTER TABLE users ADD COLUMN confirmation_waived boolean NOT NULL DEFAULT false;
UPDATE users SET confirmation_waived = true
WHERE NOT verified AND previous_email IS NULL AND deleted_at IS NULL
  AND created_at < (SELECT applied_at FROM migrations WHERE name = '0013_confirmed_email.sql');
