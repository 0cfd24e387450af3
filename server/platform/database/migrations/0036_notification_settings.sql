-- What sellers want to be told about. A kind without a row is on for every channel.
CREATE TABLE notification_settings (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('question', 'offer', 'decision', 'payout', 'reply')),
  mail boolean NOT NULL DEFAULT true,
  push boolean NOT NULL DEFAULT true,
  PRIMARY KEY (user_id, kind)
);
