-- What an account has beside its sessions: links that were mailed, browsers it is known to, the ways its owner
-- is paid. And reviews.

-- A mailed link. The table holds the hash of its secret part; who reads the table can't use it.
CREATE TABLE account_tokens (
  id uuid PRIMARY KEY,
  token_hash text NOT NULL UNIQUE,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('reset_password', 'restore_email')),
  -- The address it was mailed to; a restoring link gives this address back to the account.
  email text NOT NULL,
  -- Two changes of one account follow each other, but their transactions may have begun in any order.
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX account_tokens_user_id ON account_tokens (user_id);
CREATE INDEX account_tokens_email ON account_tokens (lower(email));
CREATE INDEX account_tokens_expires_at ON account_tokens (expires_at);

-- Browsers in which somebody signed in with the right password. account_id is a seller's or an administrator's.
CREATE TABLE known_browsers (
  token_hash text NOT NULL,
  account_id uuid NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (token_hash, account_id)
);
CREATE INDEX known_browsers_account_id ON known_browsers (account_id);
CREATE INDEX known_browsers_last_used_at ON known_browsers (last_used_at);

-- bytea is sealed, as in gift_cards.
CREATE TABLE payment_methods (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type text NOT NULL,
  account_name text NOT NULL,
  data_key bytea NOT NULL,
  account_info bytea NOT NULL,
  routing_number bytea,
  account_number bytea,
  is_default boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payment_methods_user_id ON payment_methods (user_id, id DESC);
CREATE UNIQUE INDEX payment_methods_one_default ON payment_methods (user_id) WHERE is_default;

CREATE TABLE reviews (
  id uuid PRIMARY KEY,
  reviewer_id uuid NOT NULL REFERENCES users (id),
  -- The administrator who completed the transaction.
  reviewee_id uuid NOT NULL REFERENCES administrators (id),
  transaction_id uuid NOT NULL REFERENCES transactions (id),
  rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
  comment text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX reviews_transaction_id_key ON reviews (transaction_id);
CREATE INDEX reviews_reviewee_id ON reviews (reviewee_id);

ALTER TABLE administrators
  ADD COLUMN rating numeric(3, 2) NOT NULL DEFAULT 0.00,
  ADD COLUMN review_count integer NOT NULL DEFAULT 0;

CREATE TABLE cart_items (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  gift_card_id uuid NOT NULL REFERENCES gift_cards (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, gift_card_id)
);
