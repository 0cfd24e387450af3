-- Passkeys of sellers and staff. The public key is not secret: it only checks signatures.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  administrator_id uuid REFERENCES administrators (id),
  -- As the browser names it, in base64url.
  credential_id text NOT NULL CONSTRAINT passkeys_credential_id_key UNIQUE,
  public_key bytea NOT NULL,
  -- Grows with each use. Stays 0 if the authenticator does not count.
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  backed_up boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  CHECK (num_nonnulls(user_id, administrator_id) = 1)
);
CREATE INDEX passkeys_user ON passkeys (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX passkeys_administrator ON passkeys (administrator_id) WHERE administrator_id IS NOT NULL;

-- What an authenticator has to sign, once. The browser has the challenge in a cookie; this is its hash.
CREATE TABLE passkey_challenges (
  hash text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('seller', 'staff')),
  -- The session that adds a passkey. Null for signing in.
  sid text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);
