-- Tokens for programs that call the staff's routes. Revoking one deletes its row; the audit log keeps its name.
CREATE TABLE api_tokens (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL,
  -- SHA-256 in base64url, of 256 random bits.
  token_hash text NOT NULL UNIQUE,
  created_by uuid NOT NULL REFERENCES administrators (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE UNIQUE INDEX api_tokens_name ON api_tokens (lower(name));
