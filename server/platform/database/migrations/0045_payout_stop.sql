-- After a restore, payouts wait until an operator has compared them with what was sent since the backup.
ALTER TABLE installation
  ADD COLUMN payouts_stopped_at timestamptz,
  ADD COLUMN backup_made_at timestamptz;
