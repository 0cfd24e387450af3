-- Links that sign an administrator in, printed by the operator. At most one for each administrator; it is deleted when
-- it is used.
CREATE TABLE sign_in_links (
  administrator_id uuid PRIMARY KEY REFERENCES administrators (id) ON DELETE CASCADE,
  -- The hash of the token, as for sessions.
  token_hash text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);

-- When a session ends even if it is in use; null: never. Sessions of administrators have an end.
ALTER TABLE sessions ADD COLUMN ends_at timestamptz;
UPDATE sessions SET ends_at = expire, expire = least(expire, now() + interval '30 minutes')
  WHERE administrator_id IS NOT NULL;

-- Jobs that were given up, for the metrics and the operator's list.
CREATE INDEX jobs_given_up ON jobs (failed_at) WHERE failed_at IS NOT NULL;
