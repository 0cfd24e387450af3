-- Every administrator has a role. Those from before roles existed are owners.
ALTER TABLE administrators ADD COLUMN role text NOT NULL DEFAULT 'owner'
  CONSTRAINT administrators_role_check CHECK (role IN ('owner', 'manager', 'reviewer', 'payer', 'auditor'));
