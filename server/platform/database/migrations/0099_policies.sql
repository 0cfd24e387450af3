-- Policies decide on cards without a person. Each change adds a version, and the newest version is the policy.
CREATE TABLE policies (
  id uuid NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  mode text NOT NULL CHECK (mode IN ('off', 'shadow', 'on')),
  name text NOT NULL,
  brands text[] NOT NULL CHECK (cardinality(brands) > 0),
  -- Amounts are cents, and those of limits are prices.
  max_face_value bigint NOT NULL CHECK (max_face_value > 0),
  min_account_days integer NOT NULL CHECK (min_account_days >= 0),
  min_completed_sales integer NOT NULL CHECK (min_completed_sales >= 0),
  wait_minutes integer NOT NULL CHECK (wait_minutes BETWEEN 0 AND 1440),
  seller_limit bigint NOT NULL CHECK (seller_limit > 0),
  shop_limit bigint NOT NULL CHECK (shop_limit > 0),
  -- Of the cards that it could approve, the percentage that a person decides on.
  sample_percent integer NOT NULL CHECK (sample_percent BETWEEN 5 AND 100),
  pays_at_once boolean NOT NULL DEFAULT false,
  -- Who wrote the conditions, which may be an earlier version.
  written_by uuid NOT NULL REFERENCES administrators (id),
  by_id uuid NOT NULL REFERENCES administrators (id),
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id, version)
);
CREATE TRIGGER policies_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON policies
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What each version said about a card.
CREATE TABLE policy_decisions (
  id uuid PRIMARY KEY,
  gift_card_id uuid NOT NULL REFERENCES gift_cards (id),
  policy_id uuid NOT NULL,
  policy_version integer NOT NULL,
  mode text NOT NULL CHECK (mode IN ('shadow', 'on')),
  outcome text NOT NULL CHECK (outcome IN ('approved', 'would_approve', 'person')),
  -- Why a person decides: the first condition that the card does not meet, or what else stopped it.
  reason text,
  -- From 0 to 99: below sample_percent, a person decides.
  draw integer CHECK (draw BETWEEN 0 AND 99),
  -- Of the card, in cents.
  price bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (gift_card_id, policy_id, policy_version),
  FOREIGN KEY (policy_id, policy_version) REFERENCES policies (id, version),
  CHECK ((outcome = 'person') = (reason IS NOT NULL)),
  CHECK (outcome = 'person' OR (outcome = 'approved') = (mode = 'on'))
);
-- No policy decides on a card again.
CREATE UNIQUE INDEX policy_decisions_approved ON policy_decisions (gift_card_id) WHERE outcome = 'approved';
-- For the limits of the day, and for reports.
CREATE INDEX policy_decisions_at ON policy_decisions (at) WHERE outcome <> 'person';
CREATE INDEX policy_decisions_policy ON policy_decisions (policy_id, at);

-- The policy that made a move.
ALTER TABLE status_history
  ADD COLUMN policy_id uuid,
  ADD COLUMN policy_version integer,
  ADD FOREIGN KEY (policy_id, policy_version) REFERENCES policies (id, version),
  ADD CHECK ((policy_id IS NULL) = (policy_version IS NULL)),
  ADD CHECK (policy_id IS NULL OR by_kind = 'system');

-- No policy decides since then.
ALTER TABLE installation ADD COLUMN policies_stopped_at timestamptz;

-- When the account signed in with the browser for the first time. Of earlier rows, only the last time is known.
ALTER TABLE known_browsers ADD COLUMN known_since timestamptz NOT NULL DEFAULT now();
UPDATE known_browsers SET known_since = last_used_at;

-- When the password or the email address last changed. By a trigger, so that no path to a change can forget it.
ALTER TABLE users ADD COLUMN credentials_changed_at timestamptz;
CREATE FUNCTION date_credentials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.credentials_changed_at := now();
  RETURN NEW;
END
$$;
CREATE TRIGGER users_credentials BEFORE UPDATE OF password_hash, email ON users FOR EACH ROW
  WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash OR lower(OLD.email) IS DISTINCT FROM lower(NEW.email))
  EXECUTE FUNCTION date_credentials();
