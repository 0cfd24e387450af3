-- Where pushes to a signed-in browser go. A browser has one, and it ends with the session.
CREATE TABLE push_subscriptions (
  id uuid PRIMARY KEY,
  sid text NOT NULL UNIQUE REFERENCES sessions (sid) ON DELETE CASCADE,
  endpoint text NOT NULL UNIQUE,
  p256dh text NOT NULL,
  auth text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_success timestamptz
);
