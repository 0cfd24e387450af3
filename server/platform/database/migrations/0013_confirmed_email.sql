-- Sellers confirm their e-mail address by a mailed link.

ALTER TABLE account_tokens DROP CONSTRAINT account_tokens_purpose_check;
ALTER TABLE account_tokens ADD CONSTRAINT account_tokens_purpose_check
  CHECK (purpose IN ('reset_password', 'restore_email', 'confirm_email'));
-- For restore_email: whether the address was confirmed when the account left it.
ALTER TABLE account_tokens ADD COLUMN email_verified boolean NOT NULL DEFAULT false;

-- Set while `email` was entered in the profile and is not confirmed. The account goes back to this address when somebody
-- else registers `email`, so nobody else can have it.
ALTER TABLE users ADD COLUMN previous_email text;
ALTER TABLE users ADD COLUMN previous_email_verified boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX users_previous_email_key ON users (lower(previous_email)) WHERE previous_email IS NOT NULL;
