-- Accounts, submissions with their photos and history, and what has to happen after a move.

CREATE TABLE users (
  id uuid PRIMARY KEY,
  username text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  phone_number text,
  role text NOT NULL DEFAULT 'user',
  verified boolean NOT NULL DEFAULT false,
  rating numeric(3, 2) NOT NULL DEFAULT 0.00,
  review_count integer NOT NULL DEFAULT 0,
  trade_count integer NOT NULL DEFAULT 0,
  last_visit timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- E-mails and usernames compare without case.
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
CREATE UNIQUE INDEX users_username_key ON users (lower(username));

CREATE TABLE administrators (
  id uuid PRIMARY KEY,
  username text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);
CREATE UNIQUE INDEX administrators_username_key ON administrators (lower(username));

-- sid is the hash of the cookie's token: who reads the table can't sign in with it.
CREATE TABLE sessions (
  sid text PRIMARY KEY,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  administrator_id uuid REFERENCES administrators (id) ON DELETE CASCADE,
  sess jsonb NOT NULL,
  expire timestamptz NOT NULL,
  CONSTRAINT sessions_one_owner CHECK (num_nonnulls(user_id, administrator_id) = 1)
);
CREATE INDEX sessions_user_id ON sessions (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX sessions_administrator_id ON sessions (administrator_id) WHERE administrator_id IS NOT NULL;
CREATE INDEX sessions_expire ON sessions (expire);

-- Money is whole cents, percentages are hundredths of a percent, bytea is sealed or keyed.
CREATE TABLE gift_cards (
  id uuid PRIMARY KEY,
  seller_id uuid NOT NULL REFERENCES users (id),
  brand text NOT NULL,
  brand_name text NOT NULL,
  unlisted_brand boolean NOT NULL,
  denomination bigint NOT NULL CHECK (denomination > 0),
  selling_price bigint NOT NULL CHECK (selling_price >= 0),
  discount_percentage integer NOT NULL,
  -- The key of this row's sealed values and photos, itself sealed; without it they are gone.
  data_key bytea,
  card_number bytea,
  card_number_index bytea,
  card_number_last_four text,
  security_code bytea,
  expiration_date text,
  card_format text,
  card_condition text,
  submission_notes text,
  payment_type text NOT NULL,
  payment_account_name text NOT NULL,
  payment_account_info bytea,
  payment_account_index bytea,
  payment_account_hint text NOT NULL,
  payment_routing_number bytea,
  payment_routing_hint text,
  payment_account_number bytea,
  payment_account_number_hint text,
  routing_number_suspect boolean NOT NULL DEFAULT false,
  available boolean NOT NULL DEFAULT true,
  verified boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'pending' CHECK (
    status IN ('pending', 'under_review', 'processing', 'completed', 'rejected', 'failed', 'cancelled')
  ),
  status_reason text,
  version integer NOT NULL DEFAULT 1,
  idempotency_key text,
  fingerprint bytea NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Removed from every list by clear-all; the history stays.
  cleared_at timestamptz
);
CREATE UNIQUE INDEX gift_cards_idempotency_key ON gift_cards (seller_id, idempotency_key);
CREATE INDEX gift_cards_seller ON gift_cards (seller_id, id DESC) WHERE cleared_at IS NULL;
CREATE INDEX gift_cards_newest ON gift_cards (id DESC) WHERE cleared_at IS NULL;
CREATE INDEX gift_cards_status ON gift_cards (status, id DESC) WHERE cleared_at IS NULL;
CREATE INDEX gift_cards_brand ON gift_cards (brand, id DESC) WHERE cleared_at IS NULL;
CREATE INDEX gift_cards_card_number ON gift_cards (card_number_index) WHERE cleared_at IS NULL;
CREATE INDEX gift_cards_last_four ON gift_cards (card_number_last_four) WHERE cleared_at IS NULL;

-- The payout of a submission. Its status is the submission's: one fact, one place.
CREATE TABLE transactions (
  id uuid PRIMARY KEY,
  gift_card_id uuid NOT NULL UNIQUE REFERENCES gift_cards (id),
  seller_id uuid NOT NULL REFERENCES users (id),
  -- The administrator who completed it.
  buyer_id uuid REFERENCES administrators (id),
  amount bigint NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX transactions_seller ON transactions (seller_id, id DESC);

CREATE TABLE photos (
  -- Random: the name in addresses and in the store.
  name text PRIMARY KEY,
  thumbnail_name text NOT NULL UNIQUE,
  gift_card_id uuid NOT NULL REFERENCES gift_cards (id),
  position integer NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (gift_card_id, position)
);

-- One row per move; the key makes two moves out of the same state impossible.
CREATE TABLE status_history (
  gift_card_id uuid NOT NULL REFERENCES gift_cards (id),
  version integer NOT NULL,
  from_status text,
  to_status text NOT NULL,
  reason text,
  by_kind text NOT NULL CHECK (by_kind IN ('seller', 'staff')),
  by_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (gift_card_id, version)
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_kind text NOT NULL,
  actor_id uuid,
  actor_name text,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text,
  details jsonb NOT NULL DEFAULT '{}'
);

-- What was written down stays as it was written.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER status_history_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON status_history
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Work to do after a commit, written in the transaction that asks for it.
CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  -- Names the event: the same event can't ask twice.
  key text NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  run_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  failed_at timestamptz,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (kind, key)
);
CREATE INDEX jobs_due ON jobs (run_at) WHERE done_at IS NULL AND failed_at IS NULL;

-- The columns are the ones of rate-limiter-flexible.
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
