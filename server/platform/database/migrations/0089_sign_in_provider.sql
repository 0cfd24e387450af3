-- Who an administrator is at the sign-in provider. Bound at the first sign-in there, so that a later change of an address at the
-- provider opens no other account. The index is partial, so that binding an account does not lock it against a new session.
ALTER TABLE administrators
  ADD COLUMN oidc_issuer text,
  ADD COLUMN oidc_subject text,
  ADD CONSTRAINT administrators_oidc CHECK ((oidc_issuer IS NULL) = (oidc_subject IS NULL));
CREATE UNIQUE INDEX administrators_oidc_key ON administrators (oidc_issuer, oidc_subject) WHERE oidc_subject IS NOT NULL;
